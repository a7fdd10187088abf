"""Which counter counts host bytes, and in what unit, when only the attributes can show it: weighed suppositions.

Each supposition (this counter, this unit) must agree with the rest of the drive: erases per fill, flash bytes per
host byte, the size of a request, life used per fill. Its belief is in proportion to how well it agrees.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flashscope.smart.learning.axes import Axis, supposed_axes
from flashscope.smart.learning.conventions import place_evidence
from flashscope.smart.learning.counters import Counter, misfit_ratio
from flashscope.smart.learning.likelihood import above_chance, log_sum, normal, shares
from flashscope.smart.learning.meanings import Surroundings, flash_side_support
from flashscope.smart.learning.units import log_weight

LEAST_GROWTH = 20
"""A counter that moved less has no usable slope [counts]."""

_HAS_HOST_COUNTER = 0.6
_HOPELESS = 14.0
"""A supposition so far behind the best [ln] is not examined: the flash side seldom gives more evidence than that."""
_TRUST = 0.8
"""The pieces of evidence for a supposition depend on each other, so together they count less than their product."""
_FILLS = (math.log(20), 2.5)
_ENDURED_FILLS = (math.log(2500), 1.4)
_RATE = (math.log(0.7e6 * 3600), 2.0)
"""ln of the fills written to a drive, of the fills until its life percentage ends, and of the bytes written per
power-on hour, each with its spread."""


def weighed_worlds(
    movers: Sequence[Counter], around: Surroundings, hours: Sequence[float] | None
) -> list[tuple[float, Axis | None]]:
    """(belief, axis) of every supposition with at least 1 % belief, and of "none is true" (axis None); sums to one."""
    sources = _sources(movers)
    axes = supposed_axes(sources, hours)
    if not sources or around.user_bytes is None:
        return [(1.0, None)]
    weights = [_by_itself(axis, around, len(sources)) + _pace(axis, hours) for axis in axes]
    # A supposition that is very unlikely by itself is not compared with the other counters of the drive.
    hopeless = max(weights, default=0.0) - _HOPELESS
    axes = [axis for axis, weight in zip(axes, weights, strict=True) if weight > hopeless]
    weights = [weight for weight in weights if weight > hopeless]
    weights = [weight + flash_side_support(movers, axis, around) for axis, weight in zip(axes, weights, strict=True)]
    nothing = math.log(1 - _HAS_HOST_COUNTER) + flash_side_support(movers, None, around)
    beliefs = shares([_TRUST * weight for weight in (nothing, *weights)])
    worlds: list[tuple[float, Axis | None]] = [(beliefs[0], None)]
    return worlds + [(belief, axis) for belief, axis in zip(beliefs[1:], axes, strict=True) if belief > 0.01]


def _sources(movers: Sequence[Counter]) -> list[Counter]:
    """The counters that may count host bytes; of equal counters, the one at the likelier attribute number."""
    best: dict[tuple[int, ...], Counter] = {}
    for one in movers:
        if one.growth < LEAST_GROWTH:
            continue
        rival = best.get(one.values)
        key = "host_written_bytes"
        if rival is None or place_evidence(key, one.id) > place_evidence(key, rival.id):
            best[one.values] = one
    return list(best.values())


def _by_itself(axis: Axis, around: Surroundings, source_count: int) -> float:
    """How likely a supposition is without the evidence of the flash side [ln]."""
    assert axis.source is not None
    assert axis.unit is not None
    assert around.user_bytes is not None
    fills = axis.written_bytes[-1] / around.user_bytes
    weight = math.log(_HAS_HOST_COUNTER / source_count) + log_weight(axis.unit)
    weight += place_evidence("host_written_bytes", axis.source.id)
    weight -= max(0.0, place_evidence("nand_written_bytes", axis.source.id))
    weight += max(above_chance(normal(math.log(fills), *_FILLS)), -12.0)
    return weight + _life_support(around, fills) + _apart_from_time(axis.source, around)


def _apart_from_time(source: Counter, around: Surroundings) -> float:
    """A counter in proportion to time or power cycles is no count of bytes; only a very steady host looks similar."""
    fits = [misfit_ratio(source.steps, steps) for steps in around.drivers.values()]
    nearest = min(fits, default=1.0)
    return max(-6.0, math.log(max(nearest, 1e-3) / 0.1)) if nearest < 0.1 and len(source.steps) > 2 else 0.0


def _pace(axis: Axis, hours: Sequence[float] | None) -> float:
    """How likely so many bytes in so many hours are: the less likely of the first and the last reading."""
    if hours is None or hours[0] < 2:
        return 0.0
    rates = [axis.written_bytes[index] / hours[index] for index in (0, -1) if axis.written_bytes[index] > 0]
    fits = [normal(math.log(rate), *_RATE) - normal(_RATE[0] + _RATE[1], *_RATE) for rate in rates]
    return max(-8.0, min(fits, default=0.0))


def life_values(counters: Sequence[Counter]) -> list[Counter]:
    """Normalized values that fall with use while their raw number is constant: percentages of life left."""
    moving = {one.id for one in counters if one.layout != "value" and one.grows}
    return [
        one
        for one in counters
        if one.layout == "value" and one.id not in moving and not one.is_constant and max(one.steps) <= 0
        if 50 <= one.values[-1] < 100 and one.values[0] <= 100
    ]


def _life_support(around: Surroundings, fills: float) -> float:
    """How likely the number of fills is until the life percentage, whichever attribute it is, ends."""
    falling = life_values(around.counters)
    if not falling:
        return 0.0
    # If 1 % is shown, between 1 and 2 % may be used.
    endured = [fills * 100 / (100 - one.values[-1] + 0.5) for one in falling]
    fits = [normal(math.log(one), *_ENDURED_FILLS) - normal(math.log(one), math.log(2500), 6.0) for one in endured]
    return log_sum([math.log(0.5), *(math.log(0.5 / len(fits)) + max(fit, -20.0) for fit in fits)])
