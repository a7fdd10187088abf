"""A virtual drive's SMART as a dump, in the layout of the controller that it models."""

from __future__ import annotations

from dataclasses import replace

from flashscope.records.smart_snapshot import SmartSnapshot
from flashscope.smart.dump import Dump, PrintedAttribute, dump_of_snapshot


def dump_of_virtual_drive(snapshot: SmartSnapshot) -> Dump:
    """The dump of a snapshot that a virtual drive gave.

    Its raw numbers are printed as one number of the six raw bytes; it has no thresholds and no time of reading. An NVMe
    drive gives the fields of its health log instead.
    """
    printed: dict[int, PrintedAttribute] = {}
    for one in snapshot.attributes:
        raw_text = str(int.from_bytes(one.raw, "little"))
        printed.setdefault(one.id, PrintedAttribute(raw_text=raw_text, pre_failure=bool(one.flags & 1)))
    return replace(dump_of_snapshot(snapshot), format="virtual drive", printed=printed)
