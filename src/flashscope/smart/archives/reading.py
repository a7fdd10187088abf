"""An archive is read: its batches one after the other, each merged as soon as it is there.

A `Source` gives the partials in the order of the batches: `one_by_one` on this machine; a cluster gives them likewise.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from flashscope.smart.archives.batch import Partial, read_batch
from flashscope.smart.archives.day_files import DayFile, NotRead
from flashscope.smart.archives.engine import Limits
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.plan import Plan

Source = Callable[[Sequence[Sequence[DayFile]], Limits], Iterator[Partial]]
_KIB = 1024


@dataclass(frozen=True)
class Effort:
    """What reading took. day_count: days in the files that were read; memory_bytes: the highest of this process."""

    took_s: float
    day_count: int
    row_count: int
    size_bytes: int
    memory_bytes: int


def one_by_one(batches: Sequence[Sequence[DayFile]], limits: Limits) -> Iterator[Partial]:
    """The partials of the batches, read in this process."""
    for batch in batches:
        yield read_batch(batch, limits)


def read_archive(
    plan: Plan,
    keeper: Keeper,
    limits: Limits,
    *,
    source: Source = one_by_one,
    advanced: Callable[[int, Effort], None] = lambda batches, effort: None,
) -> tuple[Effort, list[NotRead]]:
    """Read all batches of a plan into the database; the effort, and the files that could not be read.

    advanced: called after each batch with the batches done so far and the effort until then.
    """
    began_s = time.monotonic()
    not_read: list[NotRead] = []
    days: set[object] = set()
    rows = size_bytes = 0
    effort = Effort(0.0, 0, 0, 0, memory_bytes())
    for done, partial in enumerate(source(plan.batches, limits), 1):
        keeper.merge(partial)
        not_read += partial.not_read
        days.update(file.begins for file in partial.files)
        rows += partial.row_count
        size_bytes += sum(file.size_bytes for file in partial.files)
        effort = Effort(time.monotonic() - began_s, len(days), rows, size_bytes, memory_bytes())
        advanced(done, effort)
    return effort, not_read


def memory_bytes() -> int:
    """The most memory that this process had in use at once so far [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _KIB
