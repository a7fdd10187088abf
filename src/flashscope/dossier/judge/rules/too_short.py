"""Steps of a few milliseconds on a real machine: its scheduler and its caches are measured, not the drive.

In virtual time nothing else runs, so a short step is as good as a long one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.subjects import FLASH, INSIDE
from flashscope.dossier.judge.told import Told, doubted, every, withdrawn
from flashscope.records import Record
from flashscope.units import format_time

_SHORTEST_NS = 50_000_000


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        shortest_ns = _shortest_step_ns(found)
        if found.finding.value is None or shortest_ns is None or shortest_ns >= _SHORTEST_NS:
            continue
        reason = (
            f"it rests on a step of {format_time(shortest_ns)}, in which a machine may just have done something else"
        )
        key = found.finding.key
        inferred = FLASH.fullmatch(key) or INSIDE.fullmatch(key)
        yield withdrawn(found, reason) if inferred else doubted(found, reason)


def _shortest_step_ns(found: Told) -> int | None:
    """Of the workloads that it rests on; None without one, or in virtual time."""
    if found.record.drive_facts.in_virtual_time:
        return None
    steps = found.record.evidence_of(found.finding)
    return min((step.workload.duration_ns for step in steps if step.workload is not None), default=None)


RULE = Rule("too-short", "On a real machine a step of milliseconds says little about a drive.", _objections)
