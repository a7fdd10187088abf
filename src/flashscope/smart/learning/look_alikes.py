"""Counters that move much as an erase counter does, and are none: power losses, and wear in 1/1024 per cent.

    power losses    some of the power cycles: never more of them than cycles, over the life and in each interval
    1/1024 %        102,400 of them for each rating of erases, so tens of them for each fill of the drive; divided by
                    1024 it is the per cent used. Where 226, 227 and 228 stand side by side they are the workload timers
                    of Intel's drives, which other makers took over; like the hours in attribute 9 they are looked up.

They are meanings as the others are: they take their share of the belief, so that less is left for erases.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.conventions import TIMED_WEAR_ID, WORKLOAD_TIMER_IDS, is_usual_place, place_evidence
from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.evidence import Case, Evidence
from flashscope.smart.learning.hypothesis import Hypothesis
from flashscope.smart.learning.likelihood import above_chance, normal
from flashscope.smart.learning.movement import Drivers, movement

LOSSES_KEY, TIMED_WEAR_KEY = "unexpected_power_loss_count", "timed_wear_percent"
TIMED_WEAR_SCALE = 1 / 1024

_LOSSES_PER_CYCLE = (math.log(0.2), 1.0)
_TIMED_WEAR_PER_FILL = (math.log(50), 1.2)
"""ln of power losses per power cycle, and of counts of 1/1024 % per fill of the drive (1.5 erases of 3000 rated), with
their spread."""


def power_loss_case(counter: Counter, cycles: Counter | None) -> Case | None:
    """Whether a growing counter may count power losses; None where it cannot. cycles: the count of power cycles."""
    if cycles is None or counter.growth <= 0 or cycles.growth <= 0 or counter.id == cycles.id:
        return None
    if counter.values[-1] > cycles.values[-1]:
        return None
    if any(step > of_cycles for step, of_cycles in zip(counter.steps, cycles.steps, strict=True)):
        return None
    ratio = counter.growth / cycles.growth
    fit = above_chance(normal(math.log(ratio), *_LOSSES_PER_CYCLE))
    moved = counter.moved_count
    within = f"grew {moved} times, each time by no more than the power cycles did"
    parts = (
        _place(LOSSES_KEY, counter),
        Evidence(max(fit, -6.0), f"{ratio:.2g} for each power cycle"),
        Evidence(min(0.4 * moved, 2.0), within),
    )
    return Case(parts)


def timed_wear_case(
    counter: Counter, axis: Axis, user_bytes: int, drivers: Drivers, used: Sequence[Sequence[float]]
) -> Case | None:
    """Whether a growing counter may count wear in 1/1024 per cent; None where nothing was written.

    used: each column of per cent used that the drive states, one number for each reading.
    """
    if axis.growth <= 0 or counter.growth <= 0:
        return None
    slope = counter.growth / (axis.growth / user_bytes)
    fit = above_chance(normal(math.log(slope), *_TIMED_WEAR_PER_FILL))
    parts = [_place(TIMED_WEAR_KEY, counter), Evidence(max(fit, -8.0), f"{slope:.3g} per fill of the drive")]
    if any(_are_its_upper_bits(counter, column) for column in used):
        parts.append(Evidence(4.0, "divided by 1024 it is the per cent used at every reading"))
    return Case((*parts, *movement(counter, axis, drivers)))


def _are_its_upper_bits(counter: Counter, used: Sequence[float]) -> bool:
    """Whether a count of 1/1024 % agrees with a percentage at every reading, and the percentage moved."""
    return len(set(used)) > 1 and all(
        abs(count / 1024 - percent) <= 1.01 for count, percent in zip(counter.values, used, strict=True)
    )


def _place(key: str, counter: Counter) -> Evidence:
    usual = is_usual_place(key, counter.id)
    words = "kept where several makers keep it" if usual else "kept at an unusual place"
    return Evidence(place_evidence(key, counter.id), words)


def are_workload_timers(ids: Collection[int]) -> bool:
    """Whether a drive with these attributes keeps the workload timers: all three of their numbers are there."""
    return set(WORKLOAD_TIMER_IDS) <= set(ids)


def timer_meaning(counter: Counter) -> Hypothesis | None:
    """The timed wear of a drive that keeps the workload timers; None for another counter, or one not started."""
    stopped = any(value in (0xFFFF, 0xFFFFFFFF) for value in counter.values)
    if counter.id != TIMED_WEAR_ID or stopped or counter.layout == "value":
        return None
    words = ("226, 227 and 228 are together the workload timers on every maker's drives that have all three",)
    return Hypothesis(counter.id, counter.layout, TIMED_WEAR_KEY, "1/1024 %", TIMED_WEAR_SCALE, 0.9, words)
