"""Places of ticks: round numbers, few enough to be read, none where nothing is drawn.

linear   0   20   40   60              steps of 1, 2 or 5 times a power of ten
decades  10 µs   100 µs   1 ms         or 1, 2 and 5 in each decade where there are few
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from flashscope import units

_STEPS = (1, 2, 5, 10)


def linear_ticks(low: float, high: float, count: int) -> list[float]:
    """About `count` round numbers from low to high, both included when they are round."""
    wanted = max((high - low) / max(count, 1), 1e-300)
    power = 10.0 ** math.floor(math.log10(wanted))
    step = next(size * power for size in _STEPS if size * power >= wanted * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [round(place * step, 12) for place in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, count: int) -> list[float]:
    """Powers of ten between low and high (above 0), with 2 and 5 times them when they are few."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for parts in ((1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 5), (1, 3), (1,)):
        ticks = [float(f"{part}e{power}") for power in range(first, last + 1) for part in parts]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) <= count:
            return ticks
    return ticks[:: -(-len(ticks) // count)]


def in_words(ticks: Sequence[float], say: Callable[[float], str]) -> str:
    """A Vega expression that gives each tick its words: the label of an axis."""
    cases = "".join(
        f"abs(datum.value / {tick!r} - 1) < 1e-6 ? '{say(tick)}' : " if tick else f"datum.value == 0 ? '{say(tick)}' : "
        for tick in ticks
    )
    return f"{cases}''"


def say_time(value_ns: float) -> str:
    """A time of a tick: "100 µs"."""
    return units.format_time(value_ns).replace(" us", " µs")
