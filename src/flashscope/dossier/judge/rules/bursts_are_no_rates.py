"""Short tests of writing that are faster than long writes ever were: a buffer took them in, or data that shrink."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, numbers_told
from flashscope.records import Record
from flashscope.units import format_rate

_FASTER = 1.3
_SHORT_TESTS = (
    "seq_write",
    "seq_write_max",
    "seq_write_min",
    "seq_write_1m_qd8",
    "seq_write_128k_qd32",
    "rand_write_512k",
    "rand_write_4k",
    "rand_write_4k_qd32",
    "rand_write_4k_qd32_t16",
    "rand_write_4k_64_threads",
    "write_rate_max",
)


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    long = [
        *numbers_told(records, "first_rate_bytes_per_second"),
        *numbers_told(records, "settled_rate_bytes_per_second"),
    ]
    best = max(long, key=lambda each: each.value, default=None)
    if best is None:
        return
    for short in numbers_told(records, *_SHORT_TESTS):
        if short.value > _FASTER * best.value:
            yield doubted(short, f"{_why(short)}; long writes reach {format_rate(best.value)}", best)


def _why(short: Told) -> str:
    if any(doubt.kind == "CompressibleData" for doubt in short.finding.doubts):
        return "a buffer took it in, or the data shrink"
    return "so short a test is taken in by a buffer"


RULE = Rule(
    "bursts-are-no-rates",
    "A rate of writing that no long write reaches is that of a buffer, not of the flash.",
    _objections,
)
