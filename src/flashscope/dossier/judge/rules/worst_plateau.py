"""A headline that leaves out the worst plateau of its own series: "settles at 963 MB/s" over a stretch at 40 MB/s.

The first fall says where the rate falls first. A later and deeper one, or a rate that comes back, is not in it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, every, numbers_told
from flashscope.dossier.plateaus import Plateau, lowest, plateaus_of
from flashscope.records import Record
from flashscope.units import format_bytes, format_rate

_CLEARLY_SLOWER = 0.8


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for curve in every(records):
        if curve.finding.key == "rate_fall":
            worst = lowest(plateaus_of(curve.finding))
            if worst is not None:
                yield from _left_out(curve, worst)


def _left_out(curve: Told, worst: Plateau) -> Iterator[Objection]:
    rate = worst.rate
    said = f"from {format_bytes(worst.from_bytes)} to {format_bytes(worst.to_bytes)} it writes at "
    keys = ("settled_rate_bytes_per_second", "rate_ratio")
    settled = numbers_told([curve.record], *keys)
    ends_at = next((each.value for each in settled if each.finding.key == keys[0]), None)
    reason = f"this leaves out the worst of its own curve: {said}{format_rate(rate)}"
    if ends_at is not None and rate < _CLEARLY_SLOWER * ends_at:
        yield from (doubted(each, reason) for each in settled if not _names(each, rate))
    first_fall = _rate_after_first_fall(curve)
    if first_fall is not None and rate < _CLEARLY_SLOWER * first_fall and not _names(curve, rate):
        yield doubted(curve, reason)


def _names(found: Told, rate: float) -> bool:
    """Whether the sentence tells that rate, too."""
    return format_rate(rate) in found.finding.statement


def _rate_after_first_fall(curve: Told) -> float | None:
    """The rate that the statement names as the one after the fall."""
    rates = [each.rate for each in plateaus_of(curve.finding)]
    if curve.finding.value is None:
        return None
    return next((after for before, after in itertools.pairwise(rates) if after < before), None)


RULE = Rule(
    "worst-plateau", "The rates that stand for a long write include the slowest stretch of its curve.", _objections
)
