"""A virtual drive seen from a later start, or with larger sectors (see `real/shifted.py`).

Its truth, its inside and its SMART are those of the whole drive, so that findings about the seen drive can be compared
with the truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flashscope.drives.addresses.modifiers import Modifiers
from flashscope.drives.real.shifted import jobs_below, seen_facts
from flashscope.drives.truth.capacity import seen_from
from flashscope.drives.virtual.facts import with_files
from flashscope.drives.virtual.in_virtual_time import InVirtualTime, SimulatedRun
from flashscope.records import SmartSnapshot, Table
from flashscope.workloads.file_system import Host, Trace
from flashscope.workloads.job import Job


class SeenInVirtualTime(InVirtualTime):
    """A virtual drive as it is seen. below: the drive itself, which keeps its truth and its inside."""

    def __init__(self, below: InVirtualTime, modifiers: Modifiers) -> None:
        self.below = below
        address = below.facts.address + "".join(modifier.text for modifier in modifiers)
        super().__init__(below.core, with_files(seen_facts(below.facts, modifiers, address=address)))

    @property
    def offset_bytes(self) -> int:
        """Where the seen drive begins on the drive below [bytes]."""
        return self.facts.offset_bytes

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> SimulatedRun:
        """Prepare jobs. Raises WrongUse when one does not fit the drive as it is seen."""
        return self.below.start(jobs_below(jobs, self.facts), sample_interval_ns)

    def start_file_work(self, trace: Trace, host: Host, sample_interval_ns: int) -> SimulatedRun:
        """Prepare programs that work on files, whose places on the drive are counted from its seen start."""
        extents = trace.extents.copy()
        extents[::2] += self.offset_bytes
        return self.below.start_file_work(replace(trace, extents=extents), host, sample_interval_ns)

    def lay_out(self, fill_ratio: float, *, overwritten: bool, zeros: bool) -> bool:
        """As for every virtual drive; False for a drive seen from a later start, so that the jobs are run."""
        return not self.offset_bytes and self.below.lay_out(fill_ratio, overwritten=overwritten, zeros=zeros)

    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        """Tell the drive that a range of the seen drive holds no data any more."""
        self.below.trim(offset_bytes + self.offset_bytes, length_bytes)

    def write_stamped(self, offset_bytes: int, length_bytes: int, stamp: int) -> str:
        """Write stamped sectors of the seen drive."""
        return self.below.write_stamped(offset_bytes + self.offset_bytes, length_bytes, stamp)

    def read_stamped(self, offset_bytes: int, length_bytes: int) -> tuple[str, list[int | None]]:
        """Read sectors of the seen drive with their stamps."""
        return self.below.read_stamped(offset_bytes + self.offset_bytes, length_bytes)

    def secure_erase(self) -> None:
        """Bring the whole drive back to its first state, also what lies before the seen start."""
        self.below.secure_erase()

    def idle(self, duration_ns: int) -> None:
        """Let virtual time pass."""
        self.below.idle(duration_ns)

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        """All attributes, which are those of the whole drive."""
        return self.below.read_smart(elapsed_ns)

    def truth(self) -> dict[str, Any]:
        """What is inside the whole drive; of its capacity, what lies behind the seen start."""
        return seen_from(self.below.truth(), self.offset_bytes)

    def inside(self) -> Table:
        """One row per erase block of the whole drive."""
        return self.below.inside()

    def resolved_part(self) -> dict[str, Any]:
        """The complete configuration of the drive below; the facts say how it is seen."""
        return self.below.resolved_part()
