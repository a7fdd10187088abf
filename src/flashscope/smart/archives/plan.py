"""Which files are still to be read, in batches of whole days."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from flashscope.smart.archives.day_files import DayFile, NotRead

_PACKED_RATIO = 10
"""How much larger than a .gz its content is, about."""


@dataclass(frozen=True)
class Plan:
    """batches: of whole days, in their order. known: files that were read before, under whatever name."""

    batches: tuple[tuple[DayFile, ...], ...]
    known: tuple[str, ...]
    not_read: tuple[NotRead, ...]

    @property
    def size_bytes(self) -> int:
        """Of all files that are still to be read; for a .gz as it is packed."""
        return sum(file.size_bytes for batch in self.batches for file in batch)


def plan_batches(files: Sequence[DayFile], known: Mapping[str, str], last_day: date | None, batch_bytes: int) -> Plan:
    """What is still to be read. files: in the order of their days. known: fingerprint -> name of what was read.

    last_day: the last day that is there already; files of that day and before come too late. batch_bytes: a batch
    takes further days until its CSV is this large.
    """
    seen = dict(known)
    again: list[str] = []
    late: list[NotRead] = []
    batches: list[list[DayFile]] = []
    filled_bytes = 0
    for file in files:
        if file.fingerprint in seen:
            again.append(file.name)
            continue
        seen[file.fingerprint] = file.name
        if last_day is not None and file.begins <= last_day:
            late.append(NotRead(file.name, _too_late(file.begins, last_day)))
            continue
        of_same_day = batches and batches[-1][-1].begins == file.begins
        if not of_same_day and (not batches or filled_bytes >= batch_bytes):
            batches.append([])
            filled_bytes = 0
        batches[-1].append(file)
        filled_bytes += file.size_bytes * (_PACKED_RATIO if file.path.suffix.lower() == ".gz" else 1)
    return Plan(tuple(tuple(batch) for batch in batches), tuple(again), tuple(late))


def _too_late(day: date, last_day: date) -> str:
    return (
        f"its day, {day}, is not after {last_day}, the last one that is there, and days are counted in their order; "
        "to add it, read all files into a new database"
    )
