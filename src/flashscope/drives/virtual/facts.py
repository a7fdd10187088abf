"""Facts that all virtual drives share: its time costs nothing, it is used directly, and it can hold files.

Files need a drive of 64 MiB, and the model of a file system takes a quarter of it. A file system with sectors of
512 B or of 4096 B can be chosen where the drive's own sectors are the smaller of these.
"""

from __future__ import annotations

from dataclasses import replace

from flashscope import _core
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts, VirtualFacts
from flashscope.records.time_cost import TimeCost

_SMALLEST_WITH_FILES_BYTES = 64 << 20
_FILE_ROOM_RATIO = 0.75
_SMALL_SECTOR_BYTES = 512
_SATA_BYTES_PER_SECOND = 600_000_000


def virtual_facts(
    *,
    address: str,
    model: str,
    serial: str,
    core: _core.Drive,
    capabilities: frozenset[Capability],
    virtual: VirtualFacts,
) -> DriveFacts:
    """The facts that all virtual drives share; the caller adds the others. capabilities: added to the common ones."""
    return with_files(
        DriveFacts(
            address=address,
            kind_name="virtual drive",
            model=model,
            firmware="",
            serial=serial,
            user_bytes=core.user_bytes,
            time_cost=TimeCost.FREE,
            capabilities=capabilities | {Capability.BARE, Capability.STAMPED},
            sector_bytes=core.sector_bytes,
            raw_bytes=core.raw_bytes,
            file_room_ratio=_FILE_ROOM_RATIO,
            link_bytes_per_second=_SATA_BYTES_PER_SECOND,
            virtual=virtual,
        )
    )


def with_files(facts: DriveFacts) -> DriveFacts:
    """The same facts, with the file capabilities that follow from size and sectors: volumes are for files."""
    can = facts.capabilities - {Capability.FILES, Capability.VOLUMES}
    why_not: dict[Capability, str] = {}
    if facts.user_bytes < _SMALLEST_WITH_FILES_BYTES:
        too_small = "the drive is too small for a file system, which takes 64 MiB or more"
        why_not = {Capability.FILES: too_small, Capability.VOLUMES: too_small}
    else:
        can |= {Capability.FILES}
        if facts.sector_bytes == _SMALL_SECTOR_BYTES:
            can |= {Capability.VOLUMES}
        else:
            why_not[Capability.VOLUMES] = (
                f"the drive's own sectors have {facts.sector_bytes} B, and a file system with sectors of "
                f"{_SMALL_SECTOR_BYTES} B cannot be laid on them"
            )
    return replace(facts, capabilities=can, why_not={**facts.why_not, **why_not})
