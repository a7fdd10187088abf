"""What holds for every chart: what a designer and an engineer would complain about is looked for in all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import pytest

from flashscope.reports.numbers import say
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import MUTED, NARROW, SERIES, WIDE, Layout
from tests.reports.of_every_experiment import every_chart

_CHARTS = every_chart()
_GREYS = {SERIES, MUTED}
_EXPONENT = re.compile(r"\d[eE][+-]?\d")
_KEY = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b|\b\w+ (?:ns|bytes per second)$")

every = pytest.mark.parametrize("chart", _CHARTS.values(), ids=_CHARTS)


def layers(chart: Chart, layout: Layout = WIDE) -> list[dict[str, Any]]:
    drawn: list[dict[str, Any]] = chart.draw(layout)["layer"]
    return drawn


def scales(layer: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name in ("x", "y"):
        channel = layer["encoding"].get(name)
        if isinstance(channel, dict) and "scale" in channel:
            yield name, channel


def test_the_buffer_of_the_headline_is_the_buffer_of_the_mark() -> None:
    chart = _CHARTS["write-buffer: burst"]
    rows = [row for layer in layers(chart) for row in layer["data"]["values"]]
    mark = next(row for row in rows if row.get("label", "").startswith("buffer"))
    said = chart.title.split(" in ")[0].removeprefix("Holds ")
    assert mark["label"] == f"buffer {said}" == "buffer 20 MiB"
    assert mark["y"] == 20
    assert say(20 * 2**20, "bytes", key="write_buffer_bytes").text == said, "the list of findings says it so, too"
    assert "MiB taken" in [channel["axis"]["title"] for layer in layers(chart) for _, channel in scales(layer)]


def test_there_are_charts_of_every_experiment_that_has_some() -> None:
    assert len(_CHARTS) > 35
    assert len({name.split(":")[0] for name in _CHARTS}) > 25


@every
def test_no_bar_stands_on_a_logarithmic_axis(chart: Chart) -> None:
    for layer in layers(chart):
        if layer["mark"]["type"] in ("bar", "rect", "area"):
            assert [name for name, channel in scales(layer) if channel["scale"]["type"] == "log"] == []


@every
def test_no_axis_of_a_count_or_a_size_begins_below_zero(chart: Chart) -> None:
    for layout in (WIDE, NARROW):
        for layer in layers(chart, layout):
            for _, channel in scales(layer):
                assert min(channel["scale"].get("domain", [0])) >= 0


@every
def test_no_two_named_lines_look_alike(chart: Chart) -> None:
    lines = [layer["mark"] for layer in layers(chart) if layer["mark"]["type"] == "line"]
    looks = [(mark["color"], str(mark.get("strokeDash"))) for mark in lines]
    assert len(looks) == len(set(looks))
    assert sum(colour in _GREYS for colour, dash in looks if dash == "None") <= 1


@every
def test_numbers_are_written_as_people_write_them_and_no_key_is_shown(chart: Chart) -> None:
    said = [chart.title, chart.caption, chart.description]
    for layer in layers(chart):
        said += [str(row[name]) for row in layer["data"]["values"] for name in ("label", "exact") if name in row]
        for _, channel in scales(layer):
            said.append(channel["axis"].get("title") or "")
            assert "e" not in channel["axis"].get("format", "")
    for text in said:
        assert not _EXPONENT.search(text), text
        assert not _KEY.search(text), text


@every
@pytest.mark.parametrize("layout", [WIDE, NARROW], ids=lambda layout: layout.name)
def test_each_label_stands_beside_what_it_names(chart: Chart, layout: Layout) -> None:
    drawn = layers(chart, layout)
    height = chart.draw(layout)["height"]
    domains = {name: channel for layer in drawn for name, channel in scales(layer)}

    def place(name: str, value: float) -> float:
        scale, size = domains[name]["scale"], layout.width_px - 45 if name == "x" else height - 62
        low, high = scale["domain"]
        if scale["type"] == "log":
            low, high, value = math.log(low), math.log(high), math.log(max(value, low / 10))
        return float((value - low) / (high - low) * size)

    shown = [layer for layer in drawn if layer["mark"]["type"] not in ("text", "circle", "image")]
    for layer in drawn:
        if layer["mark"]["type"] != "text" or not {"x", "y"} <= {name for name, _ in scales(layer)}:
            continue
        for row in layer["data"]["values"]:
            if not row["label"]:
                continue
            at = [place("x", row[field(layer, "x")]), place("y", row[field(layer, "y")]) - layer["mark"].get("dy", 0)]
            assert min(distances(shown, at, place), default=math.inf) < 60, row["label"]


def field(layer: dict[str, Any], name: str) -> str:
    return str(layer["encoding"][name]["field"])


def distances(shown: list[dict[str, Any]], at: list[float], place: Any) -> Iterator[float]:
    """How far each drawn mark is from a point [px]; a rule through the whole drawing has no place in one direction."""
    for layer in shown:
        given = {name for name in ("x", "y") if "field" in (layer["encoding"].get(name) or {})}
        for row in layer["data"]["values"]:
            gaps = []
            for name, wanted in zip(("x", "y"), at, strict=True):
                if name not in given:
                    gaps.append(0.0)
                    continue
                if layer["encoding"][name]["type"] != "quantitative":
                    gaps.append(0.0)
                    continue
                ends = [row.get(field(layer, name))]
                second = layer["encoding"].get(f"{name}2") or {}
                ends.append(row.get(second["field"]) if "field" in second else second.get("datum", ends[0]))
                low, high = sorted(place(name, float(end or 0)) for end in ends)
                gaps.append(max(low - wanted, wanted - high, 0.0))
            yield math.hypot(*gaps)
