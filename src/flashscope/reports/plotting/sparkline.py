"""A line as high as the text: how a counter grew over several readings, as SVG or as block characters."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_BLOCKS = "▁▂▃▄▅▆▇█"
_WIDTH, _HEIGHT, _MARGIN = 96.0, 20.0, 2.0

Points = Sequence[tuple[float, float]]
"""(time, value), in the order of time."""


def svg(points: Points, *, label: str) -> str:
    """The line as an SVG element that takes its colour from the page; "" for fewer than two points.

    label: what it shows, for people who cannot see it, and as its tooltip.
    """
    if len(points) < 2:
        return ""
    xs, ys = _scaled([x for x, _ in points]), _scaled([y for _, y in points])
    inner_width, inner_height = _WIDTH - 2 * _MARGIN, _HEIGHT - 2 * _MARGIN
    places = [(_MARGIN + x * inner_width, _HEIGHT - _MARGIN - y * inner_height) for x, y in zip(xs, ys, strict=True)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    end_x, end_y = places[-1]
    said = escape(label, quote=True)
    return (
        f'<svg class="spark" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{said}">'
        f'<title>{said}</title><polyline points="{line}"/><circle cx="{end_x:.1f}" cy="{end_y:.1f}" r="2"/></svg>'
    )


def blocks(points: Points, *, width: int = 12) -> str:
    """The line in at most `width` block characters, of equal stretches of time; "" for fewer than two points."""
    if len(points) < 2:
        return ""
    xs, ys = _scaled([x for x, _ in points]), _scaled([y for _, y in points])
    shown = []
    index = 0
    for column in range(width):
        while index + 1 < len(xs) and xs[index + 1] <= column / (width - 1) + 1e-9:
            index += 1
        shown.append(_BLOCKS[round(ys[index] * (len(_BLOCKS) - 1))])
    return "".join(shown)


def _scaled(values: Sequence[float]) -> list[float]:
    """From 0 to 1; all in the middle when they are equal."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) if high > low else 0.5 for value in values]
