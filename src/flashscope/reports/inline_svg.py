"""A drawn chart for use in the page: colours become CSS variables; parts for a separate file are removed."""

from __future__ import annotations

import re

from flashscope.reports.theme import CSS_VARIABLES

# Geometry is drawn to a tenth of a pixel; texts and opacities stay as they are.
_GEOMETRY = re.compile(r' (?:d|transform|x|y|x1|x2|y1|y2|width|height)="[^"]*"')
_NUMBER = re.compile(r"-?\d+\.\d{2,}(?:e-?\d+)?")
# The page itself has the chart's text for screen readers and the font, and it needs no namespaces.
_NEEDLESS = re.compile(
    r' (?:xmlns(?::xlink)?="[^"]*"|version="1\.1"|role="[^"]*"|aria-roledescription="[^"]*"|aria-hidden="true"'
    r'|font-family="[^"]*"|pointer-events="none"|stroke-miterlimit="10")'
)
# Vega's empty backgrounds and foregrounds.
_EMPTY = re.compile(r'<path class="(?:background|foreground)"[^>]*?(?:d=""|d="M0,0h0v0h0Z"|display="none")[^>]*?/>')


def inline(svg: str, *, prefix: str, classes: str) -> str:
    """The SVG element for use inside an HTML page.

    prefix: makes the ids of this drawing unique within the page. classes: of the SVG element.
    """
    svg = _EMPTY.sub("", _NEEDLESS.sub("", svg))
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}\1)", svg)
    for colour, variable in CSS_VARIABLES.items():
        svg = re.sub(rf'="{colour}"', f'="var({variable})"', svg, flags=re.IGNORECASE)
    svg = _GEOMETRY.sub(lambda attribute: _NUMBER.sub(_tenth, attribute[0]), svg)
    svg = svg.replace(' aria-label="', ' data-exact="')  # what hover.js looks for
    return svg.replace('class="marks"', f'class="{classes}" aria-hidden="true" focusable="false"', 1)


def _tenth(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")
