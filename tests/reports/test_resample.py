"""A table of cells made coarser shows what is in it, and no stripes that are not."""

from __future__ import annotations

import numpy as np
import pytest

from flashscope.reports.plotting.heat_map import Scale, draw_heat_map
from flashscope.reports.plotting.resample import coarser
from flashscope.reports.plotting.theme import NARROW, WIDE, Layout


def test_every_cell_counts_by_the_share_that_it_has() -> None:
    values = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    assert coarser(values, np.arange(6.0), 2).tolist() == pytest.approx([0.8, 3.2])
    assert coarser(values, np.arange(6.0), 5).tolist() == values.tolist()


def test_cells_of_unequal_length_count_by_their_length() -> None:
    assert coarser(np.array([0.0, 9.0]), np.array([0.0, 1.0, 4.0]), 2).tolist() == pytest.approx([4.5, 9.0])


def test_what_is_unknown_is_in_no_mean() -> None:
    found = coarser(np.array([1.0, np.nan, np.nan, np.nan]), np.arange(5.0), 2)
    assert found[0] == 1.0
    assert np.isnan(found[1])


def test_one_die_in_four_that_is_fuller_gives_no_stripes() -> None:
    places = np.where(np.arange(256) % 4 == 0, 1.0, 0.0)
    drawn = coarser(places, np.arange(257.0), 60)
    assert drawn.std() < 0.1, "nearest cells would be 0 or 1"
    assert drawn.mean() == pytest.approx(0.25)


@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=lambda layout: layout.name)
def test_a_heat_map_has_no_cell_smaller_than_two_pixels(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = []

    def picture(share: np.ndarray) -> str:
        shapes.append(share.shape)
        return ""

    monkeypatch.setattr("flashscope.reports.plotting.heat_map.picture", picture)
    elapsed_ns = np.arange(1, 1001) * 10**6
    draw_heat_map(
        elapsed_ns,
        np.zeros((1000, 256)),
        scale=Scale(0.0, 1.0),
        covered=8192,
        place="erase block",
        say=str,
        layout=layout,
        height_ratio=0.72,
    )
    rows, columns = shapes[0]
    assert rows <= (layout.height_px * 0.72 - 62) / 2
    assert columns <= layout.width_px / 2
