"""The part "Inside the drive" of a report: what it shows, and that it stays small."""

from __future__ import annotations

import base64
import re
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flashscope.records import Glass, HeatMap, Record, StepRecord, Table
from flashscope.reports.export import export_charts
from flashscope.reports.glass.charts import build_glass
from flashscope.reports.glass.view import STEPS_PER_PAGE, choose_steps, view_glass
from flashscope.reports.plotting.heat_map import Scale, TimeAxis
from flashscope.reports.plotting.palette_image import palette, picture
from flashscope.reports.plotting.theme import NARROW, WIDE
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.reports.report import render
from tests.known import known
from tests.reports import planted
from tests.reports.test_report import Reader


def glass(looks: int = 120, collected: int = 3, groups: int = 256) -> Glass:
    """A drive whose every figure is different in every place: the worst case for the size of the page."""
    random = np.random.default_rng(collected)
    worked = np.full(looks, collected)
    worked[0] = 0
    states = {"free_blocks": 8, "open_blocks": 2, "closed_blocks": 246, "out_of_use_blocks": 0}
    valid = random.random((looks, groups), dtype=np.float32)
    valid[:, 0] = np.nan
    return Glass(
        Table.of(
            elapsed_ns=("ns", np.arange(looks) * 10**9),
            **{name: ("count", np.full(looks, value)) for name, value in states.items()},
            free_blocks_min=("count", 8 - np.arange(looks) % 5),
            free_blocks_mean=("count", np.full(looks, 9.0)),
            valid_slots=("count", np.full(looks, 40_000)),
            erase_count_min=("cycles", np.arange(looks)),
            erase_count_max=("cycles", np.arange(looks) + 3),
            erase_count_mean=("cycles", np.arange(looks) + 1.5),
            erased_blocks=("count", worked),
            gc_decisions=("count", worked),
            gc_decisions_cut=("count", np.zeros(looks, dtype=int)),
            gc_decisions_low_water=("count", worked - (np.arange(looks) == 5)),
            gc_decisions_idle=("count", (np.arange(looks) == 5).astype(int)),
            gc_victim_valid_slots_mean=("count", np.where(worked > 0, 128.0, np.nan)),
            host_written_bytes=("bytes", worked * 10**6),
            nand_written_bytes=("bytes", worked * 2 * 10**6),
            write_amplification=("ratio", np.where(worked > 0, 2.0, np.nan)),
        ),
        {
            "valid_ratio": HeatMap("ratio", valid, "group of blocks", groups),
            "erase_count": HeatMap("cycles", random.random((looks, groups), dtype=np.float32) * 9, "group", groups),
            "queue_length": HeatMap("count", random.integers(0, 99, (looks, 64)), "bank", 64),
        },
        Table.of(
            elapsed_ns=("ns", [1_000_000, 2_500_000_000]),
            pool=("index", [0, 3]),
            block=("index", [17, 4_321]),
            valid_slots=("count", [128, 0]),
            free_blocks=("count", [4, 9]),
            reason=("code", [0, 1]),
        ),
        slots_per_block=256,
    )


def watched(steps: int = 1) -> Record:
    record = planted.falling()
    record.steps += [
        StepRecord(9 + number, f"watched {number}", "workload", glass=glass(collected=number))
        for number in range(steps)
    ]
    return record


@pytest.fixture(scope="module")
def page() -> str:
    return render([watched(steps=7)])


def test_the_page_shows_the_charts_and_what_collection_did_and_why(page: str) -> None:
    reader = Reader(page)
    assert len(reader.ids) == len(set(reader.ids))
    assert "Inside the drive" in reader.words
    assert "Collected blocks were still 50 % full of valid data" in reader.words
    assert "Free blocks fall from 8 to 4 in a pool, within 4 s" in reader.words
    assert "2 bytes go to flash for each byte written" in reader.words
    assert "operations wait" in reader.words
    assert "few free blocks were left in the pool" in reader.words
    assert "the drive was idle" in reader.words
    assert "2.500 s" in reader.words
    assert f"{7 - STEPS_PER_PAGE} more are in the records" in reader.words


def test_the_page_stays_small_and_asks_for_nothing(page: str) -> None:
    assert len(page.encode()) < 2_000_000
    assert all(address.startswith("data:") for address in Reader(page).fetched)


def test_without_glass_there_is_no_such_part() -> None:
    assert 'id="glass"' not in render([planted.falling()])


def test_the_steps_in_which_most_was_collected_are_shown_in_order() -> None:
    record = watched(steps=7)
    assert [step.name for step in choose_steps(record, 2)] == ["watched 5", "watched 6"]
    assert len(view_glass([record]).steps) == STEPS_PER_PAGE
    assert build_glass(record.steps[0]) == []


def test_of_many_runs_those_are_shown_in_which_most_was_collected() -> None:
    runs = [replace(watched(steps=number + 1), id=f"run {number}") for number in range(6)]
    shown = view_glass(runs)
    assert [(view.record.id, view.step.name) for view in shown.steps] == [
        (f"run {number}", f"watched {number}") for number in range(2, 6)
    ]
    assert shown.left_out == 21 - STEPS_PER_PAGE


def test_a_step_that_erased_nothing_has_no_picture_of_erases() -> None:
    (step,) = [step for step in watched(steps=1).steps if step.glass]
    assert [chart.name.split("-", 2)[2] for chart in build_glass(step)] == [
        "valid-ratio",
        "free-blocks",
        "queue-length",
    ]


def test_each_chart_is_drawn_in_both_sizes_the_same_each_time() -> None:
    (step,) = [step for step in watched(steps=2).steps if step.name == "watched 1"]
    for chart in build_glass(step):
        for layout in (WIDE, NARROW):
            svg = to_svg(chart.draw(layout))
            assert svg == to_svg(chart.draw(layout))
            assert "NaN" not in svg
            assert len(svg) < 150_000


def test_charts_of_the_inside_are_exported_too(tmp_path: Path) -> None:
    names = [path.name for path in export_charts([watched(steps=2)], tmp_path, ["svg"])]
    assert any("inside-10-erase-count" in name for name in names)


def test_a_picture_holds_each_value_as_a_colour_and_nothing_as_transparency() -> None:
    address = picture(np.array([[0.0, 0.5, 1.0], [np.nan, 7.0, -7.0]]))
    png = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    assert struct.unpack(">II", png[16:24]) == (3, 2)
    chunks = known(re.search(rb"IDAT(.*)....\x00\x00\x00\x00IEND", png, re.DOTALL))
    assert zlib.decompress(chunks[1]) == bytes([0, 1, 32, 63, 0, 0, 63, 1])
    assert len(palette()) == 63


def test_the_palette_gets_brighter_all_the_way() -> None:
    brightness = palette() @ np.array([0.2126, 0.7152, 0.0722])
    assert np.all(np.diff(brightness) > 0)


def test_a_few_long_queues_do_not_hide_the_short_ones() -> None:
    values = np.ones((100, 4))
    values[7, 2] = 1000
    scale = Scale.of(values)
    assert scale.logarithmic
    assert scale.share(np.array([0.0, 1.0, 1000.0])).tolist() == pytest.approx([0, 0.1, 1], abs=0.01)


@pytest.mark.parametrize(
    ("duration_ns", "unit"), [(5_000, "µs"), (10**9, "ms"), (10**11, "s"), (10**12, "min"), (10**14, "h")]
)
def test_time_is_said_in_a_unit_that_fits(duration_ns: int, unit: str) -> None:
    assert TimeAxis.until(duration_ns).unit == unit
