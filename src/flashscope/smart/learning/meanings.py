"""Every meaning tried for every moving counter, given one axis of host bytes: the shares of belief, and the evidence.

The meanings of one counter exclude each other; one of them is "something else". A drive has at most one average erase
count, so for this meaning the counters exclude each other, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.bytes_counted import flash_bytes_case, host_bytes_case
from flashscope.smart.learning.conventions import is_usual_place, place_evidence
from flashscope.smart.learning.counters import Counter, misfit_ratio
from flashscope.smart.learning.erases import (
    KEY,
    LEAST_FILLS,
    LEAST_STEPS,
    LEAST_STEPS_UNMEASURED,
    TOTAL_KEY,
    erase_case,
    total_case,
)
from flashscope.smart.learning.evidence import Case, Evidence
from flashscope.smart.learning.identities import LifeIdentity
from flashscope.smart.learning.likelihood import above_chance, log_sum, normal, shares
from flashscope.smart.learning.look_alikes import LOSSES_KEY, TIMED_WEAR_KEY, power_loss_case, timed_wear_case
from flashscope.smart.learning.movement import Drivers, movement
from flashscope.smart.learning.units import UNITS, Unit

_BEFOREHAND = {
    "": 0.80,
    "host_written_bytes": 0.05,
    "host_read_bytes": 0.04,
    "nand_written_bytes": 0.04,
    "host_write_commands": 0.02,
    KEY: 0.05,
    TOTAL_KEY: 0.02,
    LOSSES_KEY: 0.05,
    TIMED_WEAR_KEY: 0.01,
}
"""Belief in each meaning of a counter of which only its growth is known; "" is something else."""


@dataclass(frozen=True)
class Meaning:
    """One meaning of one counter. unit: None where the key has its own. case: the evidence. belief: 0 to 1."""

    counter: Counter
    key: str
    unit: Unit | None
    case: Case
    belief: float = 0.0


@dataclass(frozen=True)
class Surroundings:
    """Common input for all meanings of one drive. reads: the axis of bytes read; None when unknown.

    identities: by (id, layout). counters: all, constants too. cycles: of power; None when unknown. used: columns that
    may be the per cent used.
    """

    user_bytes: int | None
    drivers: Drivers
    reads: Axis | None
    identities: Mapping[tuple[int, str], LifeIdentity]
    counters: Sequence[Counter]
    cycles: Counter | None = None
    used: Sequence[Sequence[float]] = ()


def meanings(movers: Sequence[Counter], axis: Axis | None, around: Surroundings) -> list[Meaning]:
    """Meanings of each counter with their belief, given that `axis` is what the host wrote (None: unknown).

    The belief is that of one counter by itself; `exclusive` shares it out among the counters of a drive.
    """
    found: list[Meaning] = []
    for counter in movers:
        if axis is not None and axis.source is not None and counter.values == axis.source.values:
            continue
        found += _of_counter(counter, axis, around)
    return _in_one_unit(found)


def _in_one_unit(found: list[Meaning]) -> list[Meaning]:
    """Flash bytes in the unit of the host's counter are a little likelier than in another unit."""
    host = {one.unit for one in found if one.key == "host_written_bytes" and one.belief > 0.5}
    more = Evidence(1.5, "in the unit of the host's counter")
    return [with_evidence(one, more) if one.key == "nand_written_bytes" and one.unit in host else one for one in found]


def with_evidence(one: Meaning, more: Evidence) -> Meaning:
    """The same meaning with one more piece of evidence and the new belief."""
    certain = min(max(one.belief, 1e-9), 1 - 1e-9)
    odds = certain / (1 - certain) * math.exp(more.weight)
    return replace(one, case=one.case.with_part(more), belief=odds / (1 + odds))


def flash_side_support(movers: Sequence[Counter], axis: Axis | None, around: Surroundings) -> float:
    """How well the flash side of the drive agrees with an axis [ln of a likelihood ratio]."""
    others = [one for one in movers if axis is None or axis.source is None or one.values != axis.source.values]
    erases = _distinct([one for one in others if one.growth >= _least_steps(axis)])
    if not others:
        return math.log(0.3)
    weights = [_erase_case(one, axis, around).weight - _as_look_alike(one, axis, around) for one in erases]
    support = log_sum([math.log(0.3), *(math.log(0.7 / len(erases)) + weight for weight in weights)])
    if axis is None or axis.growth <= 0:
        return support
    bytes_ = [flash_bytes_case(one, unit, axis, around.drivers).weight for one in _distinct(others) for unit in UNITS]
    support += log_sum([math.log(0.6), *(math.log(0.4 / len(others)) + weight for weight in bytes_)])
    requests = [_commands_case(one, axis, around.drivers).weight for one in _distinct(others)]
    return support + log_sum([math.log(0.8), *(math.log(0.2 / len(others)) + weight for weight in requests)])


def _of_counter(counter: Counter, axis: Axis | None, around: Surroundings) -> list[Meaning]:
    tried: list[Meaning] = []
    if axis is not None and axis.source is None:
        tried += [
            Meaning(counter, "host_written_bytes", unit, host_bytes_case(counter, unit, axis, "host_written_bytes"))
            for unit in UNITS
        ]
    if around.reads is not None:
        tried += [
            Meaning(counter, "host_read_bytes", unit, host_bytes_case(counter, unit, around.reads, "host_read_bytes"))
            for unit in UNITS
        ]
    elif axis is not None and axis.unit is not None and axis.source is not None:
        tried.append(Meaning(counter, "host_read_bytes", axis.unit, _reads_case(counter, axis, axis.source)))
    if axis is not None and axis.growth > 0:
        tried += [
            Meaning(counter, "nand_written_bytes", unit, flash_bytes_case(counter, unit, axis, around.drivers))
            for unit in UNITS
        ]
        tried.append(Meaning(counter, "host_write_commands", None, _commands_case(counter, axis, around.drivers)))
        if is_usual_place(KEY, counter.id) and counter.growth >= 20:
            tried.append(Meaning(counter, TOTAL_KEY, None, total_case(counter, axis, around.drivers)))
    tried += _look_alikes(counter, axis, around)
    if not counter.steps or (counter.growth >= _least_steps(axis) and _written_enough(axis, around.user_bytes)):
        tried.append(Meaning(counter, KEY, None, _erase_case(counter, axis, around)))
    weights = [math.log(_BEFOREHAND[one.key]) + one.case.weight for one in tried]
    beliefs = shares([math.log(_BEFOREHAND[""]), *weights])[1:]
    return [
        Meaning(one.counter, one.key, one.unit, one.case, belief) for one, belief in zip(tried, beliefs, strict=True)
    ]


def _look_alikes(counter: Counter, axis: Axis | None, around: Surroundings) -> list[Meaning]:
    cases = {LOSSES_KEY: power_loss_case(counter, around.cycles)}
    if axis is not None and around.user_bytes:
        cases[TIMED_WEAR_KEY] = timed_wear_case(counter, axis, around.user_bytes, around.drivers, around.used)
    return [Meaning(counter, key, None, case) for key, case in cases.items() if case is not None]


def _as_look_alike(counter: Counter, axis: Axis | None, around: Surroundings) -> float:
    """How likely it is that a counter is no erase counter though it moves like one [ln of a likelihood ratio]."""
    return max((0.0, *(one.case.weight for one in _look_alikes(counter, axis, around))))


def _written_enough(axis: Axis | None, user_bytes: int | None) -> bool:
    return axis is None or user_bytes is None or axis.growth >= LEAST_FILLS * user_bytes


def _least_steps(axis: Axis | None) -> int:
    return LEAST_STEPS if axis is not None and axis.source is None else LEAST_STEPS_UNMEASURED


def exclusive(found: Sequence[Meaning]) -> list[Meaning]:
    """The same meanings; what a drive has one of is shared out among counters that show different numbers.

    A drive has one average erase count, and one count of the host's bytes in each unit. Counters that differ by one
    count are the same number, brought up to date at different moments.
    """
    odds: dict[tuple[str, str], dict[tuple[int, ...], float]] = {}
    for one in found:
        if (only := _only_one(one)) is not None:
            rivals = odds.setdefault(only, {})
            values = _same_number(one.counter, rivals)
            rivals[values] = max(rivals.get(values, 0.0), _odds(one.belief))
    return [one if (only := _only_one(one)) is None else _beside(one, odds[only]) for one in found]


def _beside(one: Meaning, rivals: Mapping[tuple[int, ...], float]) -> Meaning:
    others = sum(rivals.values()) - rivals[_same_number(one.counter, rivals)]
    own = _odds(one.belief)
    return replace(one, belief=own / (1 + own + others))


def _odds(belief: float) -> float:
    certain = min(belief, 1 - 1e-9)
    return certain / (1 - certain)


def _same_number(counter: Counter, rivals: Mapping[tuple[int, ...], float]) -> tuple[int, ...]:
    """The values of a rival that shows the same number as a counter; its own where there is none."""
    if counter.values in rivals:
        return counter.values
    pairs = ((values, zip(values, counter.values, strict=True)) for values in rivals)
    near = (values for values, both in pairs if all(abs(one - other) <= 1 for one, other in both))
    return next(near, counter.values)


def _only_one(one: Meaning) -> tuple[str, str] | None:
    """Of what a drive has one, if the meaning is of that kind."""
    if one.key == KEY:
        return KEY, ""
    if one.key == "host_written_bytes" and one.unit is not None:
        return one.key, one.unit.name
    return None


def _erase_case(counter: Counter, axis: Axis | None, around: Surroundings) -> Case:
    identity = around.identities.get((counter.id, counter.layout))
    return erase_case(counter, axis, around.user_bytes, around.drivers, identity, around.counters)


_REQUEST = (math.log(32 * 1024), 0.9)
"""ln of the mean size of a host's write request [bytes], and its spread."""


def _commands_case(counter: Counter, axis: Axis, drivers: Drivers) -> Case:
    if counter.growth <= 100 or axis.growth <= 0:
        return Case((Evidence(-6.0, "moved too little for a count of commands"),))
    size = axis.growth / counter.growth
    fit = max(above_chance(normal(math.log(size), *_REQUEST)), -8.0)
    parts = [Evidence(fit, f"one per {size / 1024:.3g} KiB written, the size of a usual request")]
    return Case((*parts, *movement(counter, axis, drivers)))


def _reads_case(counter: Counter, axis: Axis, source: Counter) -> Case:
    """Bytes read, without a measure of reading: next to the counter of bytes written, same unit, another pace."""
    parts = [
        Evidence(
            place_evidence("host_read_bytes", counter.id),
            "kept where several makers keep it"
            if is_usual_place("host_read_bytes", counter.id)
            else "kept at an unusual place",
        )
    ]
    beside = abs(counter.id - source.id) == 1 and counter.layout == source.layout
    parts.append(
        Evidence(1.0 if beside else -3.0, f"{'beside' if beside else 'far from'} the counter of what was written")
    )
    if len(counter.steps) > 1:
        apart = misfit_ratio(counter.steps, axis.steps)
        own = apart > 0.1
        parts.append(
            Evidence(
                0.5 if own else -2.0 * min(1.0, len(counter.steps) / 6),
                f"{'grows by itself' if own else 'grows'} beside the writing",
            )
        )
    return Case(tuple(parts))


def _distinct(counters: Sequence[Counter]) -> list[Counter]:
    return list({one.values: one for one in reversed(counters)}.values())
