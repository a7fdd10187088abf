"""From a series to the result: hypotheses in order of belief, rejected attributes with reasons, missing data."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from flashscope.smart.learning.axes import Axis, known_axis
from flashscope.smart.learning.calibration import with_scores
from flashscope.smart.learning.companions import companions
from flashscope.smart.learning.conventions import TEMPERATURE_IDS, WORKLOAD_TIMER_IDS
from flashscope.smart.learning.counters import Counter
from flashscope.smart.learning.erases import KEY, LEAST_FILLS, LEAST_STEPS, TOTAL_KEY, name_of
from flashscope.smart.learning.evidence import Case, Evidence
from flashscope.smart.learning.flash_size import agree_on_flash
from flashscope.smart.learning.hypothesis import CLAIM_SCORE, Hypothesis, Learnt, Rejected
from flashscope.smart.learning.identities import (
    LifeIdentity,
    equal_counters,
    life_identities,
    percentages_used,
    sums,
)
from flashscope.smart.learning.look_alikes import (
    TIMED_WEAR_KEY,
    TIMED_WEAR_SCALE,
    are_workload_timers,
    timer_meaning,
)
from flashscope.smart.learning.meanings import Meaning, Surroundings, exclusive, meanings, with_evidence
from flashscope.smart.learning.missing import missing
from flashscope.smart.learning.movement import Drivers
from flashscope.smart.learning.observation import Series
from flashscope.smart.learning.other_meanings import (
    cycles_meaning,
    cycles_of,
    keeps_temperatures,
    temperature_meaning,
    time_meaning,
    why_rejected,
)
from flashscope.smart.learning.packing import counters_of
from flashscope.smart.learning.worlds import life_values, weighed_worlds
from flashscope.units import format_bytes

_WORTH_SHOWING = 0.1
_UNITS = {KEY: "cycles", TOTAL_KEY: "erases", TIMED_WEAR_KEY: "1/1024 %"}
_SCALES = {TIMED_WEAR_KEY: TIMED_WEAR_SCALE}


def learn(series: Series) -> Learnt:
    """What the attributes of one drive mean, as far as its readings show it.

    Claims nothing (no hypothesis of at least CLAIM_SCORE on erase counts or bytes) where too little was written.
    """
    return with_scores(believed(series))


def believed(series: Series) -> Learnt:
    """The same, with the belief of each hypothesis as its score: before it is held against drives of known truth."""
    counters = counters_of(series)
    hours = series.axis("power_on_hours")
    timers = are_workload_timers({one.id for one in counters})
    plain = {
        (one.id, one.layout): found for one in counters if (found := _plain_meaning(one, hours, timers)) is not None
    }
    drivers = _drivers(counters, hours)
    axis = known_axis(series, counters)
    told = {one for one in counters if _is_told(one, series, timers)}
    movers = [one for one in counters if one not in told and _may_count_flash(one, len(series.moments), axis, plain)]
    laws = life_identities(counters, series.axis("life_used_percent"))
    identities = {(one.wear.id, one.wear.layout): one for one in laws}
    used = percentages_used(counters, series.axis("life_used_percent"))
    around = Surroundings(series.user_bytes, drivers, _reads(series), identities, counters, cycles_of(counters), used)
    worlds = [(1.0, axis)] if axis is not None else weighed_worlds(movers, around, hours)
    hypotheses = _merged(movers, worlds, around)
    hypotheses += plain.values()
    hypotheses = _with_companions(hypotheses, movers, identities)
    hypotheses = [_with_relations(one, counters) for one in hypotheses if one.score >= _WORTH_SHOWING]
    hypotheses.sort(key=lambda one: (-one.score, one.scale, one.attribute))
    return Learnt(
        hypotheses=tuple(hypotheses),
        rejected=tuple(_rejected(counters, hypotheses, drivers, axis)),
        missing=missing(series, axis, hypotheses, movers),
        axis=axis.origin if axis else "",
        remarks=series.remarks,
        reading_count=len(series.moments),
    )


def _plain_meaning(counter: Counter, hours: Sequence[float] | None, timers: bool) -> Hypothesis | None:
    if counter.layout == "value":
        return None
    if timers and counter.id in WORKLOAD_TIMER_IDS:
        return timer_meaning(counter)
    return time_meaning(counter, hours) or cycles_meaning(counter) or temperature_meaning(counter)


def _is_told(counter: Counter, series: Series, timers: bool) -> bool:
    """Whether a counter is known by a convention that all makers share, so that it counts nothing of the flash."""
    if timers and counter.id in WORKLOAD_TIMER_IDS:
        return True
    return keeps_temperatures(counter, series.tables.get((counter.id, "raw-48"), (0,)))


def _drivers(counters: Sequence[Counter], hours: Sequence[float] | None) -> Drivers:
    found: Drivers = {}
    if hours is not None:
        found["the hours powered"] = tuple(after - before for before, after in itertools.pairwise(hours))
    cycles = cycles_of(counters)
    if cycles is not None:
        found["the power cycles"] = tuple(map(float, cycles.steps))
    return {name: steps for name, steps in found.items() if sum(steps) > 0 and min(steps) >= 0}


def _may_count_flash(
    counter: Counter, reading_count: int, axis: Axis | None, plain: dict[tuple[int, str], Hypothesis]
) -> bool:
    known = plain.get((counter.id, counter.layout))
    if counter.layout == "value" or (known is not None and known.key != "temperature_celsius"):
        return False
    if reading_count == 1:
        return axis is not None and counter.values[0] > 0 and counter.id not in TEMPERATURE_IDS
    return counter.grows


def _reads(series: Series) -> Axis | None:
    column = series.axis("read_bytes")
    if column is None or any(after < before for before, after in itertools.pairwise(column)) or column[-1] <= 0:
        return None
    return Axis(tuple(column), True, series.yardstick.origin if series.yardstick else "")


def _merged(
    movers: Sequence[Counter], worlds: Sequence[tuple[float, Axis | None]], around: Surroundings
) -> list[Hypothesis]:
    """The meanings of all worlds, each with the belief of its world; evidence from the likeliest."""
    scores: dict[tuple[int, str, str, str], float] = {}
    strongest: dict[tuple[int, str, str, str], tuple[float, Meaning]] = {}

    def add(belief: float, one: Meaning) -> None:
        key = (one.counter.id, one.counter.layout, one.key, one.unit.name if one.unit else "")
        scores[key] = scores.get(key, 0.0) + belief
        if key not in strongest or belief > strongest[key][0]:
            strongest[key] = (belief, one)

    for belief, axis in worlds:
        found = meanings(movers, axis, around)
        told = {id(one): more for one, more in agree_on_flash(found, around.user_bytes)}
        found = [with_evidence(one, told[id(one)]) if id(one) in told else one for one in found]
        found = exclusive(found)
        for one in found:
            add(belief * one.belief, one)
        for one in _supposed(axis, movers, found, around.user_bytes, bool(life_values(around.counters))):
            add(belief * one.belief, one)
    return [_hypothesis(one, scores[key]) for key, (_, one) in strongest.items()]


def _supposed(
    axis: Axis | None, movers: Sequence[Counter], found: Sequence[Meaning], user_bytes: int | None, has_life: bool
) -> list[Meaning]:
    """The supposition itself, as a meaning of the counter it takes for the host's bytes and of those equal to it.

    It is no more certain than the one other counter that confirms it: alone, any unit would fit. And where less than
    one fill of the drive was written, no other counter can have moved enough to confirm it.
    """
    if axis is None or axis.source is None or axis.unit is None:
        return []
    # Flash bytes keep their ratio to host bytes in any unit; only a percentage of life shows which unit is right.
    bearing_out = (KEY, "nand_written_bytes") if has_life else (KEY,)
    flash_side = [one for one in found if one.key in bearing_out]
    best = max(flash_side, key=lambda one: one.belief, default=None)
    if best is None or user_bytes is None or axis.growth < LEAST_FILLS * user_bytes:
        return []
    said = (best.case.words_for() or ("",))[0]
    words = f"counted in {axis.unit.name}, {name_of(best.counter)} makes sense as {best.key}: {said}"
    fills = f"counted so, {format_bytes(axis.growth)} were written between the readings"
    case = Case((Evidence(1.0, words), Evidence(0.5, fills)))
    equal = [one for one in movers if one.values == axis.source.values]
    return [Meaning(one, "host_written_bytes", axis.unit, case, best.belief) for one in equal]


def _hypothesis(one: Meaning, score: float) -> Hypothesis:
    unit = one.unit.name if one.unit else _UNITS.get(one.key, "count")
    scale = float(one.unit.size_bytes) if one.unit else _SCALES.get(one.key, 1.0)
    told = (one.case.words_for(), one.case.words_against())
    return Hypothesis(one.counter.id, one.counter.layout, one.key, unit, scale, min(score, 0.999), *told)


def _with_companions(
    hypotheses: list[Hypothesis],
    movers: Sequence[Counter],
    identities: dict[tuple[int, str], LifeIdentity],
) -> list[Hypothesis]:
    best = max((one for one in hypotheses if one.key == KEY), key=lambda one: one.score, default=None)
    if best is None or best.score < CLAIM_SCORE:
        return hypotheses
    average = next(one for one in movers if (one.id, one.layout) == (best.attribute, best.field))
    taken = {one.attribute for one in hypotheses if one.is_claim}
    law = identities.get((best.attribute, best.field))
    more = companions(average, best.score, law, movers, taken)
    settled = {(one.attribute, one.field) for one in more if one.score >= CLAIM_SCORE}
    return [one for one in hypotheses if (one.attribute, one.field) not in settled] + more


def _with_relations(one: Hypothesis, counters: Sequence[Counter]) -> Hypothesis:
    """The same hypothesis with further relations of its counter to others."""
    twins = equal_counters(counters).get((one.attribute, one.field), [])
    words = [f"attribute {twin} shows the same number at every reading" for twin in dict.fromkeys(twins)]
    for whole, first, second in sums(counters):
        if (whole.id, whole.layout) == (one.attribute, one.field):
            words.append(f"is the sum of {name_of(first)} and {name_of(second)} at every reading")
    if not words:
        return one
    evidence = (*one.evidence, *words)
    return Hypothesis(one.attribute, one.field, one.key, one.unit, one.scale, one.score, evidence, one.counter_evidence)


def _rejected(
    counters: Sequence[Counter], hypotheses: Sequence[Hypothesis], drivers: Drivers, axis: Axis | None
) -> list[Rejected]:
    claimed = {(one.attribute, one.field) for one in hypotheses if one.is_claim}
    found = []
    for one in counters:
        if (one.id, one.layout) in claimed or one.layout == "value":
            continue
        reason = why_rejected(one, drivers, LEAST_STEPS)
        if axis is not None and axis.steps and axis.growth == 0 and one.growth > 0:
            reason = "moved though nothing was written: it counts time or maintenance, not the host's writes"
        found.append(Rejected(one.id, one.layout, reason))
    return found
