"""The cause of a counter's growth: the host's writing, time, or power cycles; and whether it grows without writing."""

from __future__ import annotations

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.counters import Counter, misfit_ratio
from flashscope.smart.learning.evidence import Evidence

Drivers = dict[str, tuple[float, ...]]
"""Other causes of growth, by name: growth of each in each interval."""


def movement(counter: Counter, axis: Axis, drivers: Drivers) -> list[Evidence]:
    """Evidence on whether the host's writing moves a growing counter, against time and power cycles."""
    steps, written = counter.steps, axis.steps
    if len(steps) < 2 or axis.growth <= 0:
        return _single(counter, axis)
    with_host = misfit_ratio(steps, written)
    trust = min(1.0, (len(steps) - 1) / 4)
    # Write amplification varies tenfold over some drives' lives, so growth out of proportion is weak evidence against;
    # but an axis that is only supposed must be confirmed by proportion.
    worst_fit, worst_margin = (-1.2, -2.0) if axis.source is None else (-3.0, -4.0)
    fit = max(worst_fit, 1.0 - 4.0 * with_host)
    found = [Evidence(fit * trust, _proportion_words(with_host, len(steps)))]
    others = {name: misfit_ratio(steps, parts) for name, parts in drivers.items() if sum(parts) > 0}
    if others:
        name = min(others, key=lambda one: others[one])
        margin = max(worst_margin, min(3.0, 6.0 * trust * (others[name] - with_host)))
        better, worse = ("the writing", name) if margin > 0 else (name, "the writing")
        found.append(Evidence(margin, f"its steps follow {better} better than {worse}"))
    return found + _stillness(counter, axis)


def _single(counter: Counter, axis: Axis) -> list[Evidence]:
    if counter.steps and axis.growth > 0 and counter.growth > 0:
        return [Evidence(0.5, f"grew by {counter.growth} during the writing")]
    return []


def _proportion_words(misfit: float, intervals: int) -> str:
    if misfit < 0.25:
        return f"grows in proportion to what is written ({misfit:.0%} deviation over {intervals} intervals)"
    return f"is not in proportion to what is written ({misfit:.0%} of its growth is at other times)"


def _stillness(counter: Counter, axis: Axis) -> list[Evidence]:
    """Growth without writing, and writing without growth."""
    rate = counter.growth / axis.growth
    idle = sum(step >= 2 and rate * part < 0.05 for step, part in zip(counter.steps, axis.steps, strict=True))
    silent = sum(step == 0 and rate * part >= 4 for step, part in zip(counter.steps, axis.steps, strict=True))
    still = sum(step == 0 and rate * part < 0.05 for step, part in zip(counter.steps, axis.steps, strict=True))
    found = []
    if idle:
        found.append(Evidence(-2.0 * min(idle, 3), f"grew in {idle} intervals with next to nothing written"))
    if silent:
        found.append(Evidence(-1.5 * min(silent, 4), f"stood still in {silent} intervals with much written"))
    if still and not idle:
        found.append(Evidence(0.3 * min(still, 3), f"stood still in the {still} intervals with nothing written"))
    return found
