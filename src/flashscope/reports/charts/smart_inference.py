"""The attribute that counts erases, against host bytes written: the slope gives the bytes per erase, and its change
from sequential to random writing gives the write amplification.

    raw  |            random  .-'     steeper: each host byte costs more erases
         | sequential   _.-'
         |  __..--''
         +---------------------- GB written by the host
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flashscope import units
from flashscope.records import Finding, Record
from flashscope.reports.agreement import interval
from flashscope.reports.numbers import plain, say, written_unit
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, MUTED, SERIES, Layout, Spec

_NAME_ENDS_AT = 0.4  # of the width
_COLOUR = {"sequential": SERIES, "random": ACCENT}


@dataclass(frozen=True)
class _Reading:
    """One SMART reading. host_bytes: written since the run began. count: the decoded value of the attribute."""

    host_bytes: int
    count: int


_Spans = dict[str, list[_Reading]]  # "sequential", "random" -> its readings, the first being its starting point


def build(record: Record) -> list[Chart]:
    """The counter against the bytes written; and write amplification, step by step. Empty without a found counter."""
    findings = {finding.key: finding for finding in record.findings}
    attribute = findings.get("erase_count_attribute")
    if attribute is None or attribute.value is None or not attribute.details.get("series"):
        return []
    spans: _Spans = {}
    for row in attribute.details["series"]:
        spans.setdefault(row["phase"], []).append(_Reading(row["host_bytes"], row["count"]))
    spans = {phase: spans[phase] for phase in ("sequential", "random") if len(spans.get(phase, ())) > 1}
    if not spans:
        return []
    per_step = findings.get("erase_step_host_bytes")
    amplification = findings.get("write_amplification_random")
    title = f"{say(attribute.value, 'attribute', key=attribute.key).text} counts erases"
    if per_step and isinstance(per_step.value, int | float):
        title += f", one per {units.format_bytes(per_step.value)} written in order"
    charts = [
        Chart(
            name="counter",
            title=f"Attribute {title}",
            caption=f"The attribute ({attribute.details.get('layout', 'raw')}) at each SMART reading, as far as it "
            "rose above its first value. Writing at random makes it rise faster by the write amplification.",
            description=f"Attribute {title}. {attribute.statement}",
            draw=lambda layout: _draw_counter(spans, per_step, amplification, layout),
        )
    ]
    steps = _amplification_steps(spans.get("random", []), per_step)
    if amplification and isinstance(amplification.value, int | float) and len(steps) >= 2:
        charts.append(_amplification_chart(steps, amplification))
    return charts


def _draw_counter(spans: _Spans, per_step: Finding | None, amplification: Finding | None, layout: Layout) -> Spec:
    everything = [reading for span in spans.values() for reading in span]
    first = everything[0]
    unit, unit_bytes = written_unit(everything[-1].host_bytes - first.host_bytes)
    end = (everything[-1].host_bytes - first.host_bytes) / unit_bytes
    top = max(max(reading.count for reading in everything) - first.count, 1) * 1.15
    x = vl.axis("x", f"{unit} written by the host", domain=(0, end), tick_count=layout.tick_count)
    y = vl.axis("y", "rise of the attribute", domain=(0, top), tick_count=5)
    y["axis"] |= {"tickMinStep": 1}
    step_bytes = per_step.value if per_step and isinstance(per_step.value, int | float) else None
    ratio = amplification.value if amplification and isinstance(amplification.value, int | float) else None
    layers: list[Spec] = []
    exact: list[dict[str, Any]] = []
    for phase, span in spans.items():
        rows = [
            {
                "x": (reading.host_bytes - first.host_bytes) / unit_bytes,
                "y": reading.count - first.count,
                "exact": f"{plain(reading.count)} after {units.format_bytes(reading.host_bytes)} ({phase} writing)",
            }
            for reading in span
        ]
        # Between two rises the chart shows no values.
        exact += [row for before, row in pairwise(rows) if row["y"] != before["y"]] + rows[-1:]
        line: Spec = {"type": "line", "color": _COLOUR[phase], "strokeWidth": 2.5, "interpolate": "step-after"}
        layers.append(vl.layer(rows, line, x=x, y=y))
        slope_bytes = step_bytes / ratio if phase == "random" and step_bytes and ratio else step_bytes
        if phase == "random" and not ratio:
            slope_bytes = None
        layers += _phase(phase, rows, end, top, x, y, slope_bytes, layout)
    return vl.chart([*layers, vl.hover_points(exact, x=x, y=y)], layout)


def _phase(
    phase: str,
    rows: list[dict[str, Any]],
    end: float,
    top: float,
    x: Spec,
    y: Spec,
    slope_bytes: float | None,
    layout: Layout,
) -> list[Spec]:
    """A dotted line where the phase begins, its name, and how many host bytes one rise takes in it."""
    begin = rows[0]["x"]
    late = begin > 0.55 * end
    place: Spec = {"dx": -6 if late else 6, "align": "right" if late else "left"}
    # At the top of the dotted line; the first phase has none, so its name stands on the line of its readings.
    at_top = begin > 0
    height = top if at_top else max(row["y"] for row in rows if row["x"] <= _NAME_ENDS_AT * end)
    name = {"x": begin, "y": height, "label": f"{phase} writing"}
    # The sequential name would meet the right-aligned random one on a phone.
    slope = {"x": begin, "y": height, "label": f"+1 per {units.format_bytes(slope_bytes)}" if slope_bytes else ""}
    rule = [vl.layer([name], {"type": "rule", "color": MUTED, "strokeDash": [2, 4]}, x=x)] if at_top else []
    if layout.narrow:
        name["label"] = phase
    return [
        *rule,
        *vl.text([name], x=x, y=y, colour=MUTED, dy=8 if at_top else -28, **place),
        *vl.text([slope], x=x, y=y, dy=26 if at_top else -10, fontWeight="bold", **place),
    ]


def _amplification_steps(random: list[_Reading], per_step: Finding | None) -> list[dict[str, float]]:
    """Write amplification in stretches of random writing that begin and end with a rise of the counter.

    amplification: the rise times the bytes of one rise in sequential writing, over the host's bytes.
    from, to: host bytes written at random by then.
    """
    if per_step is None or not isinstance(per_step.value, int | float):
        return []
    # There is one reading per chunk, so a stretch is only known to a chunk: values of short ones would vary a lot.
    shortest_bytes = (random[-1].host_bytes - random[0].host_bytes) / 12 if random else 0
    steps: list[dict[str, float]] = []
    last: _Reading | None = None
    for before, reading in pairwise(random):
        if reading.count <= before.count:
            continue
        # The first rise ends a stretch that began before random writing; it is not used.
        if last is not None and reading.host_bytes - last.host_bytes < shortest_bytes:
            continue
        if last is not None:
            host_bytes = reading.host_bytes - last.host_bytes
            steps.append(
                {
                    "from": last.host_bytes - random[0].host_bytes,
                    "to": reading.host_bytes - random[0].host_bytes,
                    "amplification": (reading.count - last.count) * per_step.value / host_bytes,
                }
            )
        last = reading
    return steps


def _amplification_chart(steps: list[dict[str, float]], finding: Finding) -> Chart:
    value = float(finding.value or 0)
    title = f"Random writing wears the flash {units.format_number(value)} times as fast as sequential writing"
    return Chart(
        name="write-amplification",
        title=title,
        caption="Each grey bar: the rise of the attribute over a stretch, times the bytes one rise takes in sequential "
        "writing, over the bytes written in that stretch. Orange: the finding and its interval.",
        description=f"{title}. {finding.statement}",
        draw=lambda layout: _draw_amplification(steps, finding, layout),
    )


def _draw_amplification(steps: list[dict[str, float]], finding: Finding, layout: Layout) -> Spec:
    unit, unit_bytes = written_unit(steps[-1]["to"])
    begin, end = 0.0, steps[-1]["to"] / unit_bytes
    value = float(finding.value or 0)
    top = max(max(step["amplification"] for step in steps), finding.high or value, value) * 1.25
    x = vl.axis("x", f"{unit} written at random", domain=(begin, end), tick_count=layout.tick_count)
    y = vl.axis("y", "wear per byte written (sequential writing: 1)", domain=(0, top), tick_count=5)
    rows = [
        {
            "x": step["from"] / unit_bytes,
            "x2": step["to"] / unit_bytes,
            "middle": (step["from"] + step["to"]) / 2 / unit_bytes,
            "y": step["amplification"],
            "exact": f"{units.format_number(step['amplification'], 4)} between {units.format_bytes(step['from'])} "
            f"and {units.format_bytes(step['to'])}",
        }
        for step in steps
    ]
    bounds = interval(finding)
    label = {"x": end, "y": top, "label": f"{units.format_number(value)} ×" + (f" ({bounds.text})" if bounds else "")}
    band = {"x": begin, "x2": end, "low": finding.low, "high": finding.high}
    floor = {"x": end, "y": 1, "label": "sequential writing"}
    return vl.chart(
        [
            vl.layer([floor], {"type": "rule", "color": MUTED, "strokeDash": [2, 4]}, y=y),
            *vl.text([floor], x=x, y=y, colour=MUTED, align="right", dy=-10, dx=-4),
            *([_band(band, x, y)] if finding.low is not None and finding.high is not None else []),
            vl.layer(rows, {"type": "rule", "color": SERIES, "strokeWidth": 3}, x=x, x2={"field": "x2"}, y=y),
            vl.layer([label | {"y": value}], {"type": "rule", "color": CONTRAST, "strokeWidth": 1.5}, y=y),
            *vl.text([label], x=x, y=y, align="right", dx=-4, dy=8, fontWeight="bold"),
            vl.hover_points([row | {"x": row["middle"]} for row in rows], x=x, y=y),
        ],
        layout,
    )


def _band(row: dict[str, Any], x: Spec, y: Spec) -> Spec:
    mark: Spec = {"type": "rect", "color": CONTRAST, "opacity": 0.18}
    return vl.layer([row], mark, x=x, x2={"field": "x2"}, y=y | {"field": "low"}, y2={"field": "high"})
