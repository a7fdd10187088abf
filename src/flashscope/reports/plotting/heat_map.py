"""A heat map as a chart: time to the right, place upward, a value as colour, its scale drawn above.

erase block       0 % [dark ... bright] 100 %
  8192 |................
       |................      one pixel per cell, `palette_image.py`; cells that are too small to see are averaged
     0 +---------------- min
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.palette_image import picture
from flashscope.reports.plotting.resample import coarser
from flashscope.reports.plotting.theme import MUTED, Layout, Spec
from flashscope.units import format_number

_LEAST_CELL_PX, _AXIS_PX = 2, 62  # of a drawn cell; of the axis of time and what stands above the drawing
_BAR_PX, _BAR_HEIGHT_PX, _BAR_TOP_PX = 84, 8, -18
_LABELS_PX = 40
_STEEP = 30  # when the largest value is this many times the mean, all others would be dark on a linear scale


@dataclass(frozen=True)
class Scale:
    """How values become colours. low, high: the ends; values beyond them get the colour of the end.

    logarithmic: of value + 1, for values that span decades. low_label: text at the low end instead of its value.
    """

    low: float
    high: float
    logarithmic: bool = False
    low_label: str = ""

    @classmethod
    def of(cls, values: np.ndarray) -> Scale:
        """From 0 to the largest value; logarithmic when few values are much larger than the rest."""
        known = values[np.isfinite(values)]
        high, mean = (float(known.max()), float(known.mean())) if known.size else (0.0, 0.0)
        return cls(0.0, max(high, 1.0), high > _STEEP * max(mean, 1.0))

    def share(self, values: np.ndarray) -> np.ndarray:
        """Each value as a place between the ends [ratio]; NaN stays."""
        if self.logarithmic:
            placed: np.ndarray = np.log1p(values - self.low) / math.log1p(self.high - self.low)
            return placed
        return (values - self.low) / max(self.high - self.low, 1e-12)


@dataclass(frozen=True)
class TimeAxis:
    """The time of a step in a unit that suits its length. unit_ns: one of `unit`. end: where the axis ends."""

    unit: str
    unit_ns: int
    end: float

    @classmethod
    def until(cls, duration_ns: int) -> TimeAxis:
        """The axis of a step that took duration_ns."""
        units = (("h", 3600 * 10**9), ("min", 60 * 10**9), ("s", 10**9), ("ms", 10**6))
        unit, unit_ns = next(((name, size) for name, size in units if duration_ns >= 3 * size), ("µs", 1000))
        return cls(unit, unit_ns, duration_ns / unit_ns)

    def channel(self, layout: Layout) -> Spec:
        """The x channel."""
        return vl.axis("x", f"{self.unit} since the step began", domain=(0, self.end), tick_count=layout.tick_count)


def draw_heat_map(
    elapsed_ns: np.ndarray,
    values: np.ndarray,
    *,
    scale: Scale,
    covered: int,
    place: str,
    say: Callable[[float], str],
    layout: Layout,
    height_ratio: float,
) -> Spec:
    """The specification of one heat map.

    elapsed_ns: rising, shape (looks,). values: shape (looks, places). covered: the number of things in all places.
    place: the name of one such thing. say: gives a value as text.
    """
    time = TimeAxis.until(int(elapsed_ns[-1]))
    x = time.channel(layout)
    y = aligned(vl.axis("y", place, domain=(0, covered), tick_count=4))
    y["axis"] |= {"tickMinStep": 1, "grid": False, "format": "d"}
    image: Spec = {"type": "image", "aspect": False, "smooth": False}
    url = {"field": "url", "type": "nominal"}
    pixels = picture(scale.share(_drawn(elapsed_ns, values, layout, height_ratio)).T[::-1])
    whole = [{"x": 0, "x2": time.end, "y": 0, "y2": covered, "url": pixels}]
    return vl.chart(
        [
            vl.layer(whole, image, x=x, x2={"field": "x2"}, y=y, y2={"field": "y2"}, url=url),
            *_colour_bar(scale, say, image),
            vl.hover_points(_exact(elapsed_ns, values, time, covered, place, say, layout), x=x, y=y),
        ],
        layout,
        height_ratio=height_ratio,
    )


def aligned(y: Spec) -> Spec:
    """The y channel with room for labels of up to four digits, so that time axes of charts below each other agree."""
    return y | {"axis": y["axis"] | {"minExtent": _LABELS_PX}}


def _drawn(elapsed_ns: np.ndarray, values: np.ndarray, layout: Layout, height_ratio: float) -> np.ndarray:
    """The values in as many cells as the drawing can show, at least 2 px each; none where there are fewer anyway."""
    columns = min(int(layout.width_px / _LEAST_CELL_PX / 2), len(elapsed_ns))
    moments = np.concatenate([[0.0], (elapsed_ns[1:] + elapsed_ns[:-1]) / 2, [float(elapsed_ns[-1])]])
    rows = min(int((layout.height_px * height_ratio - _AXIS_PX) / _LEAST_CELL_PX), values.shape[1])
    in_time = coarser(values, moments, columns)
    places = np.arange(values.shape[1] + 1.0)
    return coarser(in_time.T, places, rows).T if rows < values.shape[1] else in_time


def _nearest(elapsed_ns: np.ndarray, wanted_ns: np.ndarray) -> np.ndarray:
    after = np.clip(np.searchsorted(elapsed_ns, wanted_ns), 1, len(elapsed_ns) - 1)
    earlier = wanted_ns - elapsed_ns[after - 1] < elapsed_ns[after] - wanted_ns
    return np.where(earlier, after - 1, after)


def _colour_bar(scale: Scale, say: Callable[[float], str], image: Spec) -> list[Spec]:
    """The meaning of the colours, above the right end of the drawing. A logarithmic scale has a middle label, too."""
    right = {"expr": f"width - {_label_px(say(scale.high))}"}
    left = {"expr": f"width - {_label_px(say(scale.high)) + _BAR_PX}"}
    bar = picture(np.linspace(0, 1, 63)[None, :])
    top = {"value": _BAR_TOP_PX}
    bottom = {"value": _BAR_TOP_PX + _BAR_HEIGHT_PX}
    middle = {"value": _BAR_TOP_PX + _BAR_HEIGHT_PX / 2}
    drawn = [
        vl.layer(
            [{"url": bar}],
            image,
            x={"value": left},
            x2={"value": right},
            y=top,
            y2=bottom,
            url={"field": "url", "type": "nominal"},
        )
    ]
    for text, place, align, dx in (
        (scale.low_label or say(scale.low), left, "right", -5),
        (say(scale.high), right, "left", 5),
    ):
        mark: Spec = {"type": "text", "align": align, "baseline": "middle", "dx": dx, "color": MUTED}
        label = {"field": "label", "type": "nominal"}
        drawn.append(vl.layer([{"label": text}], mark, x={"value": place}, y=middle, text=label))
    return drawn


def _label_px(text: str) -> int:
    """Room for a label at the right end [px]."""
    return 8 + 8 * len(text)


def _exact(
    elapsed_ns: np.ndarray,
    values: np.ndarray,
    time: TimeAxis,
    covered: int,
    place: str,
    say: Callable[[float], str],
    layout: Layout,
) -> list[vl.Row]:
    """A grid of points, each with the exact value at its place."""
    across, up = (9, 5) if layout.narrow else (18, 7)
    per_column = -(-covered // values.shape[1])
    looks = _nearest(elapsed_ns, (np.arange(across) + 0.5) * elapsed_ns[-1] / across)
    columns = np.unique(((np.arange(up) + 0.5) * values.shape[1] / up).astype(int))
    rows: list[vl.Row] = []
    for look in np.unique(looks):
        for column in columns:
            first, last = int(column) * per_column, min(covered, (int(column) + 1) * per_column) - 1
            where = f"{place} {first}" if first == last else f"{place}s {first} to {last}"
            value = float(values[look, column])
            rows.append(
                {
                    "x": float(elapsed_ns[look]) / time.unit_ns,
                    "y": (first + last + 1) / 2,
                    "exact": f"{where} after {format_number(elapsed_ns[look] / time.unit_ns, 4)} {time.unit}: "
                    + (say(value) if math.isfinite(value) else "out of use"),
                }
            )
    return rows
