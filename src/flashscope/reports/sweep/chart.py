"""One finding over one parameter, for each combination of the other varied parameters.

y |      o---o  k5-64          o: mean over the seeds, bar: from the least to the greatest
  | o---o       onyx-32
  +------------ gc.low_water_blocks

Which parameter goes on the x axis: `sweeps/parameter.py`. Labelled bars where no parameter is a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from flashscope.records.numbers import is_number
from flashscope.reports.numbers import named, say
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.curve import draw_bars
from flashscope.reports.plotting.lines import Line
from flashscope.reports.plotting.theme import ACCENT, LINE_COLOURS, Layout, Spec
from flashscope.sweeps.outcome import Outcome
from flashscope.sweeps.parameter import Parameter, chosen_parameter
from flashscope.units import format_number

_LINES_MOST = len(LINE_COLOURS)
_BARS_MOST = 24

Groups = dict[str, dict[float, list[float]]]
"""Line's name -> place on the x axis -> values over the seeds."""


def sweep_charts(outcomes: Sequence[Outcome], findings: Sequence[str]) -> list[Chart]:
    """A chart of each finding that has numbers and depends on a parameter; none of a single point."""
    charts = (_chart(outcomes, key) for key in findings)
    return [chart for chart in charts if chart is not None]


def _chart(outcomes: Sequence[Outcome], key: str) -> Chart | None:
    found = [(dict(one.varied), one.finding(key)) for one in outcomes]
    numbers = [(varied, each, float(each.value)) for varied, each in found if each and is_number(each.value)]
    if len(numbers) < 2:
        return None
    points = [(varied, value) for varied, _, value in numbers]
    unit, values = numbers[0][1].unit, [value for _, value in points]
    lowest, highest = (say(value, unit, key=key).text for value in (min(values), max(values)))
    parameter = chosen_parameter(outcomes)
    title = f"{titled(key).capitalize()}: {lowest} at every point" if lowest == highest else (
        f"{titled(key).capitalize()}: {lowest} to {highest}")  # fmt: skip

    def say_exactly(value: float) -> str:
        return say(value, unit, key=key).exact

    name = f"sweep-{key}".replace("_", "-")
    left_out = len(outcomes) - len(points)
    without = f" {left_out} points without a number are left out." if left_out else ""
    y_scale, y_title = _y_axis(key, unit, max(values))
    if parameter is None:
        bars = _bars(points, key, unit, y_scale)
        if len(bars) > _BARS_MOST:
            return None
        each = "The mean over the seeds of each" if len(bars) < len(points) else "Each"
        caption = f"{each} combination.{without}"
        return Chart(name, title, caption, title, lambda layout: draw_bars(bars, y_title, layout))
    groups = _groups(points, parameter)
    if len(groups) > _LINES_MOST or len({x for by_x in groups.values() for x in by_x}) < 2:
        return None
    repeated = any(len(values) > 1 for by_x in groups.values() for values in by_x.values())
    each = "the mean over the seeds, with the least and the greatest" if repeated else "one point"
    caption = f"Over {parameter.name}; each dot is {each}.{without}"
    return Chart(name, title, caption, f"{title}, over {parameter.name}.",
                 lambda layout: _draw(groups, parameter, say_exactly, y_scale, y_title, layout))  # fmt: skip


def titled(key: str) -> str:
    """A finding's key for a heading, where the values carry the unit: "access_time_write_ns" -> "access time write"."""
    return named(key.removesuffix("_ns"))


def _groups(points: Sequence[tuple[Mapping[str, str], float]], parameter: Parameter) -> Groups:
    groups: Groups = {}
    for varied, value in points:
        others = [_short(name, text) for name, text in varied.items() if name not in (parameter.name, "seed")]
        by_x = groups.setdefault(", ".join(others), {})
        by_x.setdefault(parameter.size(varied[parameter.name]), []).append(value)
    return groups


def _short(name: str, text: str) -> str:
    return text.removeprefix("sim:") if name == "part" else f"{name.rpartition('.')[2]} {text}"


def _draw(
    groups: Groups,
    parameter: Parameter,
    say_exactly: Callable[[float], str],
    y_scale: float,
    y_title: str,
    layout: Layout,
) -> Spec:
    scale, x_title = _x_axis(parameter, max(x for by_x in groups.values() for x in by_x))
    drawn = []
    for place, (name, by_x) in enumerate(groups.items()):
        rows = []
        for x in sorted(by_x):
            values = by_x[x]
            mean = sum(values) / len(values)
            rows.append({
                "x": x / scale, "y": mean / y_scale, "low": min(values) / y_scale, "high": max(values) / y_scale,
                "exact": f"{name + ', ' if name else ''}{parameter.name} {format_number(x / scale)}: "
                + say_exactly(mean),
            })  # fmt: skip
        drawn.append(Line(name, rows, LINE_COLOURS[place]))
    xs = [row["x"] for line in drawn for row in line.rows]
    top = max(row["high"] for line in drawn for row in line.rows)
    end = lines.room_for_names(min(xs), max(xs), layout, logarithmic=False) if len(drawn) > 1 else max(xs)
    margin = (max(xs) - min(xs)) * 0.04
    x_axis = vl.axis("x", x_title, domain=(max(0.0, min(xs) - margin), end + margin), ticks=_ticks(xs, layout))
    y_axis = vl.axis("y", y_title, domain=(0.0, max(top * 1.15, 1e-12)), tick_count=5)
    return lines.draw(drawn, layout, x=x_axis, y=y_axis)


def _ticks(xs: Sequence[float], layout: Layout) -> list[float] | None:
    """The values themselves, when there are few."""
    different = sorted(set(xs))
    return different if len(different) <= layout.tick_count else None


def _x_axis(parameter: Parameter, most: float) -> tuple[float, str]:
    """The divisor of the values and the title with the unit."""
    steps = {
        "bytes": (("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10)),
        "time": (("s", 1e9), ("ms", 1e6), ("us", 1e3)),
    }
    for unit, size in steps.get(parameter.dimension, ()):
        if most >= size:
            return size, f"{parameter.name} [{unit}]"
    base = {"bytes": "B", "time": "ns", "rate": "MB/s", "cycles": "cycles"}.get(parameter.dimension, "")
    return (1e6 if parameter.dimension == "rate" else 1.0), f"{parameter.name}{f' [{base}]' if base else ''}"


def _y_axis(key: str, unit: str, most: float) -> tuple[float, str]:
    """The divisor of the values and the title with the unit."""
    steps: dict[str, tuple[tuple[str, float], ...]] = {
        "bytes": (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)),
        "ns": (("s", 1e9), ("ms", 1e6), ("us", 1e3)),
        "bytes/s": (("GB/s", 1e9), ("MB/s", 1e6), ("KB/s", 1e3)),
    }
    steps |= {"bytes per second": steps["bytes/s"], "bytes_per_second": steps["bytes/s"]}
    for name, size in steps.get(unit, ()):
        if most >= size:
            return size, f"{titled(key)} [{name}]"
    return 1.0, f"{titled(key)} [{unit}]" if unit and unit not in ("count", "ratio") else titled(key)


def _bars(
    points: Sequence[tuple[Mapping[str, str], float]], key: str, unit: str, y_scale: float
) -> list[tuple[str, float, str, str]]:
    by_words: dict[str, list[float]] = {}
    for varied, value in points:
        words = ", ".join(_short(name, text) for name, text in varied.items() if name != "seed") or "all"
        by_words.setdefault(words, []).append(value)
    rows = []
    for words, values in by_words.items():
        mean = sum(values) / len(values)
        rows.append((words, mean / y_scale, ACCENT, f"{words}: {say(mean, unit, key=key).text}"))
    return rows
