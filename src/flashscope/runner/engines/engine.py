"""What an engine is: it loads one drive with jobs, and says what they measured.

    Load: jobs, sample interval, how often to look  --run()-->  Loaded: result, who stopped it, why the drive ended it
                                                      |
                                                 watch(bytes, ns) all along: progress, SMART in between, a stop

fio is one engine (`fio/engine.py`), a virtual drive in its own time another (`virtual_time.py`). Whoever runs jobs -
the hands of the runner, an endurance run, its figures - asks `choose.py` for the engine of a drive and knows no more.
Rounds until steady, series of SMART and the record are the same for all of them (`runner/hands/loading.py`).
Not an engine's matter: steps that are no jobs (idle time, trim, SMART), the guard, and the life of a virtual drive
(`endurance/life.py`), which the core wears in strides of whole drives and not by jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from flashscope.records import Doubt, WorkloadResult
from flashscope.workloads.job import Job

Watch = Callable[[int, int], None]
"""Called with (bytes moved, elapsed ns) since the load began; raises Interrupted when the load is to stop."""


@dataclass(frozen=True)
class Load:
    """What an engine is given. Jobs of one group run together, groups one after another, as in fio.

    sample_interval_ns: length of a row of the series; an engine that cannot look so often takes its shortest.
    look_every_bytes: `watch` is wanted several times each time so much was moved, at places that do not depend on how
    fast this machine is; 0: now and then. An engine that cannot choose looks now and then.
    """

    jobs: Sequence[Job]
    sample_interval_ns: int
    look_every_bytes: int = 0


@dataclass(frozen=True)
class Loaded:
    """What a load measured, also when it was ended early.

    stopped: why a person stopped it, empty otherwise. ended: why the drive ended the jobs before they were done.
    """

    result: WorkloadResult
    stopped: str = ""
    ended: str = ""


class Engine(Protocol):
    """Loads the one drive that it was made for."""

    def run(self, load: Load, watch: Watch) -> Loaded:
        """Run the jobs to their end.

        What `watch` raises stops the load: an engine that can still say what was measured until then returns it with
        `stopped`, another one lets Interrupted pass.
        Raises WrongUse when the jobs do not fit the drive, DriveFailed when the drive or the engine fails.
        """

    def doubts_about(self, jobs: Sequence[Job]) -> tuple[Doubt, ...]:
        """What this engine does otherwise than the jobs say; one doubt for each."""

    def versions(self) -> dict[str, str]:
        """The programs it uses beside flashscope, name -> version, for the record."""
