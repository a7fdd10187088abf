"""What a run would write, wear and take. Making a plan touches nothing.

bytes           expected, and the upper bounds that the steps state
drive fills     expected bytes written / capacity shown to the host
erase cycles    expected bytes written / raw flash, at a write amplification of 1: the least it can be
times           `virtual_estimate.py`, `real_estimate.py`: expected, with a range
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flashscope import units
from flashscope.records import Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.runner.probe import Probe, Seen
from flashscope.runner.real_estimate import ASSUMED, assumed, by_speed, from_record
from flashscope.runner.run import check_steps
from flashscope.runner.time_estimate import Estimate, TimeRange, side_by_side, together
from flashscope.runner.virtual_estimate import estimates_side_by_side
from flashscope.runner.workers import workers_for
from flashscope.store.store import Store
from flashscope.workloads.steps import Step

_MOST_PROBES = 4  # each builds a drive, which soon costs more than it saves


@dataclass(frozen=True)
class ExperimentPlan:
    """What one experiment would do.

    bytes_to_write, bytes_to_read: upper bounds [bytes]. expected_bytes_to_write, expected_bytes_to_read: less where
    loads are ended by time. drive_fills: of the expected bytes [ratio].
    erase_cycles_at_least: mean program/erase cycles per block at a write amplification of 1, of the expected bytes.
    rated_life_ratio: share of the rated cycles that this uses at least; None when the rating is unknown.
    simulated_time: on the drive's clock, None for a real drive. wall_time: on ours; of one virtual drive it is the time
    of one processor. processor_time: of all together, None for a real drive.
    """

    name: str
    title: str
    steps: tuple[str, ...]
    destructive: bool
    bytes_to_write: int
    bytes_to_read: int
    expected_bytes_to_write: int
    expected_bytes_to_read: int
    drive_fills: float
    erase_cycles_at_least: float
    rated_life_ratio: float | None
    simulated_time: TimeRange | None
    processor_time: TimeRange | None
    wall_time: TimeRange


@dataclass(frozen=True)
class Plan:
    """What a set of experiments would do to one drive. assumptions: the sentences on which the numbers are based.

    workers: experiments that run at once; more than one on virtual drives only.
    """

    facts: DriveFacts
    experiments: tuple[ExperimentPlan, ...]
    assumptions: tuple[str, ...]
    workers: int = 1

    @property
    def destructive(self) -> bool:
        """True when any experiment writes or trims."""
        return any(each.destructive for each in self.experiments)

    @property
    def is_assumed(self) -> bool:
        """True when a time rests on assumed rates."""
        return any(each.wall_time.basis == ASSUMED for each in self.experiments)

    @property
    def total(self) -> ExperimentPlan:
        """All experiments together, under the name "total"; wall time of experiments side by side counts once."""
        lives = [each.rated_life_ratio for each in self.experiments if each.rated_life_ratio is not None]
        simulated = [each.simulated_time for each in self.experiments if each.simulated_time is not None]
        processor = [each.processor_time for each in self.experiments if each.processor_time is not None]
        return ExperimentPlan(
            name="total",
            title="total",
            steps=tuple(step for each in self.experiments for step in each.steps),
            destructive=self.destructive,
            bytes_to_write=sum(each.bytes_to_write for each in self.experiments),
            bytes_to_read=sum(each.bytes_to_read for each in self.experiments),
            expected_bytes_to_write=sum(each.expected_bytes_to_write for each in self.experiments),
            expected_bytes_to_read=sum(each.expected_bytes_to_read for each in self.experiments),
            drive_fills=sum(each.drive_fills for each in self.experiments),
            erase_cycles_at_least=sum(each.erase_cycles_at_least for each in self.experiments),
            rated_life_ratio=sum(lives) if lives else None,
            simulated_time=together(simulated) if simulated else None,
            processor_time=together(processor) if processor else None,
            wall_time=side_by_side([each.wall_time for each in self.experiments], self.workers),
        )


def make_plan(
    experiments: Sequence[Experiment],
    facts: DriveFacts,
    *,
    effort: Effort = STANDARD,
    scratch: Callable[[], VirtualDrive] | None = None,
    store: Store | None = None,
    drive_bytes: int = 0,
    speed: DriveSpeed | None = None,
    start_s: float | None = None,
) -> Plan:
    """The plan of experiments on a drive of which only the facts are known.

    effort: how far the experiments may go.
    scratch: makes a fresh copy of a virtual drive for probing; needed in virtual time.
    store: where earlier records of a real drive are looked for.
    drive_bytes: the memory that each virtual drive takes. speed: of a real drive, when it was measured.
    start_s: how long fio takes to start here, when it was measured [s].
    Raises WrongUse when a step does not fit the drive.
    """
    steps = [experiment.steps(facts, effort) for experiment in experiments]
    for of_one in steps:
        check_steps(of_one, facts)
    if scratch is not None:
        workers = workers_for(len(steps), drive_bytes)
        seen = Seen()
        probes = [Probe(scratch, facts.user_bytes, seen) for _ in range(min(workers, _MOST_PROBES))]
        estimates = estimates_side_by_side(steps, facts, probes)
    else:
        earlier = _Earlier(facts, store)
        estimates = [
            earlier.estimate(experiment, of_one)
            or (assumed(of_one, facts, start_s) if speed is None else by_speed(of_one, facts, speed))
            for experiment, of_one in zip(experiments, steps, strict=True)
        ]
        workers = 1
    plans = tuple(
        _plan(experiment, of_one, estimate, facts)
        for experiment, of_one, estimate in zip(experiments, steps, estimates, strict=True)
    )
    return Plan(facts, plans, _assumptions(plans, facts, drive_bytes, workers), workers)


def _assumptions(plans: Sequence[ExperimentPlan], facts: DriveFacts, drive_bytes: int, workers: int) -> tuple[str, ...]:
    flash_bytes = facts.raw_bytes or facts.user_bytes
    assumptions = [
        f"erase cycles are bytes written / {'raw flash' if facts.raw_bytes else 'capacity (raw flash is unknown)'} "
        f"of {units.format_bytes_binary(flash_bytes)}, at a write amplification of 1: the least it can be",
        *dict.fromkeys(each.wall_time.basis for each in plans),
    ]
    if drive_bytes:
        assumptions.append(f"memory for drives: up to {units.format_bytes_binary(drive_bytes * workers)}")
    if workers > 1:
        assumptions.append(f"{workers} experiments run at once, so the total is shorter than the sum")
    return tuple(assumptions)


def _plan(experiment: Experiment, steps: list[Step], estimate: Estimate, facts: DriveFacts) -> ExperimentPlan:
    cycles = estimate.written_bytes / (facts.raw_bytes or facts.user_bytes)
    return ExperimentPlan(
        name=experiment.name,
        title=experiment.title,
        steps=tuple(step.name for step in steps),
        destructive=any(step.destructive for step in steps),
        bytes_to_write=sum(step.bytes_to_write for step in steps),
        bytes_to_read=sum(step.bytes_to_read for step in steps),
        expected_bytes_to_write=estimate.written_bytes,
        expected_bytes_to_read=estimate.read_bytes,
        drive_fills=estimate.written_bytes / facts.user_bytes,
        erase_cycles_at_least=cycles,
        rated_life_ratio=cycles / facts.rated_pe_cycles if facts.rated_pe_cycles else None,
        simulated_time=estimate.simulated,
        processor_time=None if estimate.simulated is None else estimate.time,
        wall_time=estimate.time,
    )


class _Earlier:
    """Complete records of the same real drive; the newest of an experiment counts."""

    def __init__(self, facts: DriveFacts, store: Store | None) -> None:
        self._facts, self._store = facts, store
        self._newest: dict[str, str] = {}
        for summary in store.list() if store else ():
            if (summary.drive, summary.status) == (facts.address, Status.DONE):
                self._newest[summary.experiment] = summary.id

    def estimate(self, experiment: Experiment, steps: list[Step]) -> Estimate | None:
        """From the record of that experiment, if there is one with these steps."""
        if self._store is None or experiment.name not in self._newest:
            return None
        earlier = self._store.load_sound(self._newest[experiment.name])
        same = ("model", "serial", "user_bytes")
        if earlier and all(getattr(earlier.drive_facts, key) == getattr(self._facts, key) for key in same):
            return from_record(steps, earlier)
        return None
