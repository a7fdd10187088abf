"""The longest freeze, although another experiment saw a much longer one under the same kind of load.

Both may be true, as the drive was in another state or watched for another time; then it is said where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.loads import jobs_of, one_at_a_time, said_of
from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, numbers_told
from flashscope.records import Record, StepRecord
from flashscope.units import format_time

_MUCH_LONGER = 3
_NOTICED_NS = 1_000_000
_HITCH_NS = 100_000_000
_DIRECTION = {"writes": "randwrite", "mixed": "randrw", "reads": "randread"}
_LOAD = {"writes": "random writes", "mixed": "mixed reads and writes", "reads": "random reads"}


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for work, direction in _DIRECTION.items():
        for freeze in numbers_told(records, f"longest_freeze_{work}_ns"):
            longest = max(_others(freeze, records, direction), key=lambda seen: seen[0], default=(0, None, None))
            much_longer = longest[0] > max(_MUCH_LONGER * freeze.value, _NOTICED_NS)
            if longest[1] is not None and longest[2] is not None and much_longer:
                yield from _objected(freeze, work, longest[0], longest[1], longest[2])
    for freeze in numbers_told(records, "stripe_longest_freeze_ns"):
        for other in numbers_told(records, "longest_freeze_writes_ns"):
            if other.value > max(_MUCH_LONGER * freeze.value, _NOTICED_NS):
                seen = f"{other.record.experiment} saw one of {format_time(other.value)} in {_LOAD['writes']}"
                yield doubted(freeze, seen, other)


def _others(freeze: Told, records: Sequence[Record], direction: str) -> Iterator[tuple[int, Record, StepRecord]]:
    """(longest latency [ns], record, step) of each step of other records under such a load."""
    for record, step in one_at_a_time(records, direction):
        if record.id != freeze.record.id and step.workload is not None:
            longest = max((histogram.max_ns for histogram in step.workload.latency.values()), default=0)
            yield longest, record, step


def _objected(freeze: Told, work: str, longest_ns: int, record: Record, step: StepRecord) -> Iterator[Objection]:
    sizes = said_of(jobs_of(step)[0])
    seen = f"{record.experiment} saw one of {format_time(longest_ns)} in {_LOAD[work]} of {sizes}, one at a time"
    other = Told(record, record.findings[0]) if record.findings else freeze
    yield doubted(freeze, seen, other)
    for hitches in numbers_told([freeze.record], f"hitches_{work}_per_hour"):
        if hitches.value == 0 and longest_ns > _HITCH_NS:
            yield doubted(hitches, seen, other)


RULE = Rule(
    "freezes", "The longest freeze under a load is the longest that any experiment saw under such a load.", _objections
)
