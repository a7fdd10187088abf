"""Long writes that never become slower, beside an experiment that saw them slower under the same load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, every, numbers_told
from flashscope.records import Record
from flashscope.units import format_percent

_SLOWER = 0.8
_KEPT = 0.9
_SEQUENTIAL_AFTER_A_FILL = ("collapse_ratio_seq_write", "write_ratio_after_random_fill", "write_ratio_after_zero_fill")


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for fall in every(records):
        if fall.finding.key != "rate_fall":
            continue
        if fall.finding.value is None and not fall.finding.statement.startswith("It is not known"):
            yield from _seen_elsewhere(fall, records)
        elif fall.finding.value is not None:
            yield from _kept_elsewhere(fall, records)


def _seen_elsewhere(no_fall: Told, records: Sequence[Record]) -> Iterator[Objection]:
    """Writes in order on a full drive that are slower than on a fresh one."""
    for ratio in numbers_told(records, *_SEQUENTIAL_AFTER_A_FILL):
        if ratio.high < _SLOWER:
            seen = f"{ratio.record.experiment} writes a full drive at {format_percent(ratio.value)} of its fresh rate"
            yield doubted(no_fall, seen, ratio)
            yield doubted(ratio, f"{no_fall.record.experiment} saw no fall while it filled the drive twice", no_fall)


def _kept_elsewhere(fall: Told, records: Sequence[Record]) -> Iterator[Objection]:
    """A short test on a full drive that is as fast as on a fresh one, although long writes were seen to fall."""
    ratios = [each for each in numbers_told([fall.record], "rate_ratio") if each.high < _SLOWER]
    for ratio in ratios:
        for kept in numbers_told(records, "collapse_ratio_seq_write"):
            if kept.low > _KEPT:
                reason = f"long writes settle at {format_percent(ratio.value)}; this is a test of one gigabyte"
                yield doubted(kept, reason, fall)


RULE = Rule("no-fall", "What falls under a load in one experiment does not stay up under it in another.", _objections)
