"""How the charts of jobs are drawn: lines over time, percentiles on a scale of rareness, bars of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flashscope import units
from flashscope.records import Histogram
from flashscope.records.job_result import JobResult
from flashscope.reports.jobs.tracks import Tracks, moments_s, per_second
from flashscope.reports.numbers import say
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.downsample import envelope
from flashscope.reports.plotting.heat_map import TimeAxis
from flashscope.reports.plotting.lines import Line
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, GREEN, LINE_COLOURS, PURPLE, SERIES, Layout, Spec
from flashscope.reports.plotting.ticks import in_words, linear_ticks, log_ticks, say_time
from flashscope.vocabulary import RequestKind

DISTRIBUTION_SHARES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
_PERCENTILES = {"p50": ("50 %", SERIES), "p90": ("90 %", GREEN), "p99": ("99 %", ACCENT), "p999": ("99.9 %", CONTRAST)}
_THICK, _THIN = 2.4, 1.2
_HOVER_POINTS = 40  # of a line
_OF_KINDS: dict[RequestKind, str] = {"read": ACCENT, "write": CONTRAST, "trim": PURPLE}


def has_latency(job: JobResult, kind: RequestKind) -> bool:
    """Whether the job's latencies are known over time."""
    column = f"{kind}_latency_ns_max"
    return column in job.series.columns and bool((job.series[column] > 0).any())


def draw_over_time(tracks: Tracks, what: str, layout: Layout) -> Spec:
    """MB/s ("rate") or requests per second ("requests") over time: sums by kind thick, each job thin."""
    time = TimeAxis.until(tracks.duration_ns)
    drawn: list[tuple[Line, float]] = []
    spare = [colour for colour in LINE_COLOURS if colour not in _OF_KINDS.values()]
    for kind in tracks.kinds:
        makers = [job for job in tracks.each if f"{kind}_{what_column(what)}" in job.series.columns]
        alone = f"{makers[0].name} {kind}s" if len(makers) == 1 else f"{kind}s"
        name = f"all {kind}s" if len(makers) > 1 else alone
        rows = _rows(tracks.whole, kind, what, time, layout)
        drawn.append((Line(_named(name), rows, _OF_KINDS[kind], points=False), _THICK))
        if 1 < len(makers) <= len(spare):
            drawn += [
                (
                    Line(
                        _named(f"{job.name} {kind}s"), _rows(job, kind, what, time, layout), spare.pop(0), points=False
                    ),
                    _THIN,
                )
                for job in makers
            ]
    drawn = [(line, width) for line, width in drawn if line.rows]
    top = max((row["y"] for line, _ in drawn for row in line.rows), default=1.0) * 1.12 or 1.0
    y = vl.axis("y", "MB/s" if what == "rate" else "requests per second", domain=(0, top), tick_count=5)
    return _over_time(drawn, layout, _time_channel(time, layout), y)


def _time_channel(time: TimeAxis, layout: Layout) -> Spec:
    """Time, with room for names on its right, where no tick stands."""
    end = lines.room_for_names(0.0, time.end, layout, logarithmic=False)
    ticks = linear_ticks(0.0, time.end, layout.tick_count)
    return vl.axis("x", f"{time.unit} since the step began", domain=(0, end), ticks=ticks)


def what_column(what: str) -> str:
    """The end of the column's name."""
    return "bytes" if what == "rate" else "requests"


def _named(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"


def _rows(job: JobResult, kind: RequestKind, what: str, time: TimeAxis, layout: Layout) -> list[dict[str, Any]]:
    rates = per_second(job, f"{kind}_{what_column(what)}")
    moments, known = moments_s(job), np.isfinite(rates)
    drawn = envelope(moments[known], rates[known], np.ones(int(known.sum())), layout.points_max)
    who = f"{job.name}, " if job.name else ""
    return [
        {
            "x": float(at) * 1e9 / time.unit_ns,
            "y": float(rate) / (1e6 if what == "rate" else 1.0),
            "exact": f"{who}{kind}s: "
            + (units.format_rate(rate) if what == "rate" else f"{units.format_number(rate)} a second")
            + f" after {units.format_number(float(at) * 1e9 / time.unit_ns)} {time.unit}",
        }
        for at, rate in zip(drawn.position, drawn.mean, strict=True)
    ]


def _over_time(drawn: Sequence[tuple[Line, float]], layout: Layout, x: Spec, y: Spec) -> Spec:
    """Lines without dots, thin ones first, their names at their ends, hover on some of their points."""
    layers: list[Spec] = []
    exact: list[dict[str, Any]] = []
    for line, width in sorted(drawn, key=lambda pair: pair[1]):
        mark: Spec = {"type": "line", "color": line.colour, "strokeWidth": width, "clip": True}
        layers.append(vl.layer(line.rows, mark, x=x, y=y))
        exact += line.rows[:: max(1, len(line.rows) // _HOVER_POINTS)]
    layers += lines.names_at_ends([line for line, _ in drawn], layout, x=x, y=y)
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def draw_latency(job: JobResult, kind: RequestKind, layout: Layout) -> Spec:
    """Percentiles over time, on a logarithmic axis: the rare ones may be decades above the usual ones."""
    time = TimeAxis.until(int(job.series["elapsed_ns"][-1]))
    # Intervals without a latency: no request ended in them, or fio's log puts its entry into the neighbour.
    made = job.series[f"{kind}_latency_ns_max"] > 0
    moments = moments_s(job)[made] * 1e9 / time.unit_ns
    drawn = []
    for share, (name, colour) in _PERCENTILES.items():
        # The highest of each few: a percentile of several intervals is not the mean of theirs.
        values_ns = job.series[f"{kind}_latency_ns_{share}"][made].astype(float)
        binned = envelope(moments, values_ns, np.ones(len(moments)), layout.points_max)
        rows = [
            {
                "x": float(at),
                "y": max(float(value), 1.0),
                "exact": f"{name} took at most {say(float(value), 'ns').text}, "
                f"after {units.format_number(float(at))} {time.unit}",
            }
            for at, value in zip(binned.position, binned.high, strict=True)
        ]
        drawn.append((Line(name, rows, colour, points=False), _THIN))
    y = _latency_axis([row["y"] for line, _ in drawn for row in line.rows])
    return _over_time(drawn, layout, _time_channel(time, layout), y)


def _latency_axis(values_ns: Sequence[float]) -> Spec:
    """Latency [ns] on a logarithmic axis, its ticks in the unit that suits each."""
    low, high = min(values_ns) / 1.4, max(values_ns) * 1.4
    ticks = log_ticks(low, high, 7)
    return vl.axis("y", "latency", domain=(low, high), kind="log", ticks=ticks, label=in_words(ticks, say_time))


def draw_distribution(rows: Sequence[tuple[str, Histogram]], layout: Layout) -> Spec:
    """Latency by the share of requests that took at most so long; a step to the right is ten times as rare."""
    drawn = []
    for (name, histogram), colour in zip(rows, LINE_COLOURS, strict=False):
        rarest = min(1e5, max(2.0, float(histogram.total)))
        places = np.geomspace(2.0, rarest, 60 if not layout.narrow else 40)
        points = [(place, histogram.percentile_ns(1 - 1 / place)) for place in places]
        drawn.append(
            Line(
                _named(name),
                [
                    {
                        "x": float(place),
                        "y": max(value, 1.0),
                        "exact": f"{name}: {units.format_number(100 - 100 / place, 5)} % took at most "
                        f"{say(value, 'ns').text}",
                    }
                    for place, value in points
                ],
                colour,
                points=False,
            )
        )
    last = max(row["x"] for line in drawn for row in line.rows)
    ticks = [1 / (1 - share) for share in DISTRIBUTION_SHARES if 1 / (1 - share) <= last * 1.01]
    words = "".join(
        f"round(datum.value) == {round(tick)} ? '{units.format_number(100 * share, 5)} %' : "
        for tick, share in zip(ticks, DISTRIBUTION_SHARES, strict=False)
    )
    end = lines.room_for_names(2.0, last, layout, logarithmic=True)
    x = vl.axis(
        "x", "of the requests took at most so long", domain=(2.0, end), kind="log", ticks=ticks, label=f"{words}''"
    )
    y = _latency_axis([row["y"] for line in drawn for row in line.rows])
    return lines.draw(drawn, layout, x=x, y=y)


def draw_bars_of_jobs(tracks: Tracks, layout: Layout) -> Spec:
    """The rate of each job, a bar for each kind of request."""
    seconds = max(tracks.duration_ns, 1) / 1e9
    bars = []
    for job in tracks.each:
        for kind in tracks.kinds:
            if f"{kind}_bytes" not in job.series.columns:
                continue
            rate = float(job.series[f"{kind}_bytes"].sum()) / seconds
            late = say(job.latency[kind].percentile_ns(0.99), "ns").text if kind in job.latency else ""
            text = f"{units.format_rate(rate)}{f', 99 % in {late}' if late and not layout.narrow else ''}"
            exact = f"{job.name}, {kind}s: {units.format_rate(rate)}, 99 % took at most {late}"
            bars.append(Bar(_named(job.name), rate / 1e6, text, exact, is_second=kind != "read"))
    return draw_bars(bars, "MB/s", layout)
