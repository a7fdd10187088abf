"""A host: the data sheet of what a request costs on the computer that makes it, the same for every drive.

    parts/hosts/linux-io-uring.toml --> Host --settings_json--> the core (crates/workload/src/host_thread.rs)

A drive without a host is measured at its own connector, as if requests cost nothing to make. The keys are times of one
thread: mechanisms, never a rate that somebody measured.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.part import shipped_folder
from flashscope.drives.parts.part_file import PartValue, read_data_sheet
from flashscope.errors import WrongUse

_LONGEST_NS = 10**9
_PLAIN = ("name", "title", "notes")

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
_BY_NAME = {key.name: key for key in HOST_KEYS}


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
    return sorted(path.stem for path in (shipped_folder() / "hosts").glob("*.toml"))


def load_host(reference: str) -> Host:
    """The host of that name ("linux-io-uring"), or the one in the file of that path (ending in .toml).

    Raises WrongUse naming file, key, value and what is accepted.
    """
    path, label = _place(reference)
    file = read_data_sheet(path, label=label, keys=_BY_NAME, plain_names=_PLAIN)
    values = dict(file.values)
    missing = []
    for key in HOST_KEYS:
        if key.name in values:
            continue
        if key.default is None:
            missing.append(key)
        else:
            values[key.name] = PartValue(key.default, str(key.default), "assumed", "the default", (), label)
    if missing or "name" not in file.plain:
        names = [*([] if "name" in file.plain else ["name"]), *(key.name for key in missing)]
        examples = [
            *([] if "name" in file.plain else ['name = "my-host"']),
            *(f"{key.name} = {key.example}" for key in missing),
        ]
        raise WrongUse(
            f"{label} says nothing about {', '.join(names)}",
            accepted="; ".join(examples),
            advice="docs/reference/hosts.md lists all keys",
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


def _place(reference: str) -> tuple[Path, str]:
    if reference.endswith(".toml"):
        return Path(reference), reference
    known = list_hosts()
    if reference not in known:
        near = get_close_matches(reference, known, n=1, cutoff=0.4)
        raise WrongUse(
            f'there is no host "{reference}"',
            accepted=f"{', '.join(known)}, or the path of a file that ends in .toml",
            advice=f'did you mean "{near[0]}"?' if near else "",
        )
    return shipped_folder() / "hosts" / f"{reference}.toml", f"parts/hosts/{reference}.toml"
