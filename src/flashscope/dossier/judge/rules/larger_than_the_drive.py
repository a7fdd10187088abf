"""A size of something that lies on the drive, larger than the drive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import numbers_told, withdrawn
from flashscope.records import Record
from flashscope.units import format_bytes

_ON_THE_DRIVE = (
    "write_buffer_bytes",
    "hybrid_cache_bytes",
    "largest_full_rate_file_bytes",
    "hybrid_cache_largest_request_bytes",
    "mapping_unit_bytes",
)


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in numbers_told(records, *_ON_THE_DRIVE):
        has = found.record.drive_facts.user_bytes
        if has and found.high > has:
            yield withdrawn(found, f"{format_bytes(found.high)} is more than the drive has, {format_bytes(has)}")


RULE = Rule("larger-than-the-drive", "Nothing that lies on the drive is larger than the drive.", _objections)
