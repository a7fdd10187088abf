"""A glass drive adds up, repeats itself, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

from flashscope.drives.glass.glass import ROWS_MAX, GlassRecorder, open_glass
from flashscope.drives.glass.sample import Lens
from flashscope.drives.glass.table import busy_shares
from flashscope.drives.virtual.in_virtual_time import SimulatedRun
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.records import Glass
from flashscope.vocabulary import Direction
from flashscope.workloads.job import BlockSizes, Job
from tests.known import known

GB = 10**9


def job(direction: Direction, request_bytes: int, io_bytes: int, size_bytes: int) -> Job:
    sizes = BlockSizes(weighted=((request_bytes, 100.0),))
    return Job(
        "w",
        direction,
        write_sizes=sizes,
        io_bytes=io_bytes,
        size_bytes=size_bytes,
        queue_depth=32,
        random_map=False,
    )


def watch(recorder: GlassRecorder, run: SimulatedRun, budgets: Iterator[int], bytes_ahead: int = 0) -> Glass | None:
    recorder.begin(bytes_ahead)
    while not recorder.advance(run, next(budgets)):
        pass
    return recorder.end()


def same(value: int) -> Iterator[int]:
    while True:
        yield value


def uneven() -> Iterator[int]:
    while True:
        yield from (1, 7_001, 13, 500)


def fill_and_overwrite(budgets: Iterator[int]) -> tuple[SimulatedDrive, list[Glass]]:
    """The whole drive in order, then 512 MiB at random: collection works hard."""
    drive = SimulatedDrive.open("onyx-32", seed=3)
    recorder = GlassRecorder(drive)
    user_bytes = drive.facts.user_bytes // 2**20 * 2**20
    seen = []
    for each in (job("write", 2**20, user_bytes, user_bytes), job("randwrite", 4096, 2**29, user_bytes)):
        glass = known(watch(recorder, drive.start([each], GB), budgets, each.io_bytes))
        seen.append(glass)
    return drive, seen


@pytest.fixture(scope="module")
def overwritten() -> tuple[SimulatedDrive, list[Glass]]:
    return fill_and_overwrite(same(5_000))


def test_every_look_accounts_for_every_block(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, seen = overwritten
    for glass in seen:
        series = glass.series
        states = ("free_blocks", "open_blocks", "closed_blocks", "out_of_use_blocks")
        blocks = np.sum([series[name] for name in states], axis=0)
        assert set(blocks.tolist()) == {len(drive.inside())}
        histogram = glass.heat_maps["closed_blocks_by_valid_ratio"].values
        assert np.array_equal(histogram.sum(axis=1), series["closed_blocks"])
        assert np.all(series["free_blocks_min"] <= series["free_blocks_mean"])
        assert np.all(
            np.diff([series[f"erase_count_{name}"] for name in ("min", "p5", "p50", "p95", "max")], axis=0) >= 0
        )


def test_valid_slots_are_the_units_that_were_written(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, (fill, random) = overwritten
    unit_bytes = drive.resolved_part()["mapping"]["unit_bytes"]
    written_units = drive.facts.user_bytes // 2**20 * 2**20 // unit_bytes
    # A unit has its slot as soon as the buffer gives it away to a page, before that is programmed.
    assert fill.series["valid_slots"][0] == 0
    assert fill.series["valid_slots"][-1] == written_units
    assert np.all(random.series["valid_slots"] == written_units)
    assert drive.inside()["valid_slots"].sum() == written_units


def test_the_heat_maps_have_the_mean_of_the_series(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, (_, glass) = overwritten
    table = drive.inside()
    in_use = table["state"] < 4
    groups = glass.heat_maps["valid_ratio"].values.shape[1]
    assert groups == 256
    size = len(table) // groups
    for name, column, scale in (
        ("valid_ratio", "valid_slots", glass.slots_per_block),
        ("erase_count", "erase_count", 1),
    ):
        for group in (0, 17, groups - 1):
            place = slice(group * size, (group + 1) * size)
            expected = table[column][place][in_use[place]].mean() / scale
            assert glass.heat_maps[name].values[-1, group] == pytest.approx(expected, rel=1e-6)


def test_what_happened_between_looks_sums_to_the_counters(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, seen = overwritten
    counters = drive.counters()
    for name in ("host_written_bytes", "nand_written_bytes", "gc_moved_units", "erased_blocks"):
        assert sum(int(glass.series[name].sum()) for glass in seen) == counters[name]
    series = seen[1].series
    assert not series["gc_decisions_cut"].any()
    assert np.array_equal(series["gc_decisions"], series["erased_blocks"])
    worked = series["gc_decisions"] > 0
    moved = (series["gc_decisions"] * np.nan_to_num(series["gc_victim_valid_slots_mean"]))[worked]
    assert np.allclose(moved, series["gc_moved_units"][worked])
    assert np.nanmax(series["write_amplification"]) > 2


def test_the_last_decisions_are_those_of_the_drive(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, (_, glass) = overwritten
    inside = drive.core.inside()
    count = len(glass.decisions)
    assert count > 0
    for name in ("pool", "block", "valid_slots", "free_blocks"):
        assert np.array_equal(glass.decisions[name], inside[f"decision_{name}"][-count:])
    assert np.all(glass.decisions["elapsed_ns"] <= glass.series["elapsed_ns"][-1])


def test_looks_are_few_and_evenly_spread(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    _, seen = overwritten
    for glass in seen:
        elapsed_ns = glass.series["elapsed_ns"]
        assert 20 <= len(elapsed_ns) <= ROWS_MAX + 1
        apart_ns = np.diff(elapsed_ns)
        assert np.all(apart_ns > 0)
        # The last one is wherever the step ends; a few lie where the drive slowed down suddenly.
        even = np.abs(apart_ns[:-1] / np.median(apart_ns) - 1) < 0.25
        assert even.mean() > 0.85


def test_slices_of_real_time_change_no_look(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    _, seen = overwritten
    _, again = fill_and_overwrite(uneven())
    for first, second in zip(seen, again, strict=True):
        for name, column in first.series.columns.items():
            assert np.array_equal(column.values, second.series[name], equal_nan=True), name
        for name, heat_map in first.heat_maps.items():
            assert np.array_equal(heat_map.values, second.heat_maps[name].values, equal_nan=True), name


def test_looking_changes_nothing_in_the_drive(overwritten: tuple[SimulatedDrive, list[Glass]]) -> None:
    drive, _ = overwritten
    plain = SimulatedDrive.open("onyx-32", seed=3)
    user_bytes = plain.facts.user_bytes // 2**20 * 2**20
    for each in (job("write", 2**20, user_bytes, user_bytes), job("randwrite", 4096, 2**29, user_bytes)):
        assert plain.start([each], GB).advance(2**62)
    assert plain.core.snapshot() == drive.core.snapshot()


def test_idle_time_is_watched_and_stays_what_it_is() -> None:
    drives = [SimulatedDrive.open("onyx-32", seed=1) for _ in range(2)]
    for drive in drives:
        assert drive.start([job("write", 2**20, 2**26, 2**26)], GB).advance(2**62)
    recorder = GlassRecorder(drives[0])
    recorder.begin()
    recorder.idle(10 * GB + 1)
    glass = recorder.end()
    drives[1].idle(10 * GB + 1)
    assert glass is not None
    assert glass.series["elapsed_ns"][-1] == 10 * GB + 1
    assert glass.series["buffered_units"][0] > 0 == glass.series["buffered_units"][-1]
    assert drives[0].core.snapshot() == drives[1].core.snapshot()


def test_a_step_too_short_to_watch_keeps_nothing() -> None:
    drive = SimulatedDrive.open("onyx-32", seed=1)
    assert watch(GlassRecorder(drive), drive.start([job("write", 4096, 4096, 4096)], GB), same(100)) is None


def test_hundreds_of_short_steps_are_not_all_watched() -> None:
    drive = SimulatedDrive.open("onyx-32", seed=1)
    recorder = GlassRecorder(drive)
    seen = [watch(recorder, drive.start([job("write", 4096, 2**19, 2**20)], GB), same(10_000)) for _ in range(50)]
    assert seen[0] is not None
    assert seen[-1] is None


def test_a_bank_that_never_rests_is_busy_all_the_time() -> None:
    at_ns = np.array([0, 10, 20, 30])
    shares = busy_shares(at_ns, np.zeros((4, 1), dtype=np.int64), np.array([[2], [2], [3], [1]]))
    assert shares[:, 0].tolist() == [0, 1, 1, 1]


def test_a_busy_period_belongs_to_the_time_before_it_is_booked() -> None:
    at_ns = np.array([0, 10, 20, 30, 40])
    booked = np.array([[100], [100], [100], [125], [130]])
    shares = busy_shares(at_ns, booked, np.zeros((5, 1), dtype=np.int64))
    assert shares[:, 0].tolist() == [0, 0.5, 1, 1, 0.5]


class Remembering:
    """A drive that remembers the last four decisions."""

    def __init__(self) -> None:
        self.now_ns = 0
        self.made: list[tuple[int, int]] = []

    def counters(self) -> dict[str, int]:
        return dict.fromkeys(("host_written_bytes", "nand_written_bytes", "gc_moved_units", "erased_blocks"), 0)

    def inside(self) -> dict[str, Any]:
        at_ns = np.array([at for at, _ in self.made[-4:]], dtype=np.uint64)
        same_length = np.zeros(len(at_ns), dtype=np.uint64)
        return {
            "block_states": np.array([0, 1, 3, 5], dtype=np.uint8),
            "block_valid_slots": np.array([0, 1, 4, 0], dtype=np.uint32),
            "block_erase_counts": np.array([2, 3, 7, 99], dtype=np.uint32),
            "pool_free_blocks": np.array([1], dtype=np.uint32),
            "bank_queue_lengths": np.array([0], dtype=np.uint32),
            "bank_busy_ns": np.array([0], dtype=np.uint64),
            "channel_busy_ns": np.array([0], dtype=np.uint64),
            "buffered_units": 0,
            "decision_at_ns": at_ns,
            "decision_reason": np.array([reason for _, reason in self.made[-4:]], dtype=np.uint64),
            **{f"decision_{name}": same_length for name in ("pool", "block", "valid_slots", "free_blocks")},
        }


def test_decisions_are_counted_once_by_reason_also_at_the_same_moment() -> None:
    drive = Remembering()
    lens = Lens(drive, 4)
    drive.made = [(5, 0), (5, 0)]
    assert lens.look().decision_count.tolist() == [2, 0, 0, 0, 0, 0, 0]
    drive.made += [(5, 1), (9, 77)]
    sample = lens.look()
    assert sample.decision_count.tolist() == [2, 1, 0, 0, 0, 0, 1]
    assert sample.decisions_cut == 0
    assert lens.look().decision_count.sum() == 4
    drive.made += [(10, 0)] * 9
    sample = lens.look()
    assert sample.decision_count.tolist() == [6, 1, 0, 0, 0, 0, 1]
    assert sample.decisions_cut == 1


def test_blocks_out_of_use_count_for_nothing() -> None:
    sample = Lens(Remembering(), 4).look()
    assert sample.state_count.tolist() == [1, 1, 0, 1, 1]
    assert sample.erase_quantiles[0] == 2
    assert sample.erase_quantiles[-1] == 7
    assert sample.erase_mean == 4
    assert np.isnan(sample.valid_ratio[3])
    assert sample.closed_valid.tolist() == [0] * 63 + [1]


def test_a_drive_that_cannot_be_opened_is_refused_with_what_to_do() -> None:
    with pytest.raises(WrongUse, match="is closed") as refusal:
        open_glass(object())
    assert "sim:onyx-32" in str(refusal.value)
