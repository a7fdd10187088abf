"""The appearance of all charts: a palette, two layouts, and the Vega-Lite configuration made from them.

Chart colours are Okabe-Ito's, which remain different with colour blindness and in print. One accent for the result,
grey for the rest; `contrast` only where two things are compared, green and purple where more are.
No two lines of a chart have the same colour. A chart is drawn in the light colours; the page
turns each into a CSS variable of the same name (`inline_svg.py`, `style.css`), so that dark mode repaints it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]

ACCENT = "#0072B2"
CONTRAST = "#D55E00"
GREEN = "#009E73"
PURPLE = "#A8558C"
SERIES = "#8A929C"
INK = "#1B2027"
MUTED = "#59626D"
GRID = "#E3E6EA"
SURFACE = "#FFFFFE"

# Chart colour -> the CSS variable that replaces it in the page.
CSS_VARIABLES = {
    ACCENT: "--accent",
    CONTRAST: "--contrast",
    GREEN: "--green",
    PURPLE: "--purple",
    SERIES: "--series",
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    SURFACE: "--surface",
}

LINE_COLOURS = (ACCENT, CONTRAST, GREEN, PURPLE, SERIES, INK)
"""For named lines of equal rank, in this order; a chart with more lines needs another form."""


@dataclass(frozen=True)
class Layout:
    """One size in which a chart is drawn; text keeps its size, so a phone gets a drawing of its own.

    width_px, height_px: of the whole drawing. font_px: of all text in it.
    tick_count: wanted on the x axis. points_max: a series longer than this is drawn as an envelope.
    """

    name: str
    width_px: int
    height_px: int
    font_px: int
    tick_count: int
    points_max: int

    @property
    def narrow(self) -> bool:
        """True where labels must be short."""
        return self.width_px < 500


WIDE = Layout("wide", 704, 330, 13, 8, 220)
FRONT = Layout("wide", 600, 300, 13, 6, 220)
"""The chart of the first screen, beside the drawing of the inside."""

NARROW = Layout("narrow", 324, 280, 12, 4, 110)


def configuration(layout: Layout) -> Spec:
    """The Vega-Lite `config` of every chart."""
    return {
        "font": "sans-serif",
        "background": None,
        # Only marks with an exact value are marked for the hover script (`vega_lite.hover_points`).
        "aria": False,
        "view": {"stroke": None},
        "axis": {
            "labelFontSize": layout.font_px,
            "titleFontSize": layout.font_px,
            "titleFontWeight": "normal",
            "labelColor": MUTED,
            "titleColor": MUTED,
            "gridColor": GRID,
            "tickColor": GRID,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
            "titlePadding": 10,
        },
        "axisX": {"grid": False, "domain": True, "domainColor": SERIES, "ticks": True, "tickColor": SERIES},
        # The unit is above the axis, horizontal: it is read first there and takes no width from the drawing.
        "axisY": {"titleAngle": 0, "titleAlign": "left", "titleAnchor": "end", "titleBaseline": "bottom", "titleY": -9},
        "text": {"fontSize": layout.font_px, "color": INK},
        "title": {"anchor": "start", "fontSize": 16, "color": INK, "subtitleColor": MUTED, "subtitleFontSize": 12},
    }
