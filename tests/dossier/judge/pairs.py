"""What an engineer calls contradictory: all pairs of findings of a drive's records, told apart from the judge's rules.

    one key, two records       values that are more than twice apart, and whose intervals do not meet; words that differ
    two keys                   the relations below, each with the words that an engineer would say

A pair is ruled when one of the two was withdrawn, or doubted by the judge. HD Tune reads 64 KiB at a time under names
that other programs use for larger requests, and says so in its sentence; that is no contradiction.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence

from flashscope.dossier.judge.told import Number, Told, every, every_number
from flashscope.records import Record

_APART = 2.0
_OWN_LOADS = {"hd-tune": {"seq_read", "seq_write"}}


def _hinders_and_does_not(one: Number, other: Number) -> bool:
    return (one.low > 1.15 and other.high < 1.0) or (other.low > 1.15 and one.high < 1.0)


def _fell_meanwhile(settled: Number) -> bool:
    """Whether a long write that ends as it began was slow in between."""
    return any(each.key == "rate_fall" and each.value is not None for each in settled.record.findings)


WORDS = (("compresses", "fill_data_matters", "compresses, and does not"),)
"""Two keys whose words must be the same, and how an engineer says that they are not."""

RELATIONS: tuple[tuple[str, str, Callable[[Number, Number], bool], str], ...] = (
    ("burst_rate", "read_rate_max", lambda a, b: 1.2 * a.value < b.value, "reads are faster than the link"),
    ("delay_ratio", "interference_ratio", _hinders_and_does_not, "hinder each other, and do not"),
    ("delay_ratio", "interference_ratio_in_turn", _hinders_and_does_not, "hinder each other, and do not"),
    ("interference_ratio", "interference_ratio_in_turn", _hinders_and_does_not, "hinder each other, and do not"),
    (
        "collapse_ratio_rand_write_4k",
        "write_amplification_random",
        lambda a, b: a.low > 0.95 and b.low > 3,
        "random writes cost many times their bytes, and keep their rate",
    ),
    (
        "rate_ratio",
        "write_ratio_after_random_fill",
        lambda a, b: a.low > 0.95 and b.high < 0.75 and not _fell_meanwhile(a),
        "long writes keep their rate, and are slower on a full drive",
    ),
    (
        "longest_freeze_mixed_ns",
        "response_time_qd1_ns",
        lambda a, b: b.value > 2 * a.value,
        "a request waits longer on average than the longest freeze",
    ),
    (
        "write_rate_max",
        "first_rate_bytes_per_second",
        lambda a, b: a.value > 1.5 * b.value,
        "a benchmark writes faster than a long write even at its beginning",
    ),
)
"""Two keys, when their numbers contradict each other, and how an engineer says it."""


def unruled_pairs(records: Sequence[Record]) -> list[str]:
    """Each contradictory pair that nobody has ruled on, in words."""
    words = [each for each in every(records) if isinstance(each.finding.value, str)]
    findings = [*words, *every_number(records)]
    return [
        f"{one.record.experiment} {one.finding.key} = {one.finding.value!r}, "
        f"{other.record.experiment} {other.finding.key} = {other.finding.value!r}: {why}"
        for one, other in itertools.combinations(findings, 2)
        if not _is_ruled(one) and not _is_ruled(other)
        for why in _contradictions(one, other)
    ]


def _contradictions(one: Told, other: Told) -> Iterator[str]:
    of_two_runs = one.finding.key == other.finding.key and one.record.id != other.record.id
    if of_two_runs and not (_own_load(one) or _own_load(other)) and _differ(one, other):
        yield "one thing, two answers"
    for a, b in ((one, other), (other, one)):
        keys = a.finding.key, b.finding.key
        for first, second, why in WORDS:
            if keys == (first, second) and a.finding.value != b.finding.value:
                yield why
        for first, second, contradict, why in RELATIONS:
            if keys == (first, second) and isinstance(a, Number) and isinstance(b, Number) and contradict(a, b):
                yield why


def _differ(one: Told, other: Told) -> bool:
    if not (isinstance(one, Number) and isinstance(other, Number)):
        return one.finding.value != other.finding.value
    least, most = sorted((abs(one.value), abs(other.value)))
    return most > _APART * least and (one.low > other.high or other.low > one.high)


def _own_load(told: Told) -> bool:
    return told.finding.key in _OWN_LOADS.get(told.record.experiment, set())


def _is_ruled(told: Told) -> bool:
    return any(doubt.kind.startswith("Judge:") for doubt in told.finding.doubts)
