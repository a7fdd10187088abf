"""Write amplification below 1: less reaches the flash than the host writes, which only a compressing drive does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import doubted, numbers_told, told, withdrawn
from flashscope.records import Record


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    if any(each.finding.value == "yes" for each in told(records, "compresses")):
        return
    for found in numbers_told(records, "write_amplification_random"):
        if found.high < 1:
            yield withdrawn(found, f"{found.value:.3g} would mean that less reaches the flash than was written")
        elif found.low < 1:
            yield doubted(found, f"its interval begins at {found.low:.3g}, and less than 1 cannot be")


RULE = Rule(
    "write-amplification",
    "On a drive that does not compress, at least as much reaches the flash as the host writes.",
    _objections,
)
