"""Evidence that a counter is the average erase count: about one per fill of the drive, and laws with other numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.conventions import is_usual_place, place_evidence
from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.evidence import Case, Evidence
from flashscope.smart.learning.identities import LifeIdentity
from flashscope.smart.learning.likelihood import above_chance, mixture, normal
from flashscope.smart.learning.movement import Drivers, movement

KEY, TOTAL_KEY = "erase_count_average", "erase_count_total"
LEAST_FILLS = 1.0
"""With less writing than this, an erase counter moves too little to be recognised [fills of the drive]."""
LEAST_STEPS, LEAST_STEPS_UNMEASURED = 3, 5
"""With fewer steps of a counter nothing is concluded: any rare event gives as many. The second number is used where
nothing outside the attributes shows how much was written."""

_ERASES_PER_FILL = ((0.85, math.log(1.5), 0.7), (0.15, math.log(8.0), 1.3))
"""Erases per fill of the user's capacity: true counters lie at 1.0 to 2.0 in most families, some far above."""


def erase_case(
    counter: Counter,
    axis: Axis | None,
    user_bytes: int | None,
    drivers: Drivers,
    identity: LifeIdentity | None,
    counters: Sequence[Counter] = (),
) -> Case:
    """All evidence on one growing counter. axis, user_bytes: None when unknown."""
    usual = is_usual_place(KEY, counter.id)
    parts = [
        Evidence(
            place_evidence(KEY, counter.id),
            "kept where several makers keep it" if usual else "kept at an unusual place",
        )
    ]
    if axis is not None and axis.growth > 0 and user_bytes:
        parts += _per_fill(counter, axis, user_bytes)
    if axis is not None:
        parts += movement(counter, axis, drivers)
    if identity is not None:
        parts.append(Evidence(identity.weight, identity.words))
    own = next((one for one in counters if one.id == counter.id and one.layout == "value"), None)
    if identity is None and own is not None:
        parts += _own_value(counter, own)
    if counter.values[-1] > 300_000:
        parts.append(Evidence(-6.0, f"stands at {counter.values[-1]}, more than flash endures"))
    parts += _between(counter, counters)
    return Case(tuple(parts))


_BYTES_PER_ERASE = (math.log(24 * 2**20), 1.3)
"""ln of the host bytes per erase of one block or one row of blocks, and its spread."""


def total_case(counter: Counter, axis: Axis, drivers: Drivers) -> Case:
    """Whether a counter at a usual place for wear is the sum of all blocks' erases: one per block written."""
    size = axis.growth / counter.growth
    fit = max(above_chance(normal(math.log(size), *_BYTES_PER_ERASE)), -8.0)
    parts = [
        Evidence(place_evidence(KEY, counter.id), "kept where several makers keep wear"),
        Evidence(fit, f"one per {size / 2**20:.3g} MiB written, as for erase blocks"),
    ]
    return Case((*parts, *movement(counter, axis, drivers)))


def _per_fill(counter: Counter, axis: Axis, user_bytes: int) -> list[Evidence]:
    fills = axis.growth / user_bytes
    slope = counter.growth / fills
    fit = above_chance(mixture(math.log(slope), _ERASES_PER_FILL))
    found = [Evidence(max(fit, -8.0), f"{slope:.3g} per fill of the drive, over {fills:.3g} fills")]
    if axis.lifetime and axis.written_bytes[-1] > 0:
        whole = counter.values[-1] / (axis.written_bytes[-1] / user_bytes)
        likeness = normal(math.log(whole / slope), 0, 0.9) - normal(math.log(whole / slope), 0, 3.0)
        words = (
            f"{whole:.3g} per fill over the drive's life as well"
            if likeness > 0
            else (f"but {whole:.3g} per fill over the drive's life")
        )
        found.append(Evidence(max(likeness, -3.0), words))
    return found


def _own_value(counter: Counter, own: Counter) -> list[Evidence]:
    """A normalized value that falls from 100 in proportion to the count, to within one point: computed from wear."""
    fallen = [100 - value for value in own.values]
    seen = len(set(fallen))
    if seen < 3 or min(fallen) < 0 or max(own.steps) > 0 or fallen[-1] >= 100:
        return []
    low = max((fell - 1.01) / count for fell, count in zip(fallen, counter.values, strict=True) if count > 0)
    high = min((fell + 1.01) / count for fell, count in zip(fallen, counter.values, strict=True) if count > 0)
    if high < low or high <= 0 or not 200 <= 100 / ((max(low, 0) + high) / 2) <= 100_000:
        return []
    rated = 200 / (max(low, 0) + high)
    fell = f"{own.values[0]} to {own.values[-1]}"
    words = f"its normalized value falls with it, {fell}, as for about {rated:.2g} rated cycles"
    return [Evidence(min(1.0 * (seen - 1), 4.5), words)]


def _between(counter: Counter, counters: Sequence[Counter]) -> list[Evidence]:
    """A minimum and a maximum: counters next to it, or where makers keep wear too, that never cross it."""
    usual = is_usual_place(KEY, counter.id)
    near = [
        one
        for one in counters
        if one is not counter
        and one.layout != "value"
        and (abs(one.id - counter.id) <= 2 or (usual and is_usual_place(KEY, one.id)))
        and one.values[-1] <= 300_000
        and (one.grows or one.values[-1] > 0)
    ]
    below = [one for one in near if one.grows and is_minimum(one, counter)]
    above = [one for one in near if one.grows and is_maximum(one, counter)]
    if below and above:
        words = f"lies between {name_of(below[0])} and {name_of(above[0])} at every reading, as an average does"
        return [Evidence(1.5, words)]
    for outer, side, words in ((below, is_minimum, "never below"), (above, is_maximum, "never above")):
        inner = [one for one in outer for other in outer if other is not one and side(other, one)]
        if inner:
            return [Evidence(-1.5, f"{words} {name_of(inner[0])}, which has a further count on its other side")]
    return []


def is_minimum(one: Counter, average: Counter) -> bool:
    """Whether a counter may be the least erase count beside an average: never above it, not far behind."""
    pairs = list(zip(one.values, average.values, strict=True))
    return all(low <= middle for low, middle in pairs) and one.values != average.values and one.grows


def is_maximum(one: Counter, average: Counter) -> bool:
    """Whether a counter may be the greatest erase count beside an average: never below it, at most 50 times it."""
    pairs = list(zip(one.values, average.values, strict=True))
    close = all(high <= 50 * middle + 100 for high, middle in pairs)
    return close and all(high >= middle for high, middle in pairs) and one.values != average.values and one.grows


def name_of(counter: Counter) -> str:
    """A counter's name for a reader: "attribute 173" or "attribute 173 (raw-16-word-1)"."""
    plain = counter.layout in ("raw-48", "value-first-64")
    return f"attribute {counter.id}" + ("" if plain else f" ({counter.layout})")
