"""The places of a disk that are free before, during and after a repair, and those that it takes from the gaps.

| table | loader? | 1 |gap|  2  |.....gap.....|        the gap before the first partition is never used
                                 ^new end
taken     what moved partitions cover that no partition covered before
free      what none of them covers at any time: room for the journal
vacated   what moved partitions covered, and nothing covers afterwards
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from flashscope.realign.disk import Disk
from flashscope.realign.journal import BLOCK_BYTES
from flashscope.realign.plan import Plan

Span = tuple[int, int]
"""Start and end [bytes on the disk], the end exclusive."""

_SEARCH_BYTES = 64 << 20
_MARKED_BYTES = 1 << 20
_AT_ONCE_BYTES = 1 << 20


@dataclass(frozen=True)
class Found:
    """Data in a place that no partition covers. at_bytes: the first of them. span: the place."""

    at_bytes: int
    span: Span


def taken_spans(plan: Plan) -> list[Span]:
    """The parts of gaps that the moved partitions will cover. Extended boot records are rewritten, so they are none."""
    return list(_without(_new_spans(plan), [*_old_spans(plan), *_records(plan)]))


def free_spans(plan: Plan) -> list[Span]:
    """What no partition, table or record covers before or after, behind the first partition; the largest first."""
    layout, table = plan.layout, plan.layout.table
    if table is None or not layout.partitions:
        return []
    first = min(each.start_bytes for each in layout.partitions)
    used = [*_old_spans(plan), *_new_spans(plan)]
    used += [*_records(plan), *((at, at + layout.sector_bytes) for at in plan.places.records.values())]
    found = _without([(first, min(table.end_usable_bytes, layout.size_bytes))], used)
    return sorted(found, key=lambda span: span[0] - span[1])


def vacated_spans(plan: Plan) -> list[Span]:
    """The old places that nothing covers after the repair: the first and the last part of each, in whole sectors.

    Marks of file systems, arrays and volumes stand near the start or the end of what they mark.
    """
    moved = {move.number for move in plan.moves}
    old = [(move.from_bytes, move.from_bytes + move.length_bytes) for move in plan.moves]
    stay = [(each.start_bytes, each.end_bytes) for each in plan.layout.holding_data() if each.number not in moved]
    sector = plan.layout.sector_bytes
    records = [(at, at + sector) for at in plan.places.records.values()]
    spans = []
    for start, end in _without(sorted(old), [*_new_spans(plan), *stay, *_records(plan), *records]):
        if end - start <= 2 * _MARKED_BYTES:
            spans.append((start, end))
        else:
            spans += [(start, start + _MARKED_BYTES), (end - _MARKED_BYTES, end)]
    return spans


def journal_span(plan: Plan, size_bytes: int) -> Span | None:
    """Where a journal of a size fits: at the end of the largest free place; None where it fits nowhere."""
    for start, end in free_spans(plan):
        last = (end - size_bytes) // BLOCK_BYTES * BLOCK_BYTES
        if last >= start:
            return last, last + size_bytes
    return None


def places_to_search(gaps: Iterable[Span]) -> Iterator[Span]:
    """Where in the gaps of a table a journal may lie: near their ends, since a gap may have grown or shrunk since."""
    for start, end in gaps:
        if end - start <= 2 * _SEARCH_BYTES:
            yield start, end
        else:
            yield start, start + _SEARCH_BYTES
            yield end - _SEARCH_BYTES, end


def first_data(disk: Disk, spans: Iterable[Span]) -> Found | None:
    """The first bytes in some places that are neither zeros nor erased flash; None when all are blank."""
    for start, end in spans:
        for at in range(start, end, _AT_ONCE_BYTES):
            content = disk.read(at, min(_AT_ONCE_BYTES, end - at))
            if content.strip(b"\0") and content.strip(b"\xff"):
                blank = len(content) - len(content.lstrip(b"\0"))
                return Found(at + blank, (start, end))
    return None


def _old_spans(plan: Plan) -> list[Span]:
    return [(each.start_bytes, each.end_bytes) for each in plan.layout.holding_data()]


def _records(plan: Plan) -> list[Span]:
    table = plan.layout.table
    return [(at, at + table.sector_bytes) for at in table.chain_bytes] if table else []


def _new_spans(plan: Plan) -> list[Span]:
    return [(move.to_bytes, move.to_bytes + move.length_bytes) for move in plan.moves]


def _without(spans: Iterable[Span], taken: Iterable[Span]) -> Iterator[Span]:
    """What is left of some spans when others are cut out of them."""
    cuts = sorted(taken)
    for start, end in spans:
        here = start
        for first, last in cuts:
            if last <= here or first >= end:
                continue
            if first > here:
                yield here, first
            here = max(here, last)
        if here < end:
            yield here, end
