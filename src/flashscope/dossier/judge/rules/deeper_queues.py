"""Deeper queues that bring nothing, beside a benchmark that is much faster with a deep queue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, numbers_told
from flashscope.records import Record

_ONE = 1.05
_BRINGS = 1.5
_PARTS_OF_A_REQUEST = 2.5


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for kind in ("read", "write"):
        parallel = numbers_told(records, f"effective_parallelism_{kind}s")
        for one in parallel:
            if one.high <= _ONE:
                yield from _faster_when_deep(one, kind, records)
    for units in numbers_told(records, "parallel_unit_count"):
        for reads in numbers_told(records, "effective_parallelism_reads"):
            if reads.low > _PARTS_OF_A_REQUEST * units.high:
                reason = f"{reads.value:.3g} reads are worked on at once, more than so many units can take"
                yield doubted(units, reason, reads)


def _faster_when_deep(one: Told, kind: str, records: Sequence[Record]) -> Iterator[Objection]:
    """Within one run of a benchmark, so that the drive is in one state."""
    for deep in numbers_told(records, f"rand_{kind}_4k_qd32"):
        for alone in numbers_told([deep.record], f"rand_{kind}_4k"):
            if deep.value > _BRINGS * alone.value:
                gain = deep.value / alone.value
                yield doubted(one, f"{deep.record.experiment} is {gain:.2g} times as fast with 32 outstanding", deep)


RULE = Rule("deeper-queues", "A deep queue brings nothing only where no experiment is faster with one.", _objections)
