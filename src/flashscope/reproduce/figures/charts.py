"""The documents' numbers beside those of the model: one chart for each drive, experiment and unit.

    value |  o     o                 o  published      (log scale, in the order of the rows)
          |  .  o  .  .              .  model
          |     .     o  <> <>       <> predicted, for rows without a value
          +--------------------- rows

A line joins the two values of a row: its length is the error. The largest error is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flashscope.outputs import SVG, ResultFile
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, MUTED, SERIES, WIDE, Layout, Spec
from flashscope.reproduce.figures.result import Result, score

Group = tuple[str, str, str]


def chart_files(results: Sequence[Result], directory: Path) -> list[ResultFile]:
    """A chart `<drive>-<experiment>[-<unit>].svg` for each group with a model value, to be written to a directory."""
    charts = []
    for (drive, experiment, unit), group in groups_of(results).items():
        drawn = [result for result in group if result.model is not None and result.model > 0]
        if not drawn:
            continue
        spec = vl.titled(draw(drawn, WIDE), title(drawn), f"{drive}, {experiment}; {unit}. Circles: published.")
        name = re.sub(r"[^a-z0-9]+", "-", f"{drive} {experiment} {unit}".lower()).strip("-")
        charts.append(ResultFile(directory / f"{name}.svg", SVG, vl.to_svg(spec).encode()))
    return charts


def groups_of(results: Sequence[Result]) -> dict[Group, list[Result]]:
    """Results that share an axis."""
    groups: dict[Group, list[Result]] = {}
    for result in results:
        key = (result.figure.drive, result.figure.experiment, result.figure.unit)
        groups.setdefault(key, []).append(result)
    return groups


def title(results: Sequence[Result]) -> str:
    """The answer in a sentence."""
    of = score(results)
    if of.median_error_ratio is None:
        return f"{len(results)} predictions; no published value to compare with"
    words = f"Median error {100 * of.median_error_ratio:.0f} % over {of.compared} published values"
    return f"{words}; {of.predicted} predicted" if of.predicted else words


def draw(results: Sequence[Result], layout: Layout) -> Spec:
    """The values of one group, on a log scale."""
    rows = [_row(place, result) for place, result in enumerate(results, start=1)]
    values = [row[key] for row in rows for key in ("model", "published") if row[key] is not None]
    x = vl.axis("x", "row, as in the table", domain=(0.5, len(rows) + 0.5), ticks=[1, len(rows)] if rows[1:] else [1])
    y = vl.axis("y", results[0].figure.unit, domain=(min(values) / 1.6, max(values) * 1.9), kind="log", tick_count=5)
    compared = [row for row in rows if row["published"] is not None]
    predicted = [row for row in rows if row["published"] is None]
    point = {"type": "point", "filled": True, "opacity": 1, "size": 60}
    published, model = y | {"field": "published"}, y | {"field": "model"}
    layers: list[Spec] = []
    if compared:
        span = {"type": "rule", "color": MUTED, "strokeWidth": 1}
        ring = {"type": "point", "filled": False, "size": 90, "color": SERIES, "strokeWidth": 2}
        layers += [
            vl.layer(compared, span, x=x, y=published, y2={"field": "model"}),
            vl.layer(compared, ring, x=x, y=published),
            vl.layer(compared, point | {"color": ACCENT}, x=x, y=model),
        ]
        worst = max(compared, key=lambda row: abs(row["error"]))
        side: Spec = {"align": "right" if worst["x"] > len(rows) / 2 else "left"}
        layers += vl.text([worst], x=x, y=model, dy=-14, **side)
    if predicted:
        layers.append(vl.layer(predicted, point | {"shape": "diamond", "color": CONTRAST}, x=x, y=model))
    return vl.chart([*layers, vl.hover_points(rows, x=x, y=model)], layout)


def _row(place: int, result: Result) -> dict[str, Any]:
    figure, error = result.figure, result.error_ratio
    said = "to be predicted" if figure.value is None else f"published {figure.value:g}"
    return {
        "x": place,
        "model": result.model,
        "published": figure.value,
        "error": error or 0.0,
        "label": f"{figure.id} {figure.metric}: {100 * (error or 0.0):+.0f} %",
        "exact": f"{figure.id}, {figure.condition}, {figure.metric}: {said}, model {result.model:.4g} {figure.unit}",
    }
