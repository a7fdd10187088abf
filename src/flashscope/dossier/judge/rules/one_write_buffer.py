"""Sizes of the write buffer whose intervals do not meet, and bursts that are fast where no buffer was seen."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import both_doubted, can_both_be, more_trusted, numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_bytes_binary

_SAME_RATIO = 1.25


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for one, other in itertools.combinations(numbers_told(records, "write_buffer_bytes"), 2):
        if can_both_be(one, other, _SAME_RATIO):
            continue
        better = more_trusted(one, other)
        if better is None:
            sizes = " and ".join(format_bytes_binary(each.value) for each in (one, other))
            yield from both_doubted(one, other, f"two runs find write buffers of different sizes, {sizes}")
        else:
            worse = other if better is one else one
            size = format_bytes_binary(better.value)
            yield withdrawn(worse, f"{better.record.experiment} finds a buffer of {size}, with less doubt", better)


RULE = Rule("one-write-buffer", "A drive has one write buffer, of one size.", _objections)
