"""A virtual drive's SMART as a dump: it speaks the layout of the controller it stands for."""

from __future__ import annotations

from dataclasses import replace

from flashscope.records.record import SmartSnapshot
from flashscope.smart.dump import Dump, PrintedAttribute, dump_of_snapshot


def dump_of_virtual_drive(snapshot: SmartSnapshot, *, rotation_rpm: int | None = None) -> Dump:
    """The dump of a snapshot that a virtual drive gave.

    rotation_rpm: of a virtual disk; 0 for a drive without disks; None when it is not to be told.
    Its raw numbers are printed as the six raw bytes make them; it has no thresholds and no clock of its own.
    """
    printed: dict[int, PrintedAttribute] = {}
    for one in snapshot.attributes:
        raw_text = str(int.from_bytes(one.raw, "little"))
        printed.setdefault(one.id, PrintedAttribute(raw_text=raw_text, pre_failure=bool(one.flags & 1)))
    return replace(dump_of_snapshot(snapshot), format="virtual drive", printed=printed, rotation_rpm=rotation_rpm)
