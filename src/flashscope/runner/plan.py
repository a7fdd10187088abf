"""What a run would write, wear and take. Making a plan touches nothing.

bytes           upper bounds, stated by the steps
drive fills     bytes written / capacity shown to the host
erase cycles    bytes written / raw flash, at a write amplification of 1: the least it can be
times           `time_estimate.py`
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flashscope import units
from flashscope.records import Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.store import Store
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.runner.probe import Probe
from flashscope.runner.run import check_steps
from flashscope.runner.time_estimate import TimeRange, assume_real, from_record, probe_virtual, side_by_side
from flashscope.runner.workers import workers_for
from flashscope.workloads.steps import Step


@dataclass(frozen=True)
class ExperimentPlan:
    """What one experiment would do.

    bytes_to_write, bytes_to_read: upper bounds [bytes]. drive_fills: ratio.
    erase_cycles_at_least: mean program/erase cycles per block at a write amplification of 1.
    rated_life_ratio: share of the rated cycles that this uses at least; None when the rating is unknown.
    simulated_time: on the drive's clock, None for a real drive. wall_time: on ours.
    """

    name: str
    title: str
    steps: tuple[str, ...]
    destructive: bool
    bytes_to_write: int
    bytes_to_read: int
    drive_fills: float
    erase_cycles_at_least: float
    rated_life_ratio: float | None
    simulated_time: TimeRange | None
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
    def total(self) -> ExperimentPlan:
        """All experiments together, under the name "total"; wall time of experiments side by side counts once."""
        lives = [each.rated_life_ratio for each in self.experiments if each.rated_life_ratio is not None]
        simulated = [each.simulated_time for each in self.experiments if each.simulated_time is not None]
        return ExperimentPlan(
            name="total",
            title="total",
            steps=tuple(step for each in self.experiments for step in each.steps),
            destructive=self.destructive,
            bytes_to_write=sum(each.bytes_to_write for each in self.experiments),
            bytes_to_read=sum(each.bytes_to_read for each in self.experiments),
            drive_fills=sum(each.drive_fills for each in self.experiments),
            erase_cycles_at_least=sum(each.erase_cycles_at_least for each in self.experiments),
            rated_life_ratio=sum(lives) if lives else None,
            simulated_time=_sum(simulated) if simulated else None,
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
) -> Plan:
    """The plan of experiments on a drive of which only the facts are known.

    effort: how far the experiments may go.
    scratch: makes a fresh copy of a virtual drive for probing; needed in virtual time.
    store: where earlier records of a real drive are looked for.
    drive_bytes: the memory that each virtual drive takes.
    Raises WrongUse when a step does not fit the drive.
    """
    plans = []
    probe = None if scratch is None else Probe(scratch, facts.user_bytes)
    for experiment in experiments:
        steps = experiment.steps(facts, effort)
        check_steps(steps, facts)
        plans.append(_plan(experiment, steps, facts, probe, store))
    workers = 1 if probe is None else workers_for(len(plans), drive_bytes)
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
    return Plan(facts, tuple(plans), tuple(assumptions), workers)


def _plan(
    experiment: Experiment,
    steps: list[Step],
    facts: DriveFacts,
    probe: Probe | None,
    store: Store | None,
) -> ExperimentPlan:
    written = sum(step.bytes_to_write for step in steps)
    cycles = written / (facts.raw_bytes or facts.user_bytes)
    simulated: TimeRange | None = None
    if probe is not None:
        simulated, wall = probe_virtual(steps, probe)
    else:
        wall = _from_store(experiment, steps, facts, store) or assume_real(steps)
    return ExperimentPlan(
        name=experiment.name,
        title=experiment.title,
        steps=tuple(step.name for step in steps),
        destructive=any(step.destructive for step in steps),
        bytes_to_write=written,
        bytes_to_read=sum(step.bytes_to_read for step in steps),
        drive_fills=written / facts.user_bytes,
        erase_cycles_at_least=cycles,
        rated_life_ratio=cycles / facts.rated_pe_cycles if facts.rated_pe_cycles else None,
        simulated_time=simulated,
        wall_time=wall,
    )


def _from_store(experiment: Experiment, steps: list[Step], facts: DriveFacts, store: Store | None) -> TimeRange | None:
    """From the newest complete record of the same experiment on the same drive, if there is one."""
    for summary in reversed(store.list() if store else ()):
        if (summary.experiment, summary.drive, summary.status) == (experiment.name, facts.address, Status.DONE):
            earlier = store.load_sound(summary.id) if store else None
            same = ("model", "serial", "user_bytes")
            if earlier and all(getattr(earlier.drive_facts, key) == getattr(facts, key) for key in same):
                return from_record(steps, earlier)
    return None


def _sum(ranges: Sequence[TimeRange]) -> TimeRange:
    total = TimeRange(0, 0, "")
    for each in ranges:
        total = total.plus(each)
    return total
