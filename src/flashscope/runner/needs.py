"""What an experiment asks of a drive, and which of it is missing: the reason why it is left out.

    needs = Needs(Capability.FILES, writes=True)
    needs.missing(facts, effort)   ->   "the drive holds no files; mount ..."

An experiment names capabilities, sizes and efforts, never a kind of drive. A drive that satisfies all of them may still
be too small for the least amount of work; then the experiment gives no steps, and `why_left_out` says so.
"""

from __future__ import annotations

from typing import Protocol

from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import Effort, Extent
from flashscope.units import format_bytes
from flashscope.workloads.steps import Step

_QUICK_BYTES = 120 * 10**9  # written at 200 MB/s in ten minutes
_EXTENTS = tuple(Extent)
_ANY_EXTENT = PerTimeCost(Extent.QUICK, Extent.QUICK, Extent.QUICK)


class Needs:
    """What an experiment asks for.

    capabilities: all of these. writes: it needs writes. least_bytes: size of the drive.
    least_extent: the smallest useful extent, by what time costs.
    quick_fills: how often the whole drive is written even with --quick, so that the drive must be small.
    """

    def __init__(
        self,
        *capabilities: Capability,
        writes: bool = False,
        least_bytes: int = 0,
        least_extent: PerTimeCost[Extent] = _ANY_EXTENT,
        quick_fills: float = 0.0,
    ) -> None:
        self.capabilities = capabilities
        self.writes = writes
        self.least_bytes = least_bytes
        self.least_extent = least_extent
        self.quick_fills = quick_fills

    def missing(self, facts: DriveFacts, effort: Effort) -> str:
        """Why the experiment cannot be run so, as a clause; "" when nothing is missing."""
        reasons = [facts.why_it_cannot(capability) for capability in self.capabilities if not facts.can(capability)]
        if reasons:
            return "; ".join(dict.fromkeys(reasons))
        if facts.user_bytes < self.least_bytes:
            return f"the drive has {format_bytes(facts.user_bytes)}, and {format_bytes(self.least_bytes)} are the least"
        if effort.read_only and self.writes:
            return "it writes"
        least = self._least_extent(facts)
        if _EXTENTS.index(effort.extent) >= _EXTENTS.index(least):
            return ""
        how = "with --full" if least is Extent.FULL else "without --quick"
        return f"it takes long on a {facts.kind_name} of this size; run it {how}"

    def _least_extent(self, facts: DriveFacts) -> Extent:
        least = facts.per_time(self.least_extent)
        long = not facts.in_virtual_time and self.quick_fills * facts.user_bytes > _QUICK_BYTES
        return Extent.STANDARD if long and least is Extent.QUICK else least


class Asking(Protocol):
    """The part of an experiment (`experiment.py`) that is used here."""

    @property
    def question(self) -> str:
        """What it answers."""

    @property
    def needs(self) -> Needs:
        """What it asks for."""

    def steps(self, facts: DriveFacts, effort: Effort) -> list[Step]:
        """What it would do."""


def why_left_out(experiment: Asking, facts: DriveFacts, effort: Effort) -> str:
    """Why an experiment does nothing on this drive, as a clause; "" when it has steps."""
    if experiment.steps(facts, effort):
        return ""
    missing = experiment.needs.missing(facts, effort)
    if missing and effort.read_only and not experiment.needs.missing(facts, Effort(effort.extent)):
        return f"{missing}, so this question stays open: {experiment.question}"
    return missing or f"{format_bytes(facts.user_bytes)} are too small for it"
