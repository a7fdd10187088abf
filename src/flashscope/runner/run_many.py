"""Several experiments on virtual drives side by side, one thread each, as many at once as there are cores.

    experiment A --> drive A --+
    experiment B --> drive B --+--> records, in the order of the experiments
    experiment C ... waits for a core

Every experiment has a new drive of its own, so other experiments do not change its record. Threads are enough: the
core releases Python's lock while it works. Progress is one bar over all experiments, by expected cost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.drive import Drive
from flashscope.records import Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.asked import Asked
from flashscope.runner.cost import expected_cost_s
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.runner.run import run_experiment
from flashscope.runner.workers import workers_for
from flashscope.store.store import Store

_LOOK_INTERVAL_S = 0.2


@dataclass(frozen=True)
class Several:
    """What all the runs have in common. open_drive: builds a new drive for each experiment.

    drive_bytes: the memory that each of these drives takes.
    why_no_more: given where the first experiment decides whether there is any sense in the others; it runs alone then,
    and they only when the answer is "".
    costs_s: what each experiment takes of a processor, where a plan was made; wall_s: all of them, by the clock.
    on_record: told of each record as it is finished, in the thread of its run.
    """

    open_drive: Callable[[], Drive]
    store_path: Path
    asked: Asked
    drive_bytes: int = 0
    why_no_more: Callable[[Record], str] | None = None
    costs_s: Sequence[float] | None = None
    wall_s: float | None = None
    on_record: Callable[[Record], None] = lambda record: None


def run_side_by_side(
    experiments: Sequence[Experiment],
    facts: DriveFacts,
    several: Several,
    *,
    progress: Progress,
    interruption: Interruption,
    workers: int = 0,
) -> list[Record]:
    """Run experiments on virtual drives; the records of all that began, in their order.

    facts: of each of the drives. A single experiment runs in this thread, with its own steps as the progress.
    workers: threads; 0 for as many as there are cores and memory for. The most expensive begin first.
    Raises what the first failing run raised (see `run_experiment`), once the others have been stopped.
    """
    if len(experiments) == 1:
        return [_run(experiments[0], several, progress, interruption)]
    with Store(several.store_path):  # made or refused before any thread needs it
        pass
    costs_s = several.costs_s or [
        sum(expected_cost_s(step, virtual=True) for step in experiment.steps(facts, several.asked.effort))
        for experiment in experiments
    ]
    shares = _Shares(costs_s, several.wall_s)
    progress.run_begins(f"{len(experiments)} experiments on {facts.address}", shares.as_step())
    progress.step_begins(0)
    records: dict[int, Record] = {}
    status = "stopped"

    def run(index: int) -> None:
        if interruption.requested_by is None:
            records[index] = _run(experiments[index], several, _Share(shares, index), interruption)

    order = sorted(range(len(experiments)), key=lambda index: -costs_s[index])
    try:
        with ThreadPoolExecutor(workers or workers_for(len(experiments), several.drive_bytes)) as pool:
            ended_on_purpose = False
            if several.why_no_more is not None:
                order.remove(0)
                _wait([pool.submit(run, 0)], shares, progress, interruption)
                ended_on_purpose = 0 in records and bool(several.why_no_more(records[0]))
            if not ended_on_purpose:
                _wait([pool.submit(run, index) for index in order], shares, progress, interruption)
        status = "done" if interruption.requested_by is None else "interrupted"
    finally:
        progress.run_ends(status)
    return [records[index] for index in sorted(records)]


def _wait(runs: Iterable[Future[None]], shares: _Shares, progress: Progress, interruption: Interruption) -> None:
    """Wait for these runs, and show meanwhile how far all are. Raises what the first failing one raised."""
    pending = set(runs)
    while pending:
        done, pending = wait(pending, timeout=_LOOK_INTERVAL_S, return_when=FIRST_COMPLETED)
        progress.advanced(shares.done_ratio(), 0, 0)
        for future in done:
            failure = future.exception()
            if failure is not None:
                interruption.request("the failure of another run")
                raise failure


def _run(experiment: Experiment, several: Several, progress: Progress, interruption: Interruption) -> Record:
    with Store(several.store_path, repeatable=True) as store:
        record = run_experiment(
            experiment,
            several.open_drive(),
            several.asked,
            store=store,
            progress=progress,
            interruption=interruption,
        )
    several.on_record(record)
    return record


class _Shares:
    """The progress of each run; written by their threads, read by the thread that draws."""

    def __init__(self, costs_s: Sequence[float], wall_s: float | None) -> None:
        self._costs_s = [max(cost, 1e-3) for cost in costs_s]
        self._wall_s = wall_s
        self._done_ratios = [0.0] * len(costs_s)
        self._lock = threading.Lock()

    def as_step(self) -> list[StepAhead]:
        if self._wall_s is None:
            return [StepAhead("all experiments", sum(self._costs_s))]
        return [StepAhead("all experiments", self._wall_s, in_seconds=True)]

    def tell(self, index: int, done_ratio: float) -> None:
        with self._lock:
            self._done_ratios[index] = done_ratio

    def done_ratio(self) -> float:
        with self._lock:
            done = sum(cost * ratio for cost, ratio in zip(self._costs_s, self._done_ratios, strict=True))
        return done / sum(self._costs_s)


class _Share:
    """The progress of one run among several: it only reports its share done."""

    def __init__(self, shares: _Shares, index: int) -> None:
        self._shares, self._index = shares, index
        self._costs_s: list[float] = []
        self._before_s = 0.0
        self._step = 0

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """Note what the steps cost."""
        self._costs_s = [step.cost_s for step in steps]

    def step_begins(self, index: int) -> None:
        """Note the cost of the steps that have ended."""
        self._step = index
        self._before_s = sum(self._costs_s[:index])

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Report the progress of this run."""
        done_s = self._before_s + share_ratio * self._costs_s[self._step]
        self._shares.tell(self._index, done_s / max(sum(self._costs_s), 1e-9))

    def step_ends(self, status: str, note: str) -> None:
        """Nothing."""

    def run_ends(self, status: str) -> None:
        """This run is over."""
        self._shares.tell(self._index, 1.0)
