"""The hands of the runner, which carry out a step on a drive.

Hands          the protocol: perform a step, give the time, name the programs used
virtual.py     on a virtual drive, in virtual time, slice by slice
real.py        on a file or a block device, by fio and smartctl
files/hands.py  on a directory: programs on real files, and fio on a test file
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from flashscope.records import Doubt, Glass, SmartSnapshot, Status, Table, WorkloadResult
from flashscope.workloads.steps import Step

OnProgress = Callable[[int, int], None]
"""Called with (bytes moved, elapsed ns) since the step began; raises Interrupted when the run is to stop."""


@dataclass(frozen=True)
class Outcome:
    """How a step ended and what it measured. note: the reason, when it is not DONE. glass: looks inside.

    smart_series: SMART read meanwhile, as in `StepRecord`.
    doubts: about the measurement; the runner keeps them with the record.
    members: one row for each member of an array. places: one row for each place that was written and read back.
    """

    status: Status = Status.DONE
    note: str = ""
    workload: WorkloadResult | None = None
    smart: SmartSnapshot | None = None
    glass: Glass | None = None
    smart_series: Table | None = None
    doubts: tuple[Doubt, ...] = ()
    members: Table | None = None
    places: Table | None = None


class Hands(Protocol):
    """What the runner needs of a drive. The clock starts at 0 when the hands are made."""

    def now_ns(self) -> int:
        """Time since the run began, on the drive's clock [ns]."""

    def perform(self, step: Step, on_progress: OnProgress) -> Outcome:
        """Carry a step out.

        A step that this drive cannot take is SKIPPED; one that a person stopped is INTERRUPTED, with what it
        measured until then. Raises DriveFailed when the drive, or a program that loads it, fails.
        """

    def versions(self) -> dict[str, str]:
        """The programs that were used, name -> version."""
