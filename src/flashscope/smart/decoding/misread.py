"""Numbers that cannot mean what their row says, found by the numbers beside them: they are left out, and that is said.

    a rating that repeats an erase count of the drive        it is that erase count
    a workload timer that ran longer or wore more than the drive   it never ran, or overflowed
    a counter of host bytes at 0 beside many erases         it is not filled in
    hours of the attribute far from those of the statistics   either may leave time out
    errors beyond counting, with the best value byte         two numbers packed into one
    errors beyond counting, of which the statistics know none
    life 0 by a value byte of 100 beside erase counts        the byte stays at 100; the drive is not used up

Works on keys and raw numbers, never on a drive's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from flashscope.smart.decoding.layouts import raw_48
from flashscope.smart.decoding.reading import Contradiction, Field
from flashscope.smart.decoding.words import in_words
from flashscope.smart.dump import Dump
from flashscope.units import format_number

Fields = Mapping[str, Field]
Misread = tuple[Contradiction, tuple[str, ...], Field | None]
"""What was found, keys that are left out, a field in place of one of them."""

_ERASES = "erase_count_"
_TIMERS = ("timed_wear_percent", "timed_read_percent", "timed_workload_minutes")
_TIMER_ROOM_RATIO, _TIMER_ROOM_PERCENT = 1.05, 2.0
_UNCORRECTABLE = "uncorrectable_error_count"
_HOURS = "power_on_time_hours"
_HOURS_APART_RATIO = 1.5
_FEW_HOURS = 24
_COUNTABLE = 65_535
_ERASED_OFTEN = 5  # cycles
_REPORTED_UNCORRECTABLE = (4, 8)  # page and offset in the Device Statistics
_BEST_VALUE = 100


def set_right(fields: dict[str, Field], dump: Dump) -> tuple[Contradiction, ...]:
    """Leave out the fields that cannot mean what their row says; returns why, one contradiction for each."""
    found = [one for rule in RULES for one in rule(fields, dump)]
    for _, keys, instead in found:
        for key in keys:
            fields.pop(key, None)
        if instead is not None:
            fields[instead.key] = instead
    return tuple(contradiction for contradiction, _, _ in found)


def rating_is_an_erase_count(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """A rating equal to an erase count that moves: no rating."""
    rating = fields.get("rated_pe_cycles")
    if rating is None or rating.raw is None:
        return
    counts = (one for key, one in fields.items() if _ERASES in key and one.attribute_id != rating.attribute_id)
    twin = next((one for one in counts if one.raw == rating.raw), None)
    if twin is not None:
        yield (
            Contradiction(
                "RatingRepeats",
                f"{rating.origin} repeats {twin.origin} ({in_words(twin.key)}); it is that count and no rating.",
                twin.key,
            ),
            (rating.key,),
            None,
        )


def host_counter_never_moved(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """A counter of the host's bytes at 0 on a drive whose blocks were erased again and again."""
    host, erases = fields.get("host_written_bytes"), fields.get("erase_count_average")
    if host is None or host.value or host.attribute_id is None or erases is None or erases.value < _ERASED_OFTEN:
        return
    yield (
        Contradiction(
            "NotFilledIn",
            f"{host.origin} says that the host wrote nothing, and the blocks were erased "
            f"{format_number(erases.value)} times; it is not filled in.",
            "",
        ),
        (host.key,),
        None,
    )


def timer_against_the_drive(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """A workload timer that ran longer, or saw more wear, than the drive: no number of it says anything."""
    minutes, hours = fields.get("timed_workload_minutes"), fields.get("power_on_time_hours")
    wear, left = fields.get("timed_wear_percent"), fields.get("life_left_percent")
    why = ""
    if minutes is not None and hours is not None and minutes.value > _TIMER_ROOM_RATIO * 60 * (hours.high + 1):
        why = f"says {format_number(minutes.value)} minutes, more than the {format_number(hours.value)} h with power on"
    elif wear is not None and left is not None and wear.value > 100 - left.low + _TIMER_ROOM_PERCENT:
        why = f"says {format_number(wear.value)} % of wear, and {format_number(left.value)} % of the life is left"
    if why:
        message = f"the workload timer {why}; what it measured is left out."
        yield Contradiction("TimerImpossible", message, ""), _TIMERS, None


def hours_differ(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """Hours of the attribute and of the Device Statistics that are two times apart: neither is sure."""
    hours, told = fields.get(_HOURS), fields.get(f"{_HOURS}_statistics")
    if hours is None or told is None or not told.value or abs(hours.value - told.value) <= _FEW_HOURS:
        return
    low, high = sorted((hours.value, told.value))
    if high <= _HOURS_APART_RATIO * low:
        return
    instead = replace(hours, low=min(hours.low, low), high=max(hours.high, high), provenance="inferred")
    yield (
        Contradiction(
            "PowerOnTimeDisagrees",
            f"{hours.origin} says {format_number(hours.value)} h of power-on time, the Device Statistics "
            f"{format_number(told.value)} h. One "
            "of them leaves some time out; the attribute is shown, and its interval holds both.",
            _HOURS,
        ),
        (_HOURS,),
        instead,
    )


def errors_are_packed(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """More uncorrectable errors than a drive survives with its best value byte, or than its statistics know."""
    errors = fields.get(_UNCORRECTABLE)
    if errors is None or errors.attribute_id is None or errors.value <= _COUNTABLE:
        return
    told, attribute = dump.statistic(*_REPORTED_UNCORRECTABLE), dump.attribute(errors.attribute_id)
    if told is not None and told > errors.value / 2:
        return
    if told is None and (attribute is None or attribute.value < _BEST_VALUE):
        return
    instead = None
    if told is not None and told >= 0:
        origin = "Device Statistics 04h:008h"
        instead = replace(errors, value=told, low=told, high=told, raw=told, origin=origin, attribute_id=None)
    known = f"the Device Statistics know {told}" if told is not None else "its value byte is at its best"
    yield (
        Contradiction(
            "ErrorsPacked",
            f"{errors.origin} would be {format_number(errors.value)} errors beyond correction, and {known}: two "
            "numbers are packed into one.",
            _UNCORRECTABLE if instead else "",
        ),
        (_UNCORRECTABLE, f"{_UNCORRECTABLE}_statistics"),
        instead,
    )


def life_byte_stays(fields: Fields, dump: Dump) -> Iterator[Misread]:
    """A byte that runs from 200 to 100 on some firmware, at 100, beside erase counts in the same attribute."""
    life = fields.get("life_left_percent")
    if life is None or life.value > 0 or life.attribute_id is None:
        return
    attribute = dump.attribute(life.attribute_id)
    if attribute is None or attribute.value != _BEST_VALUE or not raw_48(attribute):
        return
    yield (
        Contradiction(
            "LifeNotFilledIn",
            f"the value byte of {life.origin} is 100, which would be used up where it runs from 200; beside erase "
            "counts it is the usual 100 of a healthy attribute. No life is taken from it.",
            "",
        ),
        (life.key,),
        None,
    )


RULES: tuple[Callable[[Fields, Dump], Iterator[Misread]], ...] = (
    rating_is_an_erase_count,
    host_counter_never_moved,
    timer_against_the_drive,
    hours_differ,
    errors_are_packed,
    life_byte_stays,
)
"""All rules are applied, in this order."""
