"""What experiments on files share: who can take them, how much room there is, how long a step took."""

from __future__ import annotations

from flashscope.records import Status, StepRecord
from flashscope.records.drive_facts import DriveFacts


def file_room_bytes(facts: DriveFacts) -> int:
    """Room for files [bytes]: without what a file system that is still to be made takes."""
    return int(facts.user_bytes * facts.file_room_ratio)


def synced_s(step: StepRecord | None) -> float | None:
    """How long a step took until everything was on the drive [s]; None when it did not come to its end."""
    return _total_s(step, "synced_ns")


def ended_s(step: StepRecord | None) -> float | None:
    """How long a step took until its last program had ended [s]; None when it did not come to its end."""
    return _total_s(step, "programs_ended_ns")


def total(step: StepRecord | None, name: str) -> int:
    """A total of a step; 0 when there is none."""
    return 0 if step is None or step.workload is None else step.workload.totals.get(name, 0)


def _total_s(step: StepRecord | None, name: str) -> float | None:
    if step is None or step.status is not Status.DONE or step.workload is None:
        return None
    return step.workload.totals.get(name, step.workload.duration_ns) / 1e9
