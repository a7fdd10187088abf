"""What an engine is: it loads one drive with jobs, and returns what they measured.

    Load: jobs, sample interval, how often to look  --run()-->  Loaded: result, who stopped it, why the drive ended it
                                                      |
                                                 watch(bytes, ns) during the load: progress, SMART, a stop

fio is one engine (`fio/engine.py`), a virtual drive in virtual time another (`virtual_time.py`). Code that runs jobs
(the hands of the runner, an endurance run, its figures) gets the engine of a drive from `choose.py` and knows no more.
Rounds until steady, series of SMART and the record are the same for all of them (`runner/hands/loading.py`).
Not done by engines: steps without jobs (idle time, trim, SMART), the guard, and the life of a virtual drive
(`endurance/life.py`), which the core wears out by whole drive writes and not by jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from flashscope.records import Doubt, Status, WorkloadResult
from flashscope.workloads.job import Job

Watch = Callable[[int, int], None]
"""Called with (bytes moved, elapsed ns) since the load began; raises Interrupted when the load is to stop."""


@dataclass(frozen=True)
class Load:
    """The input of an engine. Jobs of one group run together, groups one after another, as in fio.

    sample_interval_ns: length of a row of the series; an engine that cannot measure so often takes its shortest.
    look_every_bytes: call `watch` several times each time so many bytes were moved, at moments that do not depend on
    the speed of this machine; 0: at any moments. An engine that cannot choose the moments calls it at any.
    by_job: the result also says what each job did over time, if the engine can.
    """

    jobs: Sequence[Job]
    sample_interval_ns: int
    look_every_bytes: int = 0
    by_job: bool = False


@dataclass(frozen=True)
class Loaded:
    """The results of a load, also of one that ended early.

    stopped: why a person stopped it, empty otherwise. ended: why the drive ended the jobs before they were done.
    """

    result: WorkloadResult
    stopped: str = ""
    ended: str = ""

    @property
    def status(self) -> Status:
        """How the load ended."""
        return Status.INTERRUPTED if self.stopped else Status.FAILED if self.ended else Status.DONE

    @property
    def why(self) -> str:
        """Why it ended early, "" when it was done."""
        return self.stopped or self.ended


class Engine(Protocol):
    """Loads the drive that it was made for."""

    def run(self, load: Load, watch: Watch) -> Loaded:
        """Run the jobs to their end.

        An exception of `watch` stops the load: an engine that knows what was measured until then returns it with
        `stopped`; any other engine lets Interrupted pass.
        Raises WrongUse when the jobs do not fit the drive, DriveFailed when the drive or the engine fails.
        """

    def doubts_about(self, jobs: Sequence[Job]) -> tuple[Doubt, ...]:
        """How this engine deviates from the jobs; one doubt for each deviation."""

    def versions(self) -> dict[str, str]:
        """The programs it uses beside flashscope, name -> version, for the record."""
