"""Which numbers are in an attribute's bytes: one, two or three, found from how its parts move.

    raw-48                      one counter: when its upper bits move, its lower bits are random
    raw-16-word-0, -1, -2       three: when the upper word moves, the lower ones have moved a little as well
    raw-24-low, raw-24-high     two
    raw-32, raw-16-word-2       two: hours below and milliseconds above, as SandForce-like drives keep them
    value-first-64              one that begins at the value byte, on a drive that ignores the normalized values

Not read here: numbers kept most significant byte first, bit fields, a layout that changes with the firmware.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from flashscope.smart.learning.counters import Counter, counter
from flashscope.smart.learning.observation import Series

Split = tuple[tuple[str, int, int], ...]
"""Parts of the raw number: name, lowest bit, width in bits."""

WORDS: Split = (("raw-16-word-0", 0, 16), ("raw-16-word-1", 16, 16), ("raw-16-word-2", 32, 16))
HALVES: Split = (("raw-24-low", 0, 24), ("raw-24-high", 24, 24))
HOURS: Split = (("raw-32", 0, 32), ("raw-16-word-2", 32, 16))

_USUAL_VALUES = (100, 200, 253)
_LIKELY_CHANCE = 1e-4
"""Below this probability, lower bits that hardly move while the upper ones do are not taken for chance."""


def counters_of(series: Series) -> list[Counter]:
    """Every number of every attribute, constants too, and the normalized values as layout "value"; by id."""
    tables = series.tables
    wide = _is_value_first(series)
    found: list[Counter] = []
    for id in sorted({key[0] for key in tables}):
        raw, value, worst = (tables.get((id, name)) for name in ("raw-48", "value", "worst"))
        if raw is None:
            continue
        if wide and value is not None and worst is not None:
            whole = [r << 16 | w << 8 | v for r, v, w in zip(raw, value, worst, strict=True)]
            found.append(counter(id, "value-first-64", whole))
            continue
        found += _parts(id, raw)
        if value is not None:
            found.append(Counter(id, "value", value))
    return found


def _is_value_first(series: Series) -> bool:
    """Whether the drive stores its numbers from the value byte on.

    Such a drive sets no flag of any attribute, shows worst values above the value, which is impossible for normalized
    values, and has few attributes at 100 or 200, unlike most drives.
    """
    tables = series.tables
    flags = [values for (_, name), values in tables.items() if name == "flags"]
    if not flags or any(any(values) for values in flags):
        return False
    values = [column for (_, name), column in tables.items() if name == "value"]
    usual = sum(all(value in _USUAL_VALUES for value in column) for column in values)
    return usual < len(values) / 3 and any(
        worst > value
        for (id, name), column in tables.items()
        if name == "worst"
        for worst, value in zip(column, tables.get((id, "value"), column), strict=True)
    )


def _parts(id: int, raw: Sequence[int]) -> list[Counter]:
    whole = counter(id, "raw-48", raw)
    if max(raw) < 1 << 16:
        return [whole]
    for split in (WORDS, HALVES if any(_bits(raw, 24, 8)) else HOURS):
        if _looks_packed(raw, split):
            return [counter(id, name, _bits(raw, low, width)) for name, low, width in split]
    if not whole.grows:
        for split in (HOURS, HALVES, WORDS):
            parts = [counter(id, name, _bits(raw, low, width)) for name, low, width in split]
            upper_used = max(raw) >= 1 << split[-1][1]
            if upper_used and any(part.grows and part.moved_count >= 3 for part in parts):
                return parts
    return [whole]


def _looks_packed(raw: Sequence[int], split: Split) -> bool:
    """Whether the parts below the top one move too little to be the lower digits of one number.

    The lower digits of a counter whose upper digits move are practically random. The chance that two random numbers
    are as near as the observed ones is known; the chances of several steps are combined by Fisher's method.
    """
    top_low = split[-1][1]
    surprise, count = 0.0, 0
    for before, after in itertools.pairwise(raw):
        if before >> top_low == after >> top_low:
            continue
        for _, low, width in split[:-1]:
            step = abs((after >> low) % (1 << width) - (before >> low) % (1 << width))
            near = min(1.0, (step + 1) / (1 << width))
            surprise -= math.log(2 * near - near * near)
            count += 1
    lower_used = all(any(_bits(raw, low, width)) for _, low, width in split[:-1])
    return count > 0 and lower_used and _fisher(surprise, count) < _LIKELY_CHANCE


def _fisher(surprise: float, count: int) -> float:
    """Chance that `count` uniform numbers have a sum of -ln of at least `surprise`."""
    term = total = 1.0
    for index in range(1, count):
        term *= surprise / index
        total += term
    return math.exp(-surprise) * total


def _bits(raw: Sequence[int], low: int, width: int) -> list[int]:
    return [(number >> low) & ((1 << width) - 1) for number in raw]
