"""Which records belong to one drive, so that they may be joined.

    real drive      serial, model and size; without a serial number, address, model and size
    virtual drive   its address, which holds part, seed and state; and the build, which decides what the part does

Records of several drives are refused. Records of a virtual drive made by several builds are set apart: the newest build
counts, for the older ones describe a drive that behaves differently. A real drive stays the same whoever measures it.
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.errors import WrongUse
from flashscope.records import Record
from flashscope.records.build import name_of_build
from flashscope.records.drive_facts import DriveFacts


def recognised_by(facts: DriveFacts) -> tuple[str, ...]:
    """What tells a drive from others."""
    if facts.virtual is not None or not facts.serial.strip():
        return (facts.address, facts.model, str(facts.user_bytes))
    return (facts.serial, facts.model, str(facts.user_bytes))


def check_one_drive(records: Sequence[Record]) -> None:
    """Raise WrongUse for no records, and for records of several drives, naming them."""
    if not records:
        raise WrongUse("there are no records to join", advice="examine a drive first: flashscope examine sim:onyx-32")
    drives = {recognised_by(record.drive_facts): record for record in records}
    if len(drives) > 1:
        named = ", ".join(_named(record.drive_facts) for record in drives.values())
        raise WrongUse(
            f"the records are of {len(drives)} drives: {named}",
            accepted="records of one drive; of a virtual drive, with the same address",
            advice="name one drive: flashscope dossier DRIVE",
        )


def of_the_newest_build(records: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Those that may be joined, and those that are set apart; records: oldest first."""
    if records[-1].drive_facts.virtual is None:
        return list(records), []
    build = name_of_build(records[-1].versions)
    joined = [record for record in records if name_of_build(record.versions) == build]
    return joined, [record for record in records if name_of_build(record.versions) != build]


def _named(facts: DriveFacts) -> str:
    serial = f", serial {facts.serial}" if facts.serial.strip() else ""
    return f"{facts.address} ({facts.model or 'no model'}{serial}, {facts.user_bytes} bytes)"
