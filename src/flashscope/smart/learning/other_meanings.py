"""Meanings unrelated to flash: hours, minutes, power cycles, temperatures; and why a counter got no meaning."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from flashscope.smart.learning.conventions import CYCLES_ID, HOURS_ID, TEMPERATURE_IDS
from flashscope.smart.learning.counters import Counter, misfit_ratio
from flashscope.smart.learning.hypothesis import Hypothesis
from flashscope.smart.learning.movement import Drivers

_WHOLE = ("raw-48", "raw-16-word-0", "raw-24-low", "raw-32")
_PER_HOUR = {1: "h", 60: "min", 3600: "s", 3_600_000: "ms"}


def time_meaning(counter: Counter, hours: Sequence[float] | None) -> Hypothesis | None:
    """Whether a counter counts the time powered: by its pace against the hours of the series, or as attribute 9."""
    pace = _pace(counter, hours)
    if counter.id == HOURS_ID:
        unit = _PER_HOUR.get(pace or 1, "h")
        words = ["attribute 9 counts time powered on every maker's drives"]
        return _time(counter, unit, 0.9, words) if not counter.falls_count and counter.values[-1] > 0 else None
    if pace is None:
        return None
    return _time(counter, _PER_HOUR[pace], 0.9, [f"grows by {pace} per hour powered, at every reading"])


def _pace(counter: Counter, hours: Sequence[float] | None) -> int | None:
    if hours is None or not counter.grows or hours[-1] - hours[0] < 20:
        return None
    rate = counter.growth / (hours[-1] - hours[0])
    parts = [after - before for before, after in itertools.pairwise(hours)]
    if len(parts) < 2 or misfit_ratio(counter.steps, parts) > 0.02:
        return None
    return next((pace for pace in _PER_HOUR if abs(rate / pace - 1) < 0.01), None)


def _time(counter: Counter, unit: str, score: float, words: list[str]) -> Hypothesis:
    scale = {"h": 1.0, "min": 1 / 60, "s": 1 / 3600, "ms": 1 / 3_600_000}[unit]
    return Hypothesis(counter.id, counter.layout, "power_on_time_hours", unit, scale, score, tuple(words))


def cycles_meaning(counter: Counter) -> Hypothesis | None:
    """Attribute 12, which counts power cycles on every maker's drives, when it behaves as a counter."""
    if counter.id != CYCLES_ID or counter.falls_count or counter.values[-1] <= 0:
        return None
    words = ("attribute 12 counts power cycles on every maker's drives",)
    return Hypothesis(counter.id, counter.layout, "power_cycle_count", "cycles", 1.0, 0.9, words)


def cycles_of(counters: Sequence[Counter]) -> Counter | None:
    """The counter of power cycles, where it grows; else None."""
    return next((one for one in counters if one.id == CYCLES_ID and one.grows and one.layout != "value"), None)


def temperature_meaning(counter: Counter) -> Hypothesis | None:
    """A number that goes up and down between 5 and 100; at an unusual attribute number only a possible temperature.

    At a usual number it need not move: few readings of a temperature may rise by chance.
    """
    values = counter.values
    if counter.layout == "value" or not 5 <= min(values) <= max(values) <= 100:
        return None
    usual = counter.id in TEMPERATURE_IDS and counter.layout in _WHOLE
    both_ways = counter.falls_count > 0 and any(step > 0 for step in counter.steps)
    if not usual and not both_ways:
        return None
    words = ["kept where most makers keep it"] * usual
    if both_ways:
        words.insert(0, f"goes up and down between {min(values)} and {max(values)}")
    return Hypothesis(
        counter.id, counter.layout, "temperature_celsius", "degrees C", 1.0, 0.9 if usual else 0.3, tuple(words)
    )


def keeps_temperatures(counter: Counter, whole: Sequence[int]) -> bool:
    """Whether a counter is part of an attribute of temperatures: at a usual number, a temperature in the lowest byte.

    whole: the raw numbers of its attribute. The bytes above may hold the lowest and the highest temperature.
    """
    return counter.id in TEMPERATURE_IDS and all(5 <= raw & 0xFF <= 100 for raw in whole)


def why_rejected(counter: Counter, drivers: Drivers, least_steps: int) -> str:
    """Why a counter got no meaning, by how it moves."""
    values = counter.values
    if all(value in (0xFFFFFFFF, 0xFFFF, 0xFFFFFFFFFFFF) for value in values):
        return f"holds {values[0]:#x} throughout, which is a placeholder, not a number"
    if len(values) == 1:
        return "one reading does not show how it moves"
    if counter.is_constant:
        return f"never moved: {values[0]} at every reading"
    if counter.has_reset:
        return "grew, then started again near zero: learn from the readings on one side of the reset"
    if counter.falls_count:
        return f"goes up and down between {min(values)} and {max(values)}: a state such as a temperature, not a count"
    if counter.growth < least_steps:
        return f"moved by {counter.growth} in all, too little to see what it follows"
    fits = {name: misfit_ratio(counter.steps, parts) for name, parts in drivers.items() if sum(parts) > 0}
    if fits and len(counter.steps) > 2:
        name = min(fits, key=lambda one: fits[one])
        if fits[name] < 0.3:
            return f"follows {name} ({fits[name]:.0%} deviation): counts something that happens with it"
    return "grows, but not in proportion to anything that is known here"
