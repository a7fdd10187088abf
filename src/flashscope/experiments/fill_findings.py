"""The findings of fill-and-recovery: five curves from its steps, which are found by their roles.

marks       passes of a condition                  -> collapse_ratio_LOAD
pauses      probes after a pause                   -> recovery_idle_ns        back at nine tenths of its best
filling     the files of test A                    -> slow_fill_level_ratio   below nine tenths of its first rate
files       4 KiB random writes in a file          -> largest_full_rate_file_bytes
deletion    probes after a deletion and a pause    -> trim_helps_after_ns
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flashscope.experiments.profiles.crystal_disk_mark import scores
from flashscope.experiments.profiles.passes import PASS
from flashscope.experiments.states import doubts_of_start
from flashscope.experiments.test_a import FILES
from flashscope.records import Doubt, Finding, Record, Status, StepRecord
from flashscope.records.abstention import could_not_tell, visible
from flashscope.units import format_bytes, format_percent, format_rate, format_time

_FRESH, _FULL = "fresh, CDM 1000 MB", "filled to 5 GB free by test A, right after, CDM 1000 MB"
RECOVERY, TRIMMED, IN_A_FILE, BESIDE = "probe after a pause", "probe after a deletion", "in a file", "beside test A"
"""Roles of steps; the labels of the probes are load and pause_s, those in a file load and file_mb."""

BESIDE_NAME = "beside test A: rand_read_512k"
_WORDS = {
    "seq_read": "Reads in order",
    "seq_write": "Writes in order",
    "rand_read_512k": "512 KiB random reads",
    "rand_write_512k": "512 KiB random writes",
    "rand_read_4k": "4 KiB random reads",
    "rand_write_4k": "4 KiB random writes",
}
_BACK = 0.9
_UNMOVED = 1.3  # fastest over slowest probe of a curve: below it the drive had nothing to recover
_PROBES = ("rand_write_512k", "rand_write_4k")
_TRIM_KEY = "trim_helps_after_ns"
_SECOND_NS = 1_000_000_000


def findings(record: Record) -> list[Finding]:
    """All findings that the steps of the record allow; one without a value when none do."""
    doubts = doubts_of_start(record)
    marks = all_marks(record)
    found = [
        *_collapse(marks, doubts),
        *_recovery(record, marks),
        *_level(record),
        *_files(record),
        *_trim(record, marks),
    ]
    found += _beside(record, marks)
    if not found:
        statement = "Nothing can be said about filling and recovery: the drive was not filled, or not measured full."
        return [Finding("collapse_ratio_rand_write_512k", statement, None, "ratio", doubts=doubts)]
    return found


def all_marks(record: Record) -> dict[str, dict[str, float]]:
    """Condition -> metric -> rate [bytes/s] of every mark that was completed, in order."""
    conditions = dict.fromkeys(step.labels.word("condition") for step in record.steps_with(PASS))
    marks = {condition: scores(record, condition) for condition in conditions if condition}
    return {name: {load: score.value for load, score in mark.items()} for name, mark in marks.items() if mark}


def rate_of(step: StepRecord, kind: str = "written") -> float | None:
    """Bytes per second of a step that was completed; None otherwise."""
    if step.workload is None or step.status is not Status.DONE or not step.workload.duration_ns:
        return None
    return step.workload.totals.get(f"{kind}_bytes", 0) * _SECOND_NS / step.workload.duration_ns


def _curve(record: Record, role: str, load: str, over: str) -> list[tuple[float, float, str]]:
    """(the label `over`, rate, step name) of the steps of a role and a load, in order."""
    return [
        (step.labels.number(over), rate, step.name)
        for step in record.steps_with(role, load=load)
        if (rate := rate_of(step)) is not None
    ]


def _spread(curve: list[tuple[float, float, str]]) -> float:
    """Fastest over slowest rate of a curve."""
    rates = [rate for _, rate, _ in curve]
    return max(rates) / max(min(rates), 1.0)


def _collapse(marks: dict[str, dict[str, float]], doubts: tuple[Doubt, ...]) -> list[Finding]:
    fresh, full = marks.get(_FRESH, {}), marks.get(_FULL, {})
    found = []
    for metric, words in _WORDS.items():
        if not fresh.get(metric) or metric not in full:
            continue
        ratio = full[metric] / fresh[metric]
        told = "keep their rate" if ratio > _BACK else f"fall to {format_percent(ratio)}"
        rates = f"{format_rate(full[metric])} after {format_rate(fresh[metric])} fresh"
        statement = f"{words} {told} on a drive just filled: {rates}."
        evidence = (f"{_FRESH}: {metric} pass 1", f"{_FULL}: {metric} pass 1")
        details: dict[str, Any] = {"marks": marks} if metric == "rand_write_512k" else {}
        key = f"collapse_ratio_{metric}"
        found.append(Finding(key, statement, ratio, "ratio", evidence=evidence, doubts=doubts, details=details))
    return found


def _recovery(record: Record, marks: dict[str, dict[str, float]]) -> list[Finding]:
    """The shortest pause after which both probes are back at nine tenths of the best."""
    curves = {probe: _curve(record, RECOVERY, probe, "pause_s") for probe in _PROBES}
    if any(len(curve) < 2 for curve in curves.values()):
        return []
    pauses = [pause for pause, _, _ in curves[_PROBES[0]]]
    aims = {
        probe: max(marks.get(_FRESH, {}).get(probe, 0.0), max(rate for _, rate, _ in curves[probe]))
        for probe in _PROBES
    }
    worst = [
        min(curves[probe][index][1] / aims[probe] for probe in _PROBES if index < len(curves[probe]))
        for index in range(len(pauses))
    ]
    evidence = tuple(name for curve in curves.values() for _, _, name in curve)
    details = {"pauses_ns": [pause * _SECOND_NS for pause in pauses]} | {
        f"{probe}_bytes_per_second": [rate for _, rate, _ in curve] for probe, curve in curves.items()
    }
    key = "recovery_idle_ns"
    back = [index for index, share in enumerate(worst) if share >= _BACK]
    if all(_spread(curve) < _UNMOVED for curve in curves.values()) and max(worst) > 1 / _UNMOVED:
        back = [0]
    if not back:
        best = max(worst)
        statement = (
            f"Pauses of up to {format_time(round(pauses[-1] * _SECOND_NS))} do not bring a full drive back: random "
            f"writes stay at {format_percent(best)} of their best or less."
        )
        return [Finding(key, statement, None, "ns", evidence=evidence, details=details)]
    if back[0] == 0:
        statement = "Random writes keep their rate under load on a full drive: there is nothing to recover."
        return [Finding(key, statement, 0, "ns", 0, 0, evidence=evidence, details=details)]
    pause, before = pauses[back[0]] * _SECOND_NS, pauses[back[0] - 1] * _SECOND_NS
    statement = (
        f"After {format_time(round(pause))} of idleness a tired full drive is back at nine tenths of its best; "
        f"{format_time(round(before))} are not enough."
    )
    return [Finding(key, statement, round(pause), "ns", before, pause, evidence=evidence, details=details)]


def _level(record: Record) -> list[Finding]:
    """The fill level from which the files of test A are written more slowly, from the steps that wrote for long."""
    steps = record.steps_with(FILES)
    user_bytes = record.drive_facts.user_bytes
    for step in steps:
        if step.workload is None or not user_bytes or len(step.workload.series) < 20:
            continue
        series = step.workload.series
        written = np.asarray(series["written_bytes"], dtype=float)
        seconds = np.diff(np.asarray(series["elapsed_ns"], dtype=float), prepend=0.0) / 1e9
        pure = (np.asarray(series["read_bytes"]) == 0) & (written > 0) & (seconds > 0)
        begin = min(job["offset_bytes"] for job in step.parameters["jobs"] if job["direction"] == "write")
        levels = (begin + np.cumsum(written)[pure]) / user_bytes
        rates = written[pure] / seconds[pure]
        if len(rates) < 20:
            continue
        parts = np.array_split(np.arange(len(rates)), 20)
        means = [float(written[pure][part].sum() / seconds[pure][part].sum()) for part in parts]
        at = [float(levels[part[0]]) for part in parts]
        details = {"levels": at, "rates_bytes_per_second": means}
        slow = [index for index, mean in enumerate(means) if mean < _BACK * means[0]]
        slow = [index for index in slow if all(later in slow for later in range(index, len(means)))]
        key, evidence = "slow_fill_level_ratio", (step.name,)
        if not slow:
            statement = (
                f"Between {format_percent(at[0])} and {format_percent(float(levels[-1]))} full the files of test A are "
                f"written at one rate, {format_rate(means[0])}."
            )
            return [Finding(key, statement, None, "ratio", evidence=evidence, details=details)]
        level = at[slow[0]]
        statement = f"From {format_percent(level)} full on, long writes slow down: keep that share free."
        statement = statement.replace("that share", format_percent(1 - level))
        low = at[max(slow[0] - 1, 0)]
        return [Finding(key, statement, level, "ratio", low, level, evidence=evidence, details=details)]
    return []


def _files(record: Record) -> list[Finding]:
    """The largest file in which 4 KiB random writes keep nine tenths of their best rate."""
    curve = _curve(record, IN_A_FILE, "rand_write_4k", "file_mb")
    if len(curve) < 2:
        return []
    steps = [step for step in record.steps_with(IN_A_FILE) if rate_of(step) is not None]
    sizes = [int(step.parameters["jobs"][0]["size_bytes"]) for step in steps]
    rates = [rate for _, rate, _ in curve]
    best = max(rates)
    kept = [index for index, rate in enumerate(rates) if rate >= _BACK * best]
    largest = kept[-1]
    details = {"file_bytes": sizes, "rates_bytes_per_second": rates}
    evidence = tuple(name for _, _, name in curve)
    key = "largest_full_rate_file_bytes"
    if largest == len(sizes) - 1:
        limit = f"{format_bytes(sizes[-1])}, the largest tried"
        statement = f"4 KiB random writes keep {format_rate(best)} in files of up to {limit}."
        message = "no file was large enough to show a limit"
        doubts = (Doubt("TooShort", message, "try larger files"),)
        return [Finding(key, statement, sizes[-1], "bytes", evidence=evidence, doubts=doubts, details=details)]
    statement = (
        f"4 KiB random writes keep {format_rate(best)} in files of up to {format_bytes(sizes[largest])}; over "
        f"{format_bytes(sizes[-1])} they run at {format_rate(rates[-1])}. Test this drive with a larger file than that."
    )
    return [
        Finding(
            key,
            statement,
            sizes[largest],
            "bytes",
            sizes[largest],
            sizes[largest + 1],
            evidence=evidence,
            details=details,
        )
    ]


def _rest_alone(rested: list[tuple[float, float, str]], pauses: list[float], aim: float) -> list[float]:
    """The rate that each pause would give without a deletion, between the pauses that were tried."""
    if not rested:
        return [(2 * _BACK - 1) * aim] * len(pauses)  # half-way from it to the aim counts as recovered elsewhere
    return [
        float(rate) for rate in np.interp(pauses, [pause for pause, _, _ in rested], [rate for _, rate, _ in rested])
    ]


def _trim(record: Record, marks: dict[str, dict[str, float]]) -> list[Finding]:
    """The pause after a deletion after which random writes are fast, where rest alone would not have done it.

    It helps from the first pause after which the rate is past the middle between that of rest alone and the best.
    Where rest alone nearly gives that, or nothing was slow, or the probes fall back again after longer pauses, the
    share of the deletion cannot be found.
    """
    curves = {probe: _curve(record, TRIMMED, probe, "pause_s") for probe in _PROBES}
    if any(len(curve) < 2 for curve in curves.values()):
        return []
    curve = curves[_PROBES[0]]
    rested = _curve(record, RECOVERY, _PROBES[0], "pause_s")
    rates, pauses = [rate for _, rate, _ in curve], [pause for pause, _, _ in curve]
    best = max(rate for _, rate, _ in (*curve, *rested))
    aim = max(marks.get(_FRESH, {}).get(_PROBES[0], 0.0), best)
    details = {"pauses_ns": [pause * _SECOND_NS for pause in pauses], "rates_bytes_per_second": rates}
    evidence = tuple(name for _, _, name in (*curve, *rested))
    alone = _rest_alone(rested, pauses, aim)
    back = [
        index for index, (rate, without) in enumerate(zip(rates, alone, strict=True)) if rate >= (without + aim) / 2
    ]

    def untold(statement: str, kind: str, why: str, advice: str) -> list[Finding]:
        doubts, open_ = (Doubt(kind, why, advice),), details | could_not_tell(why)
        return [Finding(_TRIM_KEY, statement, None, "ns", evidence=evidence, doubts=doubts, details=open_)]

    if rested and rested[0][1] > aim / _UNMOVED:
        why = "the load before did not slow the drive down, so a deletion could not make it faster"
        statement = "Random writes were fast before anything was deleted; whether deleting (TRIM) helps is not known."
        return untold(statement, "CacheInTheWay", why, "fill the drive further, or write to it at random for longer")
    helped = max(rates) > _UNMOVED * max((rate for _, rate, _ in rested), default=max(rates))
    if not back and not helped:
        longest = format_time(round(pauses[-1] * _SECOND_NS))
        statement = f"Deleting does not help within {longest}: writes stay at {format_percent(max(rates) / aim)}."
        details |= visible(most=pauses[-1] * _SECOND_NS)
        return [Finding(_TRIM_KEY, statement, None, "ns", evidence=evidence, details=details)]
    if not back or min(rates[back[0] :]) < aim / _UNMOVED**2:
        statement = "After a deletion random writes are fast and slow in turn; when it begins to help is not known."
        why = "the drive stops for longer than a probe of 3 s"
        return untold(statement, "NotSteady", why, "see the chart of this curve, and repeat the experiment")
    pause = pauses[back[0]]
    if pause > 0 and alone[back[0]] > aim / _UNMOVED:
        statement = (
            f"{format_time(round(pause * _SECOND_NS))} after a deletion random writes are back, but rest alone brings "
            "them back as soon: whether the deletion (TRIM) helped is not known."
        )
        why = "collection in idle time frees space by itself"
        return untold(statement, "CacheInTheWay", why, "delete more, so that rest alone is not enough")
    before = pauses[back[0] - 1] if back[0] else 0.0
    statement = (
        "Random writes are fast right after deleting (TRIM): no pause is needed."
        if not back[0]
        else f"Deleting (TRIM) helps after {format_time(round(pause * _SECOND_NS))} of idleness; "
        f"{format_time(round(before * _SECOND_NS))} are not enough."
    )
    low, high = before * _SECOND_NS, pause * _SECOND_NS
    value = round(pause * _SECOND_NS)
    return [Finding(_TRIM_KEY, statement, value, "ns", low, high, evidence=evidence, details=details)]


def _beside(record: Record, marks: dict[str, dict[str, float]]) -> list[Finding]:
    """The rate that remains for reads while test A writes."""
    step = record.step_with(BESIDE)
    alone = marks.get(_FRESH, {}).get("rand_read_512k")
    rate = rate_of(step, "read") if step is not None else None
    if not rate or not alone:
        return []
    statement = f"Beside test A 512 KiB random reads run at {format_percent(rate / alone)} of what they do alone."
    return [Finding("beside_ratio_rand_read_512k", statement, rate / alone, "ratio", evidence=(BESIDE_NAME,))]
