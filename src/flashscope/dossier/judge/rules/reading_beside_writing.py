"""Reading and writing hinder each other, or do not: copies of files, requests at once, and requests in turn.

Each may be true for its load; beside each other they need the load said, and the advice of one does not hold for all.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Number, doubted, numbers_told
from flashscope.records import Record

_HINDER = 1.1
_DO_NOT = 1.05
_LOADS = {
    "delay_ratio": "copies of files through the host's memory",
    "interference_ratio": "reading and writing at once",
    "interference_ratio_in_turn": "one request after another, in turn",
}


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for one, other in itertools.combinations(numbers_told(records, *_LOADS), 2):
        if one.finding.key != other.finding.key and (_apart(one, other) or _apart(other, one)):
            yield doubted(one, _holds_for(one, other), other)
            yield doubted(other, _holds_for(other, one), one)


def _apart(hinder: Number, free: Number) -> bool:
    return hinder.low > _HINDER and free.high < _DO_NOT


def _holds_for(this: Number, other: Number) -> str:
    return f"this holds for {_LOADS[this.finding.key]}; for {_LOADS[other.finding.key]} the ratio is {other.value:.2f}"


RULE = Rule(
    "reading-beside-writing", "Reading and writing hinder each other, or do not, under one kind of load.", _objections
)
