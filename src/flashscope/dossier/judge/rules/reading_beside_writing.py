"""Reading and writing hinder each other, or do not: copies of files against requests of both kinds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, numbers_told
from flashscope.records import Record

_HINDER = 1.1
_DO_NOT = 1.05


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for copied in numbers_told(records, "delay_ratio"):
        for mixed in numbers_told(records, "interference_ratio", "interference_ratio_in_turn"):
            apart = _hinder(mixed) and _do_not(copied), _hinder(copied) and _do_not(mixed)
            if any(apart):
                how = "one request at a time" if mixed.finding.key.endswith("in_turn") else "many at once"
                other = f"for requests in turn or at once ({how}) the ratio is {mixed.value:.2f}"
                yield doubted(copied, f"this holds for copies of files through the host's memory; {other}", mixed)
                yield doubted(
                    mixed, f"this holds for {how}; for copies of files the ratio is {copied.value:.2f}", copied
                )


def _hinder(ratio: Told) -> bool:
    return ratio.low > _HINDER


def _do_not(ratio: Told) -> bool:
    return ratio.high < _DO_NOT


RULE = Rule(
    "reading-beside-writing", "Reading and writing hinder each other, or do not, under one kind of load.", _objections
)
