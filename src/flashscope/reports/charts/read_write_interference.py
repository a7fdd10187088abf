"""Time for the same amounts, one after the other and at once: two bars for streams, two for a program that takes turns.

two streams    one after the other  [ read  ][  write   ]
               at once              [      both             ]
in turn        one after the other  [ read  ][  write   ]
               at once              [      both        ]
"""

from __future__ import annotations

from typing import Any

from flashscope.records import Finding, Record
from flashscope.reports.numbers import say
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, SERIES, SURFACE, Layout, Spec
from flashscope.units import format_number

_KEYS = {"interference_ratio": "two streams", "interference_ratio_in_turn": "in turn"}


def build(record: Record) -> list[Chart]:
    """One chart of both ways; none when no ratio was found."""
    found = {
        finding.key: finding
        for finding in record.findings
        if finding.key in _KEYS and isinstance(finding.value, int | float) and len(finding.details["passes"]) == 3
    }
    if not found:
        return []
    first = next(iter(found.values()))
    times = format_number(float(first.value or 0))
    title = f"Reading and writing at once takes {times} times as long as one after the other"
    return [
        Chart(
            name="passes",
            title=title,
            caption="Time to read and to write the same amount in order: one after the other (blue: "
            "read; orange: write), and both at once. "
            "Two streams: 8 requests outstanding in each. In turn: one request at a time, as a copying program works.",
            description=" ".join(finding.statement for finding in found.values()),
            draw=lambda layout: _draw(found, layout),
        )
    ]


def _draw(found: dict[str, Finding], layout: Layout) -> Spec:
    bars: list[dict[str, Any]] = []
    names: list[dict[str, Any]] = []
    place = 1.0  # room for the heading above the first bar
    for key, finding in found.items():
        bars_of, names_of = _group(finding, _KEYS[key], place)
        bars += bars_of
        names += names_of
        place += 3.0
    most = max(bar["x2"] for bar in bars)
    end = most * (1.3 if layout.narrow else 1.15)
    x = vl.axis("x", "seconds", domain=(0.0, end), tick_count=layout.tick_count)
    y = vl.axis("y", "", domain=(place - 0.4, 0.1), ticks=())
    layers = []
    for colour in (ACCENT, CONTRAST, SERIES):
        mark = {"type": "rect", "color": colour, "stroke": SURFACE, "strokeWidth": 1}
        rows = [bar for bar in bars if bar["colour"] == colour]
        layers.append(vl.layer(rows, mark, x=x, x2={"field": "x2"}, y=y, y2={"field": "y2"}))
    inside = [bar | {"x": bar["x"] + most * 0.01, "y": (bar["y"] + bar["y2"]) / 2} for bar in bars]
    fitting = [bar for bar in inside if bar["colour"] == SERIES or _fits(bar, end, layout)]
    layers += vl.text(names, x=x, y=y, colour=INK, fontWeight="bold")
    layers += vl.text(fitting, x=x, y=y, colour=INK)
    return vl.chart([*layers, vl.hover_points(inside, x=x, y=y)], layout)


def _fits(bar: dict[str, Any], end_s: float, layout: Layout) -> bool:
    """Whether a bar is as long as its label; the colours say the same."""
    long_px = (bar["x2"] - bar["x"]) / end_s * (layout.width_px - 2 * vl.LETTER_PX)
    return bool(long_px > vl.LETTER_PX * (len(bar["label"]) + 1))


def _group(finding: Finding, name: str, place: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Two bars and their heading from `place` downwards."""
    read, write, both = finding.details["passes"]
    amount = both["moved_bytes"] / 2

    def seconds(one: dict[str, Any], moved: float) -> float:
        return float(moved / one["bytes_per_second"])

    read_s, write_s, both_s = seconds(read, amount), seconds(write, amount), seconds(both, 2 * amount)
    rows = [
        _bar(0.0, read_s, place, "read", ACCENT),
        _bar(read_s, read_s + write_s, place, "write", CONTRAST),
        _bar(0.0, both_s, place + 1, f"both, {format_number(float(finding.value or 0))} times", SERIES),
    ]
    return rows, [{"x": 0.0, "y": place - 0.25, "label": name}]


def _bar(begin_s: float, end_s: float, place: float, label: str, colour: str) -> dict[str, Any]:
    exact = f"{label}: {say((end_s - begin_s) * 1e9, 'ns').text}"
    return {"x": begin_s, "x2": end_s, "y": place, "y2": place + 0.85, "label": label, "colour": colour, "exact": exact}
