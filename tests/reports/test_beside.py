from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from flashscope.reports.plotting import beside, vega_lite
from flashscope.reports.plotting.theme import Spec

_POINT = {"x": {"field": "x", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}}


def _chart(height: float) -> Spec:
    return {"data": {"values": [{"x": 0.1, "y": height}, {"x": 1 / 3, "y": 1e-7}]}, "mark": "point", "encoding": _POINT}


def test_a_chart_drawn_beside_is_that_drawn_here() -> None:
    specs = [_chart(height) for height in (1.0, 2 / 3, 1e9)]
    here = [vega_lite.to_svg(spec) for spec in specs]
    with beside.drawing_beside(1):
        for spec in specs[:2]:  # the third is drawn when it is needed
            vega_lite.ask_svg(spec)
        assert [vega_lite.to_svg(spec) for spec in specs] == here


def test_a_chart_asked_for_twice_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Spec] = []

    def draw(self: object, spec: Spec, options: object) -> str:
        drawn.append(spec)
        return "<svg/>"

    monkeypatch.setattr(beside._Painters, "_draw", draw)
    with beside.drawing_beside(1):
        vega_lite.ask_svg(_chart(1.0))
        vega_lite.ask_svg(_chart(1.0))
        assert vega_lite.to_svg(_chart(1.0)) == "<svg/>"
        assert vega_lite.to_svg(_chart(2.0)) == "<svg/>"
    assert drawn == [_chart(1.0), _chart(2.0)]


def test_a_painter_that_is_killed_costs_no_chart() -> None:
    here = vega_lite.to_svg(_chart(1.0))
    with beside.drawing_beside(1):
        vega_lite.to_svg(_chart(2.0))  # now it runs
        assert beside._painters is not None
        (process,) = beside._painters._started
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert vega_lite.to_svg(_chart(1.0)) == here
        assert vega_lite.to_svg(_chart(3.0)).startswith("<svg")


def test_where_no_painter_starts_charts_are_drawn_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    here = vega_lite.to_svg(_chart(1.0))
    monkeypatch.setattr("flashscope.reports.plotting.beside.sys.executable", str(tmp_path / "missing"))
    with beside.drawing_beside(1):
        assert vega_lite.to_svg(_chart(1.0)) == here


def test_what_the_renderer_refuses_is_said_as_without_a_painter() -> None:
    wrong: Spec = {"mark": "no such mark", "data": {"url": "https://example.org/data.csv"}}
    with pytest.raises(ValueError, match=r".") as here:
        vega_lite.to_svg(wrong)
    with beside.drawing_beside(1), pytest.raises(ValueError, match=r".") as there:
        vega_lite.to_svg(wrong)
    assert str(there.value)[:100] == str(here.value)[:100]


def test_painters_end_with_their_block() -> None:
    with beside.drawing_beside(1):
        vega_lite.to_svg(_chart(1.0))
        assert beside._painters is not None
        (process,) = beside._painters._started
        for height in range(20):
            vega_lite.ask_svg(_chart(float(height)))
    assert process.returncode is not None
    assert not beside.is_drawing()


def test_outside_of_a_block_nothing_is_drawn_beside() -> None:
    vega_lite.ask_svg(_chart(1.0))
    assert beside.drawn(_chart(1.0), {}) is None
    with beside.drawing_beside(0):
        assert not beside.is_drawing()
