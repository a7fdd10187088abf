"""Reading SMART from a real drive: smartctl does it, this understands what smartctl prints.

smartctl is asked to ignore its own drive database (`--presets=ignore`): what the attributes mean is decided
here, and its presets print some numbers in another byte order. Dumps made without that option are understood
as far as their byte order can be told.

Not read here: the health log of NVMe drives and the ATA device statistics.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

from flashscope.errors import DriveFailed, WrongUse
from flashscope.records.record import SmartAttribute, SmartSnapshot

COMMAND = ("smartctl", "--json", "--all", "--presets=ignore")
TIME_LIMIT_SECONDS = 60
# Bits of smartctl's exit status that speak of the drive's health or of a part of the reading, not of failure to read.
_REMARKS = {
    2: "a SMART command failed or a checksum was wrong",
    3: "the drive says it is failing",
    4: "an attribute is at its threshold",
    5: "an attribute was at its threshold once",
    6: "the error log holds errors",
    7: "the self-test log holds errors",
}


def read_with_smartctl(path: str | os.PathLike[str], elapsed_ns: int) -> SmartSnapshot:
    """All SMART attributes of the drive at `path` (such as /dev/sda), now.

    elapsed_ns: since the run began; kept in the snapshot.
    A drive without SMART, or one whose SMART smartctl cannot reach, gives a snapshot without attributes, whose
    `source` says why. Raises WrongUse when smartctl is missing or too old, when there is no such drive, or when
    it may not be opened; DriveFailed when it does not answer within a minute.
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise WrongUse(f"there is no drive {name}", accepted="the path of a block device, such as /dev/sda")
    try:
        # smartctl answers in the exit status what it found; see `_REMARKS`.
        done = subprocess.run(
            [*COMMAND, name], capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT_SECONDS
        )
    except FileNotFoundError:
        raise WrongUse(
            "SMART is read by smartctl, which is not installed",
            accepted="smartctl 7.0 or later on the PATH",
            advice="install the package smartmontools",
        ) from None
    except subprocess.TimeoutExpired:
        raise DriveFailed(f"{name} did not answer smartctl within {TIME_LIMIT_SECONDS} s") from None
    return parse_smartctl_json(done.stdout, elapsed_ns=elapsed_ns, source=" ".join([*COMMAND, name]))


def parse_smartctl_json(text: str, *, elapsed_ns: int = 0, source: str = "smartctl JSON") -> SmartSnapshot:
    """The snapshot in what `smartctl --json --all` printed.

    source: kept in the snapshot, with smartctl's remarks behind it; without attributes it says why there are none.
    Raises WrongUse when `text` is not that, or when the drive may not be opened.
    """
    document = _document(text)
    messages = [str(message.get("string", "")) for message in _list(_dict(document, "smartctl").get("messages"))]
    if any("permission denied" in message.lower() for message in messages):
        raise WrongUse(messages[0], accepted="a drive that may be opened", advice="run as root, or with sudo")
    rows = _list(_dict(document, "ata_smart_attributes").get("table"))
    status = _whole(_dict(document, "smartctl").get("exit_status"))
    if rows:
        remarks = [text for bit, text in _REMARKS.items() if status >> bit & 1]
    else:
        remarks = [f"no SMART attributes: {_why_none(document, messages)}"]
    try:
        attributes = tuple(_attributes(rows))
    except (KeyError, TypeError, ValueError) as error:
        raise WrongUse(
            f"{source} holds an attribute that is not whole: {error!r}", accepted="smartctl --json"
        ) from None
    return SmartSnapshot(
        elapsed_ns=elapsed_ns,
        source=f"{source} ({'; '.join(remarks)})" if remarks else source,
        model=str(document.get("model_name") or document.get("scsi_model_name") or ""),
        firmware=str(document.get("firmware_version") or ""),
        user_bytes=_whole(_dict(document, "user_capacity").get("bytes")),
        attributes=attributes,
    )


def _document(text: str) -> dict[str, Any]:
    try:
        document = json.loads(text)
    except ValueError:
        document = None
    if not isinstance(document, dict) or "smartctl" not in document:
        first = text.strip().splitlines()[0][:80] if text.strip() else "nothing"
        raise WrongUse(
            f"smartctl printed no JSON but: {first}",
            accepted="the output of smartctl --json --all",
            advice="smartctl 7.0 or later is needed (package smartmontools)",
        )
    return document


def _why_none(document: dict[str, Any], messages: list[str]) -> str:
    """Why there are no ATA attributes, in words."""
    protocol = str(_dict(document, "device").get("protocol", ""))
    if protocol and protocol != "ATA":
        return f"the drive speaks {protocol}, which has none"
    if messages:
        return messages[0]
    return "the drive has no SMART, or it is switched off"


def _attributes(rows: list[dict[str, Any]]) -> list[SmartAttribute]:
    """The attributes as the drive gave them, out of what smartctl made of their raw bytes.

    By default its number is the six raw bytes. Some formats put the reserved byte on top (56 bits). Its presets
    for Indilinx print value, worst and raw as one number of 64 bits: then the lower two bytes of *every*
    attribute repeat worst and value.
    """
    printed = [int(row["raw"]["value"]) for row in rows]
    one_number = [int(row["worst"]) << 8 | int(row["value"]) for row in rows]
    value_first = (
        len(rows) > 3 and any(printed) and all(p & 0xFFFF == v for p, v in zip(printed, one_number, strict=True))
    )
    attributes = []
    for row, number in zip(rows, printed, strict=True):
        if number >> (64 if value_first else 56):
            raise WrongUse(
                f"attribute {row['id']} is printed as {number}, in a byte order that cannot be told",
                accepted="smartctl --json --all --presets=ignore",
            )
        raw = (number >> 16 if value_first else number) & (1 << 48) - 1
        flags = _dict(row, "flags").get("value", 0)
        name = str(row.get("name", ""))
        attributes.append(
            SmartAttribute(
                int(row["id"]), int(flags), int(row["value"]), int(row["worst"]), raw.to_bytes(6, "little"), name
            )
        )
    return attributes


def _dict(document: dict[str, Any], key: str) -> dict[str, Any]:
    entry = document.get(key)
    return entry if isinstance(entry, dict) else {}


def _list(entry: Any) -> list[dict[str, Any]]:
    return [one for one in entry if isinstance(one, dict)] if isinstance(entry, list) else []


def _whole(entry: Any) -> int:
    return entry if isinstance(entry, int) and not isinstance(entry, bool) else 0
