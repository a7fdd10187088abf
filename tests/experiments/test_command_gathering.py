"""Command gathering: a planted wait is found to a tenth, and none is seen where none is."""

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.analysis.gathering import floor_of, share_below, waiting
from flashscope.drives.parts.part import list_parts, load_part
from flashscope.experiments.command_gathering import CommandGathering
from flashscope.records import Histogram
from flashscope.records.capability import Capability
from flashscope.records.latency import bucket_of
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import Effort
from tests.experiments.planted_drives import examine, planted
from tests.facts import file_facts, virtual_facts
from tests.findings import finding_of, holds
from tests.known import known

EXPERIMENT = CommandGathering()


def histogram(*latencies_ns: int) -> Histogram:
    counts: dict[int, int] = {}
    for latency in latencies_ns:
        counts[bucket_of(latency)] = counts.get(bucket_of(latency), 0) + 1
    return Histogram(counts, sum(latencies_ns), min(latencies_ns), max(latencies_ns))


def test_the_wait_is_the_difference_of_the_floors() -> None:
    wait = known(
        waiting(histogram(*[120_000 + i for i in range(1000)]), histogram(*[100_000 + i for i in range(1000)]))
    )
    assert wait.value_ns == pytest.approx(20_000, rel=0.1)
    assert wait.low_ns <= 20_000 <= wait.high_ns


def test_a_few_lucky_requests_in_company_are_no_wait() -> None:
    lone = histogram(*[120_000 + i for i in range(1000)])
    company = histogram(*([50_000] * 100 + [121_000] * 900))
    wait = known(waiting(lone, company))
    assert wait.value_ns is None
    assert wait.faster_ratio < 0.2
    assert share_below(company, 100_000) == pytest.approx(0.1)


def test_too_few_requests_have_no_floor() -> None:
    assert floor_of(histogram(*[100_000] * 50)) is None
    assert waiting(histogram(1000), histogram(1000)) is None


def planted_waits() -> list[object]:
    """Each wait and each number of commands once for each part in the short suite, all of them in the long one."""
    return [
        pytest.param(part, wait_us, commands, marks=() if row == column else pytest.mark.long)
        for part in ("onyx-32", "c300-256")
        for row, commands in enumerate((2, 4, 16))
        for column, wait_us in enumerate((10, 50, 200))
    ]


@pytest.mark.parametrize(("part", "wait_us", "commands"), planted_waits())
def test_a_planted_wait_is_recovered_within_a_tenth(tmp_path: Path, part: str, wait_us: int, commands: int) -> None:
    address = planted(tmp_path, part, link__gather=f"{wait_us} us", link__gather_requests=commands)
    record = examine(EXPERIMENT, address, tmp_path)
    wait, wanted = finding_of(record, "gathering_wait_ns"), finding_of(record, "gathered_command_count")
    assert wait.value == pytest.approx(wait_us * 1000, rel=0.1)
    assert wait.low is not None
    assert wait.high is not None
    assert holds(wait, wait_us * 1000)
    assert wanted.low is not None
    assert wanted.high is not None
    assert holds(wanted, commands)
    assert record.truth["gathering_wait_ns"] == wait_us * 1000
    (chart,) = charts_of(record)
    assert "held back" in chart.title
    assert "<svg" in to_svg(chart.draw(NARROW))


@pytest.mark.parametrize("part", [part for part in list_parts() if load_part(part).kind in ("ssd", "memory")])
def test_no_wait_is_seen_on_a_drive_that_does_not_gather(part: str, tmp_path: Path) -> None:
    record = examine(EXPERIMENT, f"sim:{part}", tmp_path)
    wait = finding_of(record, "gathering_wait_ns")
    assert wait.value is None
    assert record.truth["gathering_wait_ns"] is None
    assert "No waiting is seen" in wait.statement
    assert wait.details["limit_ns"] > 0


def test_a_drive_that_serves_one_at_a_time_is_told_apart_from_one_that_does_not_wait(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:jmf602-32", tmp_path)
    assert "OneAtATime" in [doubt.kind for doubt in finding_of(record, "gathering_wait_ns").doubts]


def test_platters_are_left_out_and_reading_alone_is_enough() -> None:
    disk = replace(virtual_facts(1 << 30), capabilities=frozenset({Capability.BARE}))
    assert EXPERIMENT.steps(disk) == []
    steps = EXPERIMENT.steps(file_facts(1 << 30), Effort(read_only=True))
    assert steps
    assert not any(step.destructive for step in steps)
