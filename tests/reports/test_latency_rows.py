"""The latency table shows each step, and families of steps when there are many; names are not taken apart for it."""

from __future__ import annotations

from flashscope.records import NO_LABELS, Histogram, Labels, Record, Status, StepRecord, Table, WorkloadResult
from flashscope.reports.latency_rows import latency_rows

from ..facts import virtual_facts


def _record(names: list[tuple[str, Labels]]) -> Record:
    result = WorkloadResult(100, Table(), {"write": Histogram({70: 3}, 210, 70, 70)}, {})
    steps = [
        StepRecord(index, name, "workload", Status.DONE, workload=result, labels=labels)
        for index, (name, labels) in enumerate(names)
    ]
    return Record("r", "e", "d", Status.DONE, "", 0, "", {}, {}, {}, "", virtual_facts(1 << 30), steps=steps)


def _sequential(count: int) -> list[tuple[str, Labels]]:
    return [(f"sequential {number}", Labels.of("load", family="in order")) for number in range(count)]


def test_few_steps_have_a_row_each() -> None:
    assert [row.step for row in latency_rows(_record(_sequential(3)))] == [
        f"sequential {number}" for number in range(3)
    ]


def test_many_steps_of_one_family_share_a_row_and_all_others_stand_for_themselves() -> None:
    rows = latency_rows(_record([*_sequential(20), ("queue depth 32", NO_LABELS)]))
    assert [row.step for row in rows] == ["in order (20 steps)", "queue depth 32"]
    assert rows[0].requests.exact.startswith("60")
