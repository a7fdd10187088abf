"""The runner's hands for a drive that has only an engine of its own: jobs and idle time, in real time.

All other steps are skipped with the reason: such a drive has no SMART, takes no trim and holds no files. A drive that
can do more gets its own hands, like a virtual drive or a directory.
"""

from __future__ import annotations

import time
from typing import assert_never

from flashscope.drives.drive import Drive
from flashscope.records import SmartSnapshot, Status
from flashscope.runner.engines.engine import Engine
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.loading import as_they_are, load
from flashscope.runner.hands.rest import rest
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)


class EngineHands:
    """Carries out what an engine alone can do."""

    def __init__(self, drive: Drive, engine: Engine) -> None:
        self._drive = drive
        self._engine = engine
        self._began_ns = time.monotonic_ns()

    def now_ns(self) -> int:
        """Time since the run began [ns]."""
        return time.monotonic_ns() - self._began_ns

    def perform(self, step: Step, on_progress: OnProgress) -> Outcome:
        """Run jobs and wait; skip the rest."""
        match step:
            case Workload():
                return load(step, self._engine, _no_smart, on_progress, as_they_are)
            case Idle():
                rest(step.duration_ns, on_progress)
                return Outcome()
            case ReadSmart() | Trim() | SecureErase() | FileWork() | FormStripe() | ReadMembers() | CheckPlaces():
                address = self._drive.facts.address
                return Outcome(Status.SKIPPED, f"{address} takes jobs alone; a {step.kind.value} is not for it")
        assert_never(step)

    def versions(self) -> dict[str, str]:
        """What the engine uses."""
        return self._engine.versions()


def _no_smart(elapsed_ns: int) -> SmartSnapshot | None:
    return None
