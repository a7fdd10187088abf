"""A drive seen through modifiers: from a later start (a partition), or with larger sectors (emulation).

    drive      |0--------|---------------------------------------|  512 B sectors
    @offset              |0--------------------------------------|  the same sectors, counted from there
    @sector              |0..............................|          whole sectors of 4096 B only

`SeenRealDrive` is a file or a block device; for virtual drives see `virtual/shifted.py`. Requests of jobs are moved by
the offset and checked against the sector before any is made. Nothing is rounded to fit, since a drive does not round
either. The inside of the drive, its SMART and its secure erase are those of the whole drive.
Not modelled here: drivers that read, change and write back a sector when a request is too small (512e).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flashscope.drives.addresses.modifiers import Modifiers
from flashscope.drives.drive import RealDrive
from flashscope.drives.held.held import Held
from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts, SeenPart
from flashscope.workloads.job import BlockSizes, Job


def seen_facts(facts: DriveFacts, modifiers: Modifiers, *, address: str = "") -> DriveFacts:
    """The facts of a drive as it is seen through its modifiers, applied from left to right.

    Adds `partition`: where the seen drive begins on the drive below, and the sectors of the drive below.
    address: of the drive as it is seen; by default that of the drive below.
    Raises WrongUse when an offset is not a whole number of sectors or lies beyond the end, or when a sector is smaller
    than the drive's.
    """
    offset_bytes, sector_bytes, user_bytes = 0, facts.sector_bytes, facts.user_bytes
    for modifier in modifiers:
        if modifier.name == "offset":
            _check_offset(modifier.value, sector_bytes, user_bytes, f"{facts.address}: {modifier.text}")
            offset_bytes, user_bytes = offset_bytes + modifier.value, user_bytes - modifier.value
        else:
            if modifier.value < sector_bytes:
                raise WrongUse(
                    f"{facts.address}: {modifier.text} is below the drive's own sectors of {sector_bytes} B",
                    accepted=f"{sector_bytes} B or more",
                    advice="a drive can be shown with larger sectors than it has, not with smaller ones",
                )
            sector_bytes = modifier.value
    user_bytes -= user_bytes % sector_bytes
    if user_bytes == 0:
        raise WrongUse(f"{facts.address} has no whole sector of {sector_bytes} B", advice="take a larger drive")
    return replace(
        facts,
        address=address or facts.address,
        user_bytes=user_bytes,
        sector_bytes=sector_bytes,
        partition=SeenPart(offset_bytes, facts.sector_bytes),
    )


def jobs_below(jobs: Sequence[Job], facts: DriveFacts) -> list[Job]:
    """The jobs of a seen drive, converted for the drive below; unchanged without modifiers.

    Raises WrongUse when a job reaches beyond the seen drive, or makes requests that are not whole sectors of it.
    """
    if facts.partition is None:
        return list(jobs)
    offset_bytes = facts.offset_bytes
    placed = []
    for job in jobs:
        size_bytes = job.size_bytes or facts.user_bytes - job.offset_bytes
        _check_job(job, size_bytes, facts)
        placed.append(replace(job, offset_bytes=job.offset_bytes + offset_bytes, size_bytes=size_bytes))
    return placed


def _check_offset(offset_bytes: int, sector_bytes: int, user_bytes: int, who: str) -> None:
    if offset_bytes % sector_bytes:
        below = offset_bytes // sector_bytes * sector_bytes
        raise WrongUse(
            f"{who} is {offset_bytes} B, not a whole number of sectors of {sector_bytes} B",
            accepted=f"a multiple of {sector_bytes} B",
            advice=f"the nearest are @offset={below}B and @offset={below + sector_bytes}B",
        )
    if offset_bytes >= user_bytes:
        raise WrongUse(
            f"{who} is {offset_bytes} B, but there are {user_bytes} B", accepted=f"an offset below {user_bytes} B"
        )


def _check_job(job: Job, size_bytes: int, facts: DriveFacts) -> None:
    sector_bytes = facts.sector_bytes
    wrong = [
        f"{name} is {value}"
        for name, value in [("offset", job.offset_bytes), ("size", size_bytes), *_sizes_of(job)]
        if value % sector_bytes
    ]
    if wrong:
        raise WrongUse(
            f"{facts.address}: job [{job.name}]: {', '.join(wrong)}, and the drive shows sectors of {sector_bytes} B",
            accepted=f"multiples of {sector_bytes} B",
            advice="change the job's offset, size, bs or blockalign; the drive refuses the rest",
        )
    if size_bytes <= 0 or job.offset_bytes + size_bytes > facts.user_bytes:
        raise WrongUse(
            f"{facts.address}: job [{job.name}] ends at {job.offset_bytes + size_bytes} B, but the drive seen has "
            f"{facts.user_bytes} B",
            accepted=f"offset and size that end at or before {facts.user_bytes} B",
            advice="make the job smaller; nothing was written",
        )


def _sizes_of(job: Job) -> list[tuple[str, int]]:
    """Every size and grid of the requests that a job makes."""
    made: list[BlockSizes] = []
    mixed = job.direction in ("rw", "randrw")
    if mixed or "read" in job.direction:
        made.append(job.read_sizes)
    if mixed or "write" in job.direction:
        made.append(job.write_sizes)
    if "trim" in job.direction:
        made.append(job.trim_sizes)
    found = []
    for sizes in made:
        found += [("bs", size) for size in sizes.range_bytes or [size for size, _ in sizes.weighted]]
        found.append(("blockalign", sizes.align_bytes))
    return found


class SeenRealDrive:
    """A file or a block device as it is seen; the guard still protects all of it."""

    def __init__(self, below: RealDrive, modifiers: Modifiers) -> None:
        self.below = below
        self.facts = seen_facts(below.facts, modifiers)

    @property
    def held(self) -> Held:
        """See `drive.RealDrive.held`: the whole of the drive below."""
        return self.below.held

    def guard_again(self) -> None:
        """See `drive.RealDrive.guard_again`."""
        self.below.guard_again()

    def abandon(self) -> None:
        """See `drive.RealDrive.abandon`."""
        self.below.abandon()

    def close(self) -> None:
        """Release the drive."""
        self.below.close()
