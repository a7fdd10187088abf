"""One load that two benchmark programs ran at very different rates: each names the other.

Both may be true: a program may write after its own random writes, or read what lies in another kind of cell. A rate
that contains a flush (`littles_law.py`) is not compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.ruling import is_of_judge
from flashscope.dossier.judge.told import Number, doubted, numbers_told
from flashscope.records import Record
from flashscope.units import format_rate

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
_FAR_APART = 2.0
_PAUSE = "littles-law"


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for load in _LOADS:
        rates = [each for each in numbers_told(records, load) if _counts(each)]
        for rate in rates:
            farthest = max(rates, key=lambda other: _ratio(other, rate))
            if _ratio(farthest, rate) > _FAR_APART:
                where = f"{farthest.record.experiment} runs the same load at {format_rate(farthest.value)}"
                yield doubted(rate, f"{where}: the drive was not in one state, or not undisturbed", farthest)


def _counts(rate: Number) -> bool:
    """Of a program that runs this load, and without a pause in it, which another rule has found."""
    pause = any(is_of_judge(doubt, _PAUSE) for doubt in rate.finding.doubts)
    return rate.record.experiment in _PROGRAMS and rate.value > 0 and not pause


def _ratio(one: Number, other: Number) -> float:
    return max(one.value, other.value) / min(one.value, other.value)


RULE = Rule("one-load-one-rate", "Benchmark programs run one load at one rate, unless the state differs.", _objections)
