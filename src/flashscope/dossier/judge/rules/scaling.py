"""An array of drives that is faster than all its members together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, every, withdrawn
from flashscope.records import Record

_MEASURING_MARGIN = 1.03


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        if found.finding.value is not None and found.finding.key.startswith("useful_member_count"):
            yield from _too_fast(found)


def _too_fast(found: Told) -> Iterator[Objection]:
    members = len(found.record.drive_facts.members)
    gain = re.search(r"([0-9.]+) times", found.finding.statement)
    if gain is not None and float(gain[1]) > _MEASURING_MARGIN * members:
        yield withdrawn(found, f"{gain[1]} times the rate of one drive cannot come from {members}")


RULE = Rule("scaling", "An array is at most as many times faster than one drive as it has members.", _objections)
