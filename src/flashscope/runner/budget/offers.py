"""What an experiment would do at several sizes: the whole of it, and less, each with what it writes and takes.

    asked for    the extent of the run, as far as the experiment goes by itself
    less         shorter runs (quick), and both of these with at most so much written (`_RUNGS`, in drive-fills)

A size at which the experiment has no steps is no offer. Sizes that cost the same are one offer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.budget.allotted import steps_within
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.real_estimate import expected_s

_RUNGS = (1 / 1024, 1 / 256, 1 / 64, 1 / 24, 1 / 12, 1 / 4, 1 / 2, 1.0, 1.25, 1.5, 1.75, 2.5)


@dataclass(frozen=True)
class Offer:
    """What an experiment does with an effort. bytes_to_write: at most [bytes]. time_s: expected [s]."""

    effort: Effort
    bytes_to_write: int
    time_s: float


@dataclass(frozen=True)
class Candidate:
    """An experiment and its offers, from the one that tells least to the whole. tells: properties of a drive."""

    name: str
    tells: frozenset[str]
    offers: tuple[Offer, ...]

    @property
    def cheapest(self) -> Offer:
        """The offer that takes least time, and writes least of those."""
        return min(self.offers, key=lambda offer: (offer.time_s, offer.bytes_to_write))


def candidate(experiment: Experiment, facts: DriveFacts, effort: Effort, speed: DriveSpeed) -> Candidate | None:
    """The experiment with its offers; None when it has no steps at any size."""
    offers: dict[tuple[int, float], Offer] = {}
    for extent in dict.fromkeys((effort.extent, Extent.QUICK)):
        whole = _offer(experiment, facts, replace(effort, extent=extent), speed)
        rungs = [
            _offer(experiment, facts, replace(effort, extent=extent, most_bytes=int(rung * facts.user_bytes)), speed)
            for rung in _RUNGS
            if whole is None or rung * facts.user_bytes < whole.bytes_to_write
        ]
        for offer in (whole, *rungs):
            if offer is not None:
                offers.setdefault((offer.bytes_to_write, offer.time_s), offer)
    in_order = sorted(offers.values(), key=_how_much)
    return Candidate(experiment.name, experiment.tells, tuple(in_order)) if in_order else None


def _offer(experiment: Experiment, facts: DriveFacts, effort: Effort, speed: DriveSpeed) -> Offer | None:
    steps = steps_within(experiment, facts, effort)
    written = sum(step.bytes_to_write for step in steps)
    if not steps or (effort.most_bytes is not None and written > effort.most_bytes):
        return None
    return Offer(effort, written, expected_s(steps, speed))


def _how_much(offer: Offer) -> tuple[int, int, float]:
    """Longer runs tell more than shorter ones, and then larger spans."""
    return list(Extent).index(offer.effort.extent), offer.bytes_to_write, offer.time_s
