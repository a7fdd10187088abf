"""One kind of request that takes very different times in different experiments.

Reads of places that were never written need no flash: the time of one is not that of a read, and is withdrawn. Other
times may differ by the state of the drive; then each is doubted and names the other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Number, Told, doubted, numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_time

_SOONER = 1.3
_FAR_APART = 2.0
_SECOND_NS = 1e9
_PAGE_BYTES = 4096


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    data = numbers_told(records, "rand_read_4k")
    slowest = min(data, key=lambda each: each.value, default=None)
    if slowest is not None and slowest.value > 0:
        of_data_ns = _PAGE_BYTES / slowest.value * _SECOND_NS
        for empty in numbers_told(records, "access_time_read_ns", "access_time_read_4k_ns"):
            if _of_empty_places(empty) and of_data_ns > _SOONER * empty.value:
                reason = f"places that were never written answer sooner: 4 KiB of data take {format_time(of_data_ns)}"
                yield withdrawn(empty, reason, slowest)
    for key in ("access_time_write_ns", "access_time_write_4k_ns"):
        for one, other in itertools.combinations(numbers_told(records, key), 2):
            if max(one.value, other.value) > _FAR_APART * min(one.value, other.value):
                yield doubted(one, _differs(other), other)
                yield doubted(other, _differs(one), one)


def _of_empty_places(found: Told) -> bool:
    return any(doubt.kind == "NotFilled" for doubt in found.finding.doubts)


def _differs(other: Number) -> str:
    return f"in {other.record.experiment}, with the drive in another state, it takes {format_time(other.value)}"


RULE = Rule(
    "latency-of-a-request",
    "A request takes as long in one experiment as in another, unless the state of the drive differs.",
    _objections,
)
