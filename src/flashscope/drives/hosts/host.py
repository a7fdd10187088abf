"""A host: the data sheet of what a request costs on the computer that makes it, the same for every drive.

    parts/hosts/linux-io-uring.toml --> Host --settings_json--> the core (crates/workload/src/host_thread.rs)

A drive without a host is measured at its own connector, as if requests cost nothing to make. The keys are times of one
thread: mechanisms, never a rate that somebody measured.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.part_file import PartValue, SheetKind, read_data_sheet, with_defaults
from flashscope.drives.parts.shipped import shipped_names, shipped_sheet
from flashscope.errors import WrongUse

_LONGEST_NS = 10**9

HOST_KEYS = (
    Key(
        "submission_cost",
        "time",
        "processor time until a request is with the drive, whatever its size",
        '"1 us"',
        core="submission_ns",
        most=_LONGEST_NS,
    ),
    Key(
        "page_cost",
        "time",
        "processor time for each 4 KiB of a request's data, to map or to copy it",
        '"200 ns"',
        core="page_ns",
        most=_LONGEST_NS,
        default=0,
    ),
    Key(
        "wake_up",
        "time",
        "from the drive's answer until a thread that waits for it runs again; 0 where it polls",
        '"2 us"',
        core="wake_up_ns",
        most=_LONGEST_NS,
    ),
    Key(
        "completion_cost",
        "time",
        "processor time to take an answer",
        '"500 ns"',
        core="completion_ns",
        most=_LONGEST_NS,
    ),
    Key(
        "requests_under_way",
        "count",
        "requests that one thread can keep under way; 0 = as many as its job asks for",
        "1",
        core="requests_under_way_max",
        most=65_536,
        default=0,
    ),
)
_KIND = SheetKind("host", "docs/reference/hosts.md", {key.name: key for key in HOST_KEYS}, ("name", "title", "notes"))


@dataclass(frozen=True)
class Host:
    """A complete, checked data sheet of a host.

    name: as the file states it. title: what it is, in one line. notes: what it leaves out.
    values: key -> value with its origin.
    """

    name: str
    title: str
    notes: str
    values: dict[str, PartValue]

    @property
    def settings(self) -> dict[str, int]:
        """What the core needs, in base units; for the record too."""
        return {key.core: int(str(self.values[key.name].value)) for key in HOST_KEYS}

    def settings_json(self) -> str:
        """The settings as the core reads them."""
        return json.dumps(self.settings)


def list_hosts() -> list[str]:
    """The names of the hosts that come with flashscope, sorted."""
    return shipped_names("hosts")


def load_host(reference: str) -> Host:
    """The host of that name ("linux-io-uring"), or the one in the file of that path (ending in .toml).

    Raises WrongUse naming file, key, value and what is accepted.
    """
    if reference.endswith(".toml"):
        path, label = Path(reference), reference
    else:
        path, label = shipped_sheet("hosts", reference, what="host")
    file = read_data_sheet(path, label=label, kind=_KIND)
    values, missing = with_defaults(file.values, HOST_KEYS, label)
    if missing or "name" not in file.plain:
        names = [*([] if "name" in file.plain else ["name"]), *(key.name for key in missing)]
        examples = [
            *([] if "name" in file.plain else ['name = "my-host"']),
            *(f"{key.name} = {key.example}" for key in missing),
        ]
        raise WrongUse(
            f"{label} says nothing about {', '.join(names)}",
            accepted="; ".join(examples),
            advice=f"{_KIND.page} lists all keys",
        )
    return Host(file.plain["name"], file.plain.get("title", ""), file.plain.get("notes", ""), values)


def host_table() -> str:
    """The table of all shipped hosts, in Markdown; docs/reference/hosts.md holds exactly this."""
    rows = ["| host | what it is | " + " | ".join(f"`{key.name}`" for key in HOST_KEYS) + " |"]
    rows.append("|" + "---|" * (len(HOST_KEYS) + 2))
    for host in map(load_host, list_hosts()):
        values = " | ".join(host.values[key.name].text for key in HOST_KEYS)
        rows.append(f"| `{host.name}` | {host.title} | {values} |")
    return "\n".join(rows)


def host_key_table() -> str:
    """The table of all keys of a host, in Markdown; docs/reference/hosts.md holds exactly this."""
    rows = ["| key of a host | meaning | such as |", "|---|---|---|"]
    for key in HOST_KEYS:
        default = f" (default {key.default})" if key.default is not None else ""
        rows.append(f"| `{key.name}` | {key.meaning}{default} | {key.example} |")
    return "\n".join(rows)
