"""SMART data of a real drive as a snapshot for a record: ATA attributes or NVMe's health log, and remarks in `source`.

It uses the readers (see readers/); a dump of theirs keeps more of a drive than a snapshot.
"""

from __future__ import annotations

import os

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartSnapshot
from flashscope.smart.dump import Dump
from flashscope.smart.readers.live import checked_document, smartctl_document
from flashscope.smart.readers.smartctl_json import read_smartctl_json

COMMAND = ("smartctl", "--json", "--all", "--presets=ignore")
TIME_LIMIT_SECONDS = 60.0


def read_with_smartctl(path: str | os.PathLike[str], elapsed_ns: int) -> SmartSnapshot:
    """All SMART attributes of the drive at `path` (such as /dev/sda), now.

    elapsed_ns: since the run began; kept in the snapshot.
    A drive without SMART, or one whose SMART smartctl cannot reach, gives a snapshot without attributes, whose
    `source` says why. Raises WrongUse when smartctl is missing or too old, when there is no such drive, or when
    it may not be opened; DriveFailed when it does not answer within a minute.
    """
    document, command = smartctl_document(os.fspath(path), COMMAND, TIME_LIMIT_SECONDS)
    return snapshot_of(read_smartctl_json(document, command), elapsed_ns)


def parse_smartctl_json(text: str, *, elapsed_ns: int = 0, source: str = "smartctl JSON") -> SmartSnapshot:
    """The snapshot in what `smartctl --json --all` printed.

    source: kept in the snapshot, with smartctl's remarks behind it; without attributes it says why there are none.
    Raises WrongUse when `text` is not that, when an attribute cannot be read, or when the drive may not be opened.
    """
    return snapshot_of(read_smartctl_json(checked_document(text), source), elapsed_ns)


def snapshot_of(dump: Dump, elapsed_ns: int) -> SmartSnapshot:
    """A dump as a snapshot. Raises WrongUse when an attribute of the dump could not be read."""
    for remark in dump.remarks:
        if remark.startswith(("attribute ", "an attribute that is not complete")) and dump.unread:
            raise WrongUse(f"{dump.source}: {remark}", accepted="smartctl --json --all --presets=ignore")
    if dump.attributes:
        remarks = [remark for remark in dump.remarks if not remark.startswith("smartctl: ")]
    else:
        remarks = [f"no SMART attributes: {_why_none(dump)}"]
    return SmartSnapshot(
        elapsed_ns=elapsed_ns,
        source=f"{dump.source} ({'; '.join(remarks)})" if remarks else dump.source,
        model=dump.model,
        firmware=dump.firmware,
        user_bytes=dump.user_bytes or 0,
        attributes=dump.attributes,
        rotation_rpm=dump.rotation_rpm,
        nvme_health=dict(dump.nvme_health),
    )


def _why_none(dump: Dump) -> str:
    """Why there are no ATA attributes, in words."""
    if dump.protocol and dump.protocol != "ATA":
        return f"the drive speaks {dump.protocol}, which has none"
    messages = [remark for remark in dump.remarks if remark.startswith("smartctl: ")]
    return messages[0].removeprefix("smartctl: ") if messages else "the drive has no SMART, or it is switched off"
