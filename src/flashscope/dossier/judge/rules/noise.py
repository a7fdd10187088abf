"""Findings of a run beside which the machine, or the drive, did other work.

    Stalled           the machine stood still: freezes and the slowest requests are withdrawn, other times doubted
    SharedDrive       another load moved much of what the drive moved: what is inferred from times is withdrawn
    BusyHost          other programs had the processors: what is inferred from times is doubted
    Throttled         the drive was hot: the same

A rate stays a rate that was seen, so it is doubted and not withdrawn. Virtual drives have neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.subjects import FLASH, INSIDE
from flashscope.dossier.judge.told import doubted, every, withdrawn
from flashscope.records import Record

_WAITS = re.compile(r"longest_freeze_.*|hitches_.*|latency_p999.*")
_DISTURBING = ("Stalled", "SharedDrive", "BusyHost", "Throttled")
_BY_COUNTERS = ("attribute", "erase_step", "host_written", "write_amplification", "rber", "error_bits", "capacity")
"""Words in the keys of findings that rest on counts, which no load of others changes much."""


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        disturbed = {doubt.kind: doubt.message for doubt in found.record.doubts if doubt.kind in _DISTURBING}
        key = found.finding.key
        if not disturbed or any(word in key for word in _BY_COUNTERS):
            continue
        if "Stalled" in disturbed and _WAITS.fullmatch(key):
            yield withdrawn(found, f"{disturbed['Stalled']}, and requests that wait then say nothing about the drive")
            continue
        inferred = FLASH.fullmatch(key) or INSIDE.fullmatch(key)
        if inferred and "SharedDrive" in disturbed:
            yield withdrawn(found, f"{disturbed['SharedDrive']}, so times say little about the inside")
        elif found.finding.value is not None or inferred:
            yield doubted(found, next(disturbed[kind] for kind in _DISTURBING if kind in disturbed))


RULE = Rule(
    "noise", "What is inferred from times needs a drive and a machine that do nothing else meanwhile.", _objections
)
