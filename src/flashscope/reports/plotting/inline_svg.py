"""A drawn chart for use in the page: colours become CSS variables, and nothing is written twice.

Points with an exact value are most of a drawing's bytes, although nobody sees them before the pointer is near one.
They become lines of text, "x y exact value", from which hover.js draws the one point that it needs.

What each text and line would say of itself, although it is so without saying, is left out.
"""

from __future__ import annotations

import re

from flashscope.reports.plotting.theme import CSS_VARIABLES, Layout

# Geometry is drawn to a tenth of a pixel; texts and opacities stay as they are.
_GEOMETRY = re.compile(r' (?:d|transform|x|y|x1|x2|y1|y2|width|height)="[^"]*"')
_NUMBER = re.compile(r"-?\d+\.\d{2,}(?:e-?\d+)?")
# The page itself has the chart's text for screen readers and the font, and it needs no namespaces.
_NEEDLESS = re.compile(
    r' (?:xmlns(?::xlink)?="[^"]*"|version="1\.1"|role="[^"]*"|aria-roledescription="[^"]*"|aria-hidden="true"'
    r'|font-family="[^"]*"|pointer-events="none"|stroke-miterlimit="10"|class="(?!marks")[^"]*")'
)
_DEFAULTS = re.compile(
    r' (?:opacity="1"|stroke-width="1"|font-weight="normal"|text-anchor="start"|transform="translate\(0,0\)")'
)
# Vega's empty backgrounds and foregrounds.
_EMPTY = re.compile(
    r'<path class="(?:background|foreground)"(?![^>]*(?:fill|stroke)=)[^>]*/>'
    r'|<path class="(?:background|foreground)"[^>]*?(?:d=""|d="M0,0h0v0h0Z"|display="none")[^>]*?/>'
)
_POINT = re.compile(r'<path aria-label="([^"]*)" transform="translate\(([^,"]*),([^)"]*)\)"[^>]*/>')
_POINTS = re.compile(rf"(?:{_POINT.pattern})+")


def inline(svg: str, *, prefix: str, layout: Layout) -> str:
    """The SVG element for use inside an HTML page.

    prefix: makes the ids of this drawing unique within the page. layout: that of the drawing; the class of the element
    and the size of its texts.
    """
    svg = _NEEDLESS.sub("", _EMPTY.sub("", svg))
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    for colour, variable in CSS_VARIABLES.items():
        svg = re.sub(rf'="{colour}"', f'="var({variable})"', svg, flags=re.IGNORECASE)
    svg = _GEOMETRY.sub(lambda attribute: _NUMBER.sub(_tenth, attribute[0]), svg)
    svg = _POINTS.sub(_points, svg)
    svg = _DEFAULTS.sub("", svg).replace(f' font-size="{layout.font_px}px"', "")
    svg = re.sub(r"<g></g>", "", svg)
    return svg.replace(
        'class="marks"',
        f'class="chart {layout.name}" font-size="{layout.font_px}px" aria-hidden="true" focusable="false"',
        1,
    )


def _points(group: re.Match[str]) -> str:
    """Invisible points as one attribute: a line for each, with its place and its exact value."""
    lines = (f"{x} {y} {exact}" for exact, x, y in _POINT.findall(group[0]))
    return f'<g data-points="{"&#10;".join(lines)}"/>'


def _tenth(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
