import csv
from pathlib import Path

import pytest

from flashscope.drives.parts.part_file import Scalar
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.experiments.ageing_diary import AgeingDiary
from flashscope.experiments.fill_and_recovery import FillAndRecovery, Sizes
from flashscope.experiments.fill_findings import all_marks
from flashscope.experiments.write_buffer import WriteBuffer
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from tests.experiments.planted import planted, run
from tests.findings import by_key, holds
from tests.known import number

EXPERIMENT = FillAndRecovery()
FIGURES = Path(__file__).resolve().parents[2] / "parts/figures/published.csv"


@pytest.mark.parametrize("experiment", [FillAndRecovery(), AgeingDiary(), WriteBuffer()])
def test_every_published_condition_has_steps_of_its_name(experiment: Experiment) -> None:
    with FIGURES.open() as file:
        rows = [row for row in csv.DictReader(file) if row["experiment"] == experiment.name]
    names = [step.name for step in experiment.steps(SimulatedDrive.open("hg3-512", 1).facts, Effort(Extent.FULL))]
    assert rows
    for row in rows:
        wanted = f"{row['condition']}: {row['metric']}"
        assert any(name.startswith(wanted) for name in names), wanted


def test_sizes_are_the_report_s_on_512_gb_and_shrink_with_the_drive() -> None:
    sizes = Sizes.of(512_110_190_592)
    assert (sizes.small, sizes.large) == (1000 << 20, 4000 << 20)
    assert sizes.room == pytest.approx(5e9, rel=0.001)
    assert sizes.partly == pytest.approx(300e9, rel=0.001)
    for user_bytes in (1 << 26, 1 << 30, 32 * 10**9, 2 * 10**12):
        small = Sizes.of(user_bytes)
        assert small.large <= small.room < user_bytes / 8


# The Onyx with little spare area: one that is full pays for every write.
TIRING = {"buffer.size": 1 << 20, "capacity.user_size": 34_000_000_000 // 4096 * 4096, "mapping.unit": 4096}


def test_a_drive_that_tires_when_full_recovers_only_where_it_collects_in_idle_time() -> None:
    collecting: dict[str, Scalar] = {
        "idle_collection.delay": 20 * 10**9,
        "idle_collection.target_free_blocks": 120,
        "idle_collection.worthwhile_stale_ratio": 0.0,
    }
    resting, busy = (by_key(run(EXPERIMENT, planted(values={**TIRING, **more}))) for more in (collecting, {}))
    curves = [one["recovery_idle_ns"].details["rand_write_512k_bytes_per_second"] for one in (resting, busy)]
    pauses_s = [pause / 1e9 for pause in resting["recovery_idle_ns"].details["pauses_ns"]]
    assert pauses_s == [0, 10, 30, 60, 180]
    assert curves[0][1] < 1.1 * curves[1][1], "ten seconds are too short for it to begin"
    assert curves[0][4] > 2 * curves[1][4], "three minutes are not"
    assert busy["recovery_idle_ns"].value is None
    assert resting["recovery_idle_ns"].value is None or number(resting["recovery_idle_ns"].value) >= 30 * 10**9
    assert len(all_marks(run(EXPERIMENT, planted(values=TIRING), Effort(Extent.QUICK)))) >= 3


@pytest.mark.parametrize(
    ("delay_s", "low_s", "high_s"),
    [
        (0, 0, 10),
        pytest.param(20, 10, 30, marks=pytest.mark.long),
        (50, 30, 60),
        pytest.param(100, 60, 120, marks=pytest.mark.long),
    ],
)
def test_the_delay_after_which_trim_helps_lies_in_the_interval(delay_s: int, low_s: int, high_s: int) -> None:
    drive = planted(values=TIRING, trim__supported=True, trim__delay=delay_s * 10**9)
    finding = by_key(run(EXPERIMENT, drive))["trim_helps_after_ns"]
    assert holds(finding, delay_s * 10**9)
    assert (finding.low, finding.high) == (low_s * 1e9, high_s * 1e9) or delay_s == 0


def test_a_drive_that_never_tires_has_nothing_to_recover_from_and_does_not_tell_what_trim_does() -> None:
    findings = by_key(run(EXPERIMENT, planted(), Effort(Extent.STANDARD)))
    assert findings["recovery_idle_ns"].value == 0
    assert findings["trim_helps_after_ns"].value is None
    assert [doubt.kind for doubt in findings["trim_helps_after_ns"].doubts] == ["CacheInTheWay"]
    assert findings["collapse_ratio_rand_write_512k"].value == pytest.approx(1, abs=0.05)


def test_in_full_the_way_to_the_brim_is_written_and_its_rate_followed() -> None:
    record = run(EXPERIMENT, planted(), Effort(Extent.FULL))
    assert "slow_fill_level_ratio" in by_key(record)
    assert len(all_marks(record)) == 15


def test_a_small_file_and_a_read_only_run_have_no_steps() -> None:
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []
