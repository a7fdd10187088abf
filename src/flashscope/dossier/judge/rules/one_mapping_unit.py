"""A drive has one mapping unit: two experiments that find different ones cannot both be right."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import both_doubted, more_trusted, numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_bytes_binary


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for one, other in itertools.combinations(numbers_told(records, "mapping_unit_bytes"), 2):
        if one.value == other.value:
            continue
        better = more_trusted(one, other)
        if better is None:
            sizes = " and ".join(sorted(format_bytes_binary(each.value) for each in (one, other)))
            yield from both_doubted(one, other, f"two experiments find different units, {sizes}")
        else:
            worse = other if better is one else one
            size = format_bytes_binary(better.value)
            yield withdrawn(worse, f"{better.record.experiment} finds a unit of {size}, with less doubt", better)


RULE = Rule("one-mapping-unit", "A drive keeps its data in units of one size.", _objections)
