"""One load that two benchmark programs ran at very different rates, or in very different times: each names the other.

Both may be true: a program may write after its own random writes, read what lies in another kind of cell, or read while
a cache is filled. A rate that contains a flush (`littles_law.py`) is not compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.ruling import is_of_judge
from flashscope.dossier.judge.told import Number, doubted, numbers_told
from flashscope.records import Record
from flashscope.units import format_rate, format_time

_PROGRAMS = ("crystaldiskmark-3", "crystaldiskmark-5", "crystaldiskmark-8", "as-ssd")
_LOADS = (
    "seq_read",
    "seq_write",
    "rand_read_512k",
    "rand_write_512k",
    "rand_read_4k",
    "rand_write_4k",
    "rand_read_4k_qd32",
    "rand_write_4k_qd32",
)
_TIMED_LOADS = ("access_time_read_ns",)
_TIMED_PROGRAMS = ("hd-tune", "as-ssd")
_FAR_APART = 2.0
_PAUSE = "littles-law"


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for load in _LOADS:
        yield from _far_apart(
            [each for each in numbers_told(records, load) if _counts(each, _PROGRAMS)],
            lambda other: f"runs the same load at {format_rate(other.value)}",
        )
    for load in _TIMED_LOADS:
        yield from _far_apart(
            [each for each in numbers_told(records, load) if _counts(each, _TIMED_PROGRAMS)],
            lambda other: f"takes {format_time(other.value)} for the same load",
        )


def _far_apart(found: Sequence[Number], said: Callable[[Number], str]) -> Iterator[Objection]:
    """Those more than twice as high or low as another one. said: what a program found, a clause without its subject."""
    for each in found:
        farthest = max(found, key=lambda other: _ratio(other, each))
        if _ratio(farthest, each) > _FAR_APART:
            where = f"{farthest.record.experiment} {said(farthest)}"
            yield doubted(each, f"{where}: the drive was not in one state, or not undisturbed", farthest)


def _counts(found: Number, programs: Sequence[str]) -> bool:
    """Of a program that runs this load, and without a pause in it, which another rule has found."""
    pause = any(is_of_judge(doubt, _PAUSE) for doubt in found.finding.doubts)
    return found.record.experiment in programs and found.value > 0 and not pause


def _ratio(one: Number, other: Number) -> float:
    return max(one.value, other.value) / min(one.value, other.value)


RULE = Rule("one-load-one-rate", "Benchmark programs run one load at one rate, unless the state differs.", _objections)
