"""Mixed-load latency: the background runs at its share, and reads wait as long as the link is taken."""

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.experiments.mixed_load_latency import MixedLoadLatency
from flashscope.records import Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.pace import paced
from flashscope.workloads.steps import Pace, Workload
from tests.experiments.planted_drives import examine, memory_with_a_link
from tests.experiments.toy import toy
from tests.findings import finding_of
from tests.known import known

EXPERIMENT = MixedLoadLatency()


@pytest.mark.parametrize("part", ["c300-256", "onyx-32", "intel-520", "ramdisk"])
def test_the_background_writes_at_its_share_of_the_drives_own_rate(part: str, tmp_path: Path) -> None:
    record = examine(EXPERIMENT, f"sim:{part}", tmp_path)
    details = finding_of(record, "read_wait_p50_ratio").details
    for level in details["levels"][1:]:
        share = level["written_bytes_per_second"] / details["write_bytes_per_second"]
        assert share == pytest.approx(level["share_ratio"], rel=0.05)


def test_with_a_way_of_their_own_reads_do_not_wait_beyond_the_transfer_before_them(tmp_path: Path) -> None:
    duplex = examine(EXPERIMENT, memory_with_a_link(tmp_path, full_duplex=True), tmp_path)
    assert finding_of(duplex, "read_wait_p99_ratio").value == pytest.approx(1.0, abs=0.3)


def test_on_a_shared_link_reads_wait_for_what_is_written_and_no_longer(tmp_path: Path) -> None:
    """Four writes of 128 KiB may stand before a read, each 262 us on a link of 500 MB/s."""
    record = examine(EXPERIMENT, memory_with_a_link(tmp_path, full_duplex=False), tmp_path)
    levels = finding_of(record, "read_wait_p50_ratio").details["levels"]
    alone_ns, beside_ns = levels[0]["p999_ns"], levels[2]["p999_ns"]
    one_write_ns = 128 * 1024 / 0.5
    assert one_write_ns * 0.9 <= beside_ns - alone_ns <= 4.1 * one_write_ns
    wait = finding_of(record, "read_wait_p99_ratio").value
    assert isinstance(wait, float)
    assert wait > 5
    (chart,) = charts_of(record)
    assert "times as long" in chart.title
    assert "<svg" in to_svg(chart.draw(NARROW))


def test_a_background_that_falls_behind_is_doubted(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:wd20ears", tmp_path, Effort(Extent.QUICK))
    wait = finding_of(record, "read_wait_p50_ratio")
    assert "BackgroundFellBehind" in [doubt.kind for doubt in wait.doubts]
    assert "as it took no more beside reads" in wait.statement
    assert "half its rate" not in wait.statement


def test_a_level_that_is_missing_is_said_and_nothing_is_done_read_only(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:ramdisk", tmp_path, Effort(Extent.QUICK))
    record.steps = record.steps[:4]
    assert {finding.value for finding in EXPERIMENT.analyse(record)} == {None}
    assert EXPERIMENT.steps(toy(1 << 30).facts, Effort(read_only=True)) == []


def test_a_pace_becomes_the_rate_that_the_run_has_measured(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:ramdisk", tmp_path, Effort(Extent.QUICK))
    steps = {step.name: step for step in EXPERIMENT.steps(_facts(record), Effort(Extent.QUICK))}
    planned = steps["beside 25 %"]
    assert isinstance(planned, Workload)
    assert planned.pace == Pace("background", "writes alone", 0.25)
    ready = paced(planned, record)
    assert isinstance(ready, Workload)
    measured = known(record.step("write alone").workload)
    rate = measured.totals["written_bytes"] * 10**9 / measured.duration_ns
    assert ready.jobs[1].rate_bytes_per_second == (0, round(rate / 4), 0)
    assert ready.jobs[0] == planned.jobs[0], "the reads are left alone"
    empty = replace(planned, pace=Pace("background", "no such role", 0.25))
    assert paced(empty, record) == empty


def _facts(record: Record) -> DriveFacts:
    return record.drive_facts
