"""Stutter: planted pauses come out with their length, and a drive without any shows none."""

from pathlib import Path

import numpy as np
import pytest

from flashscope.analysis.hitches import hitches_above, worst_window
from flashscope.analysis.quantiles import HOUR_NS, events_per_hour, quantile
from flashscope.experiments.iometer import IometerRun
from flashscope.experiments.stutter import Stutter
from flashscope.records import Histogram
from flashscope.records.latency import bucket_of
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import Effort, Extent
from flashscope.workloads.steps import Idle
from tests.experiments.planted_drives import examine, memory_with_a_link, planted
from tests.facts import file_facts
from tests.findings import finding_of
from tests.known import known

EXPERIMENT = Stutter()
QUICK = Effort(Extent.QUICK)
_DONE_IN_A_MOMENT = ("ramdisk", "kc3000-1024", "memory")
"""Drives that are through with the work of a quick run within less than four seconds."""


def test_without_an_event_the_rate_is_at_most_3_7_in_the_time_watched() -> None:
    rate, low, high = events_per_hour(0, HOUR_NS)
    assert (rate, low) == (0, 0)
    assert high == pytest.approx(3.689, rel=1e-3)
    rate, low, high = events_per_hour(10, HOUR_NS // 2)
    assert rate == 20
    assert low == pytest.approx(2 * 4.795, rel=1e-3)
    assert high == pytest.approx(2 * 18.39, rel=1e-3)


def test_the_interval_of_a_quantile_holds_the_true_one_nineteen_times_in_twenty() -> None:
    draw = np.random.default_rng(5)
    held = 0
    for _ in range(200):
        counts: dict[int, int] = {}
        latencies = (draw.exponential(1e6, 2000) + 1e5).astype(int)
        for latency in latencies:
            bucket = bucket_of(int(latency))
            counts[bucket] = counts.get(bucket, 0) + 1
        found_one = known(
            quantile(Histogram(counts, int(latencies.sum()), int(latencies.min()), int(latencies.max())), 0.99)
        )
        held += found_one.low_ns <= 1e5 + 1e6 * np.log(100) <= found_one.high_ns
    assert held >= 184


def test_hitches_are_counted_from_the_threshold_up() -> None:
    histogram = Histogram({bucket_of(50_000_000): 5, bucket_of(400_000_000): 2}, 1, 50_000_000, 400_000_000)
    hitches = hitches_above(histogram, 100_000_000)
    assert hitches.count == 2
    assert hitches.total_ns == pytest.approx(800e6, rel=0.02)


def test_the_worst_second_is_the_one_in_which_least_was_done() -> None:
    done = np.full(1000, 10)
    done[500:540] = 0
    window = known(worst_window(done, np.arange(1, 1001) * 10_000_000, 10**9))
    assert window[0] <= 500
    assert window[1] >= 540
    assert window[1] - window[0] == 100
    assert worst_window(np.array([]), np.array([]), 10**9) is None


def test_a_buffer_that_stalls_until_drained_freezes_for_as_long_as_draining_takes(tmp_path: Path) -> None:
    """24 MiB at the pace of random writes of the same drive without the stall; the longest of several is no shorter."""
    address = planted(
        tmp_path,
        "onyx-32",
        buffer__size="32 MiB",
        buffer__flush_order="sorted",
        buffer__stall="until-drained",
        buffer__low_water_ratio=0.25,
    )
    record = examine(EXPERIMENT, address, tmp_path)
    writes = known(record.step("writes").workload)
    freeze = finding_of(record, "longest_freeze_writes_ns")
    assert isinstance(freeze.value, int)
    assert freeze.value > 100_000_000
    hitches = freeze.details["hitches"][0]
    assert hitches["count"] > 0
    per_hour = finding_of(record, "hitches_writes_per_hour")
    assert per_hour.low is not None
    assert per_hour.high is not None
    assert per_hour.low < hitches["count"] * HOUR_NS / writes.duration_ns < per_hour.high
    # What is written to flash in a freeze is what was in the buffer; the drive does nothing else in that time.
    assert hitches["total_ns"] <= writes.duration_ns


def test_a_block_mapped_drive_without_a_buffer_to_speak_of_freezes_for_a_merge(tmp_path: Path) -> None:
    """128 rows, each sensed, moved twice over the bus and programmed: 128 x (60 + 2 x 356 + 900) us = 214 ms."""
    record = examine(EXPERIMENT, "sim:jmf602-32", tmp_path, QUICK)
    merge_ns = 128 * (60 + 2 * 356.17 + 900) * 1000
    freeze = finding_of(record, "longest_freeze_writes_ns")
    assert isinstance(freeze.value, int)
    assert merge_ns * 0.95 <= freeze.value <= 2.1 * merge_ns
    assert "hitches over 100 ms" in finding_of(record, "hitches_writes_per_hour").statement
    assert all("<svg" in to_svg(chart.draw(NARROW)) for chart in charts_of(record))
    assert charts_of(record)[0].title.startswith("Stands still")


@pytest.mark.parametrize("part", ["c300-256", "ramdisk", "x25m-80", "kc3000-1024", "memory"])
def test_no_hitch_is_seen_where_nothing_stands_still(part: str, tmp_path: Path) -> None:
    address = memory_with_a_link(tmp_path, full_duplex=True) if part == "memory" else f"sim:{part}"
    record = examine(EXPERIMENT, address, tmp_path, QUICK)
    for work in ("writes", "mixed"):
        hitches = finding_of(record, f"hitches_{work}_per_hour")
        slow_ones = finding_of(record, f"latency_p999_{work}_ns").doubts
        if known(record.step(work).workload).duration_ns < 3 * 10**9:
            assert "TooShort" in [doubt.kind for doubt in slow_ones], "a cache takes in what is written meanwhile"
        if part in _DONE_IN_A_MOMENT:
            assert hitches.value is None
            assert "too short" in hitches.statement
        else:
            assert hitches.value == 0
            assert "No hitch" in hitches.statement
        assert "TooShort" in [doubt.kind for doubt in hitches.doubts], "how long was watched is said"
    assert charts_of(record)[0].title.startswith("No freeze")


def test_read_only_reads_alone() -> None:
    steps = EXPERIMENT.steps(file_facts(1 << 30), Effort(read_only=True))
    assert [step.name for step in steps] == ["reads"]
    assert not steps[0].destructive


def test_watched_work_begins_after_a_rest_so_that_it_does_not_wait_for_a_buffer_to_drain() -> None:
    steps = EXPERIMENT.steps(file_facts(32 * 10**9), QUICK)
    watched = [index for index, step in enumerate(steps) if step.labels.role]
    assert len(watched) == 2
    assert all(isinstance(steps[index - 1], Idle) for index in watched)
    runs = IometerRun().steps(file_facts(32 * 10**9), QUICK)
    assert [isinstance(step, Idle) for step in runs[-4:]] == [True, False, True, False]


def test_a_drive_that_is_written_in_a_moment_is_not_said_to_never_freeze(tmp_path: Path) -> None:
    record = examine(
        EXPERIMENT, f"{memory_with_a_link(tmp_path, full_duplex=True)}?memory.user_size=8MiB", tmp_path, QUICK
    )
    hitches = finding_of(record, "hitches_writes_per_hour")
    assert hitches.value is None
    assert "Could not tell" in hitches.statement
