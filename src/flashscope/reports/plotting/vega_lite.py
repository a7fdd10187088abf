"""Vega-Lite charts as plain dictionaries, drawn to SVG and PNG without a browser or a network.

A chart is a list of layers over shared axes; each helper here makes one layer. Rows contain their
values, so a layer needs only its rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from flashscope.reports.numbers import THIN_SPACE
from flashscope.reports.plotting import beside
from flashscope.reports.plotting.renderer import check_pictures
from flashscope.reports.plotting.theme import INK, SURFACE, Layout, Spec, configuration
from flashscope.reports.plotting.ticks import in_words, log_ticks
from flashscope.units import format_number

# A thin space separates groups of thousands, as everywhere in the report.
_LOCALE = {"decimal": ".", "thousands": THIN_SPACE, "grouping": [3], "currency": ["", ""]}
VEGA_LITE_VERSION = "5.21"  # pinned: another version may draw the same specification differently
_OPTIONS: dict[str, Any] = {"vl_version": VEGA_LITE_VERSION, "allowed_base_urls": [], "format_locale": _LOCALE}
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

LETTER_PX = 7.4
"""Room for a letter of a label: a little more than most fonts take."""

_LABEL_PADDING_PX = 12
_MARGIN_PX = 10
_CAPITAL_MORE = 0.2
_VEGA_LETTER_RATIO = 0.86

Row = dict[str, Any]


def axis(
    field: str,
    title: str,
    *,
    domain: tuple[float, float] | None = None,
    kind: str = "linear",
    ticks: Sequence[float] | None = None,
    tick_count: int | None = None,
    label: str | None = None,
) -> Spec:
    """A quantitative position channel. kind: "linear" (from zero unless there is a `domain`) or "log".

    ticks: exact places of the ticks; by default round numbers. label: a Vega expression for a tick's text.
    A logarithmic axis has few ticks, as plain numbers.
    """
    if kind == "log" and domain is not None and ticks is None:
        ticks = log_ticks(*domain, (tick_count or 5) + 1)
        label = label or in_words(ticks, format_number)
    scale: Spec = {"type": kind, "nice": False} | ({"domain": list(domain)} if domain else {})
    if kind == "linear" and domain is None:
        scale |= {"zero": True, "nice": True}
    drawn: Spec = {"title": title}
    if ticks is not None:
        drawn["values"] = list(ticks)
    if tick_count is not None and ticks is None:  # with both, Vega would drop some of the ticks
        drawn["tickCount"] = tick_count
    if label is not None:
        drawn["labelExpr"] = label
    return {"field": field, "type": "quantitative", "scale": scale, "axis": drawn}


def room_for_words(words: Sequence[str], layout: Layout) -> Spec:
    """What an axis of words needs, whatever fonts a reader has: Vega measures texts by its own, narrower ones."""
    limit = 140 if layout.narrow else 300
    letters = max((len(word) + _CAPITAL_MORE * sum(map(str.isupper, word)) for word in words), default=0.0)
    longest = round(LETTER_PX * letters) + _LABEL_PADDING_PX
    return {"labelLimit": round(limit * _VEGA_LETTER_RATIO), "minExtent": min(limit, longest)}


def room_at_ends(ends: Sequence[tuple[float, str]], words: Sequence[str], layout: Layout) -> float:
    """How far the x axis of bars has to reach beyond 1, so that each label has room at the end of its bar.

    ends: how far each bar goes along the axis (0..1), and its label. words: on the y axis.
    """
    plot_px = layout.width_px - room_for_words(words, layout)["minExtent"] - _MARGIN_PX
    return max(
        (end / (1 - min(0.75, (LETTER_PX * len(label) + _LABEL_PADDING_PX) / plot_px)) for end, label in ends),
        default=1.0,
    )


def layer(rows: Sequence[Row], mark: Spec, **encoding: Any) -> Spec:
    """One layer: rows drawn as `mark`. A channel given as text is the name of a quantitative field."""
    channels = {
        name: {"field": value, "type": "quantitative"} if isinstance(value, str) else value
        for name, value in encoding.items()
        if value is not None
    }
    return {"data": {"values": list(rows)}, "mark": mark, "encoding": channels}


def text(
    rows: Sequence[Row], *, x: Any = "x", y: Any = "y", colour: str = INK, halo: bool = True, **mark: Any
) -> list[Spec]:
    """Labels in place: each row's `label` at its x, y; `mark` holds align, dx, dy ... With a halo they stay
    readable over lines."""
    channel = {"field": "label", "type": "nominal"}
    base: Spec = {"type": "text", "baseline": "middle", "align": "left"} | mark
    layers = [layer(rows, base | {"stroke": SURFACE, "strokeWidth": 4, "strokeJoin": "round"}, x=x, y=y, text=channel)]
    return [*(layers if halo else []), layer(rows, base | {"color": colour}, x=x, y=y, text=channel)]


def hover_points(rows: Sequence[Row], *, x: Any = "x", y: Any = "y") -> Spec:
    """Invisible points: when the pointer is near one, the page shows the `exact` text of its row."""
    return layer(
        rows,
        {"type": "circle", "size": 44, "opacity": 0, "color": INK, "aria": True},
        x=x,
        y=y,
        description={"field": "exact", "type": "nominal"},
    )


def chart(layers: Sequence[Spec], layout: Layout, *, height_ratio: float = 1.0) -> Spec:
    """The whole specification of one chart in one layout."""
    return {
        "width": layout.width_px,
        "height": round(layout.height_px * height_ratio),
        "padding": {"left": 2, "right": 12 if layout.narrow else 4, "top": 6, "bottom": 2},
        "autosize": {"type": "fit", "contains": "padding"},
        "layer": list(layers),
        "config": configuration(layout),
    }


def titled(spec: Spec, title: str, subtitle: str) -> Spec:
    """The specification with its title in it, on white: for a chart in a file of its own."""
    return spec | {
        "title": {"text": title, "subtitle": subtitle, "offset": 14, "subtitlePadding": 4},
        "background": SURFACE,
        "padding": 16,
        "height": spec["height"] + 56,
        "config": spec["config"] | {"aria": True},
    }


def to_svg(spec: Spec) -> str:
    """The chart as SVG text; the same specification gives the same text. Raises NoPictures as below."""
    check_pictures()
    sound = _in_xml(spec)
    svg = beside.drawn(sound, _OPTIONS)
    if svg is None:
        import vl_convert

        svg = str(vl_convert.vegalite_to_svg(sound, **_OPTIONS))
    # Vega numbers its clips through all charts a process draws; here each drawing starts at the first number again.
    places: dict[str, str] = {}
    return re.sub(r"\bclip\d+\b", lambda found: places.setdefault(found[0], f"clip{len(places)}"), svg)


def ask_svg(spec: Spec) -> None:
    """Begin a drawing that `to_svg` will be asked for; only inside of `beside.drawing_beside`."""
    beside.ask(_in_xml(spec), _OPTIONS)


def to_png(spec: Spec, *, scale: float = 2.0) -> bytes:
    """The chart as a PNG, `scale` pixels for each pixel of the layout. Raises NoPictures where none can be drawn."""
    check_pictures()
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(_in_xml(spec), scale=scale, **_OPTIONS))


def _in_xml(part: Any) -> Any:
    """The same with a mark in place of each character that SVG cannot hold: these end the renderer by a signal."""
    if isinstance(part, str):
        return _NOT_IN_XML.sub("\ufffd", part)
    if isinstance(part, dict):
        return {name: _in_xml(value) for name, value in part.items()}
    if isinstance(part, list | tuple):
        return [_in_xml(value) for value in part]
    return part
