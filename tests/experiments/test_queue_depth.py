"""The queue-depth sweep: as many units found as are in the drive, and no more depth advised than helps."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.analysis.queue_depths import DepthPoint, count_units, effective_parallelism, useful_depth
from flashscope.experiments.queue_depth import DEPTHS, QueueDepth
from flashscope.laws.parallelism import busy_dies, busy_dies_in_step
from flashscope.records import Histogram, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.reports.agreement import compare
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.workloads.steps import Step
from tests.experiments.planted_drives import examine, planted
from tests.experiments.toy import toy
from tests.facts import file_facts
from tests.findings import finding_of
from tests.known import known

EXPERIMENT = QueueDepth()


def points(rate_at: Callable[[int], float], spread: float = 0.001) -> list[DepthPoint]:
    made = []
    for depth in DEPTHS:
        rate = rate_at(depth)
        made.append(
            DepthPoint(depth, rate, rate * (1 - spread), rate * (1 + spread), depth * 1e9 / rate, depth, 10_000)
        )
    return made


@pytest.mark.parametrize("units", [2, 4, 8, 16, 32])
def test_the_law_of_banks_gives_back_its_own_number_of_banks(units: int) -> None:
    banks = known(count_units(points(lambda depth: 10_000 * busy_dies(units, depth))))
    assert banks.low <= units <= banks.high
    assert known(banks.count) == pytest.approx(units, rel=0.15, abs=0.6)


@pytest.mark.parametrize("units", [2, 4])
def test_dies_that_fall_into_step_are_counted_too(units: int) -> None:
    exact = {depth: 10_000 * busy_dies_in_step(units, depth) for depth in (1, 2, 4, 8)}
    banks = known(
        count_units([point for point in points(lambda depth: exact.get(depth, 10_000.0 * units)) if point.depth <= 8])
    )
    assert known(banks.count)
    assert banks.low <= units <= banks.high


def test_four_depths_that_end_at_a_hard_limit_do_not_tell_how_many_units_there_are() -> None:
    rates = {1: 5097.0, 4: 18_863.0, 16: 33_333.0, 64: 33_344.0}
    banks = count_units([point for point in points(lambda depth: rates.get(depth, 1.0)) if point.depth in rates])
    assert known(banks).count is None


def test_a_useful_depth_lies_above_the_one_tried_before_it() -> None:
    rates = {1: 100.0, 4: 250.0, 16: 300.0, 64: 540.0}
    found = useful_depth([point for point in points(lambda depth: rates.get(depth, 1.0)) if point.depth in rates])
    assert found == (64, 17, 64)


def test_no_more_requests_are_at_work_than_the_queue_holds_nor_fewer_than_one() -> None:
    """A lone request that is held back takes longer than one in company: rates then rise by more than the depth."""
    held_back = points(lambda depth: 1000.0 if depth == 1 else 3000.0 * min(depth, 4))
    found = known(effective_parallelism([point for point in held_back if point.depth <= 4]))
    assert found.low <= found.value <= found.high <= 4
    flat = known(effective_parallelism(points(lambda depth: 1000.0 + depth / 100)))
    assert 1 <= flat.low <= flat.value <= flat.high


@pytest.mark.parametrize("limit", [1.0, 2.5, 6.0, 20.0])
def test_a_limit_that_all_requests_share_is_not_taken_for_banks(limit: float) -> None:
    banks = known(count_units(points(lambda depth: 10_000 * min(depth, limit))))
    assert banks.count is None
    assert banks.low >= limit * 0.95


def test_effective_parallelism_and_useful_depth_follow_from_the_rates() -> None:
    curve = points(lambda depth: 1000.0 * min(depth, 8))
    parallel = known(effective_parallelism(curve))
    assert parallel.value == pytest.approx(8)
    assert parallel.low < 8 <= parallel.high
    assert useful_depth(curve) == (8, 5, 8)
    assert effective_parallelism(curve[1:]) is None, "without depth 1 nothing can be compared"


@pytest.mark.parametrize(("ways", "channels"), [(1, 2), (1, 8), (2, 8)])
def test_the_banks_of_a_planted_drive_are_counted_from_outside(tmp_path: Path, ways: int, channels: int) -> None:
    """Sensing takes far longer than bus, link and controller, so the banks are what limits."""
    banks = ways * channels
    address = planted(
        tmp_path,
        "kc3000-1024",
        geometry__channels=channels,
        geometry__packages_per_channel=1,
        geometry__dies_per_package=ways,
        geometry__lockstep_packages=1,
        capacity__user_size="32 GB",
        capacity__initial_bad_block_count=0,
        capacity__reserved_block_count=0,
        endurance__spare_block_count=4,
    )
    record = examine(EXPERIMENT, address, tmp_path)
    units = finding_of(record, "parallel_unit_count")
    assert record.truth["parallel_unit_count"] == banks
    assert known(units.low) <= banks <= known(units.high)


@pytest.mark.parametrize("part", ["onyx-32", "c300-256", "jmf602-32", "kc3000-1024", "intel-520", "ramdisk"])
def test_what_is_said_of_a_shipped_part_is_what_limits_it(part: str, tmp_path: Path) -> None:
    record = examine(EXPERIMENT, f"sim:{part}", tmp_path)
    assert record.status is Status.DONE
    assert [f"{row.key} {row.inferred.text} truth {row.truth.text}" for row in compare(record) if not row.agrees] == []
    for finding in record.findings:
        assert "QueueNeverFull" not in [doubt.kind for doubt in finding.doubts]
    assert all("<svg" in to_svg(chart.draw(NARROW)) for chart in charts_of(record))


def test_the_law_of_little_holds_at_every_depth(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:kc3000-1024", tmp_path)
    for row in finding_of(record, "effective_parallelism_reads").details["depths"]:
        assert row["outstanding"] == pytest.approx(row["depth"], rel=0.02)


def test_the_time_of_each_request_that_is_told_fits_the_rate_that_is_told(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:onyx-32", tmp_path, Effort(Extent.QUICK))
    said = finding_of(record, "useful_queue_depth_writes").statement
    depth, rate, each_us = (float(word) for word in re.findall(r"[0-9]+(?:\.[0-9]+)?", said)[:3])
    assert depth == pytest.approx(rate * each_us * 1e-6, rel=0.02)


def test_a_queue_that_never_was_full_is_doubted(tmp_path: Path) -> None:
    record = examine(EXPERIMENT, "sim:onyx-32", tmp_path)
    deep = known(record.step("read 32").workload)
    asked = deep.latency["read"]  # now let the host have kept 4 outstanding: latencies an eighth as long
    short = Histogram(asked.counts, asked.sum_ns // 8, asked.min_ns // 8, asked.max_ns // 8)
    record.step("read 32").workload = replace(deep, latency={"read": short})
    doubts = [doubt.kind for finding in EXPERIMENT.analyse(record) for doubt in finding.doubts]
    assert "QueueNeverFull" in doubts


def test_read_only_writes_nothing_and_says_what_that_leaves_open(tmp_path: Path) -> None:
    facts = file_facts(1 << 30)
    steps = EXPERIMENT.steps(facts, Effort(read_only=True))
    assert steps
    assert not any(step.destructive for step in steps)
    record = examine(EXPERIMENT, "sim:onyx-32", tmp_path, Effort(Extent.QUICK, read_only=True))
    assert "CacheInTheWay" in [doubt.kind for doubt in finding_of(record, "effective_parallelism_reads").doubts]


def test_an_interrupted_sweep_says_what_is_missing() -> None:
    record = toy(64 << 20).run(_Only())
    assert record.findings == []


class _Only(QueueDepth):
    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:  # nothing but the fill was done
        return super().steps(facts, effort)[:1]
