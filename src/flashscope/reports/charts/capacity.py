"""Every place that was tried, by its address and by what came back; the real end of a fake as a line.

held          | | | | || |
other's data             |  | | |  | | ||        or zeros, or something else, or an error
              +----------:---------------- GB
                         really ends here
"""

from __future__ import annotations

from typing import Any

from flashscope.analysis.announced_capacity import Came
from flashscope.records import Record, Table
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, Layout, Spec
from flashscope.units import format_bytes

_WORDS = {
    Came.HELD: "held",
    Came.ANOTHERS: "another place's data",
    Came.ZEROS: "zeros",
    Came.OTHER: "something else",
    Came.NOT_WRITTEN: "not written: error",
    Came.NOT_READ: "not read: error",
}


def build(record: Record) -> list[Chart]:
    """The places of the first step that has any; none without."""
    places = next((step.places for step in record.steps if step.places is not None and len(step.places)), None)
    if places is None:
        return []
    rows = _rows(places)
    found = {finding.key: finding for finding in record.findings}
    said = record.drive_facts.user_bytes
    real = found["real_capacity_bytes"].value if "real_capacity_bytes" in found else None
    is_fake = "is_counterfeit" in found and found["is_counterfeit"].value == "yes"
    end = float(real) if is_fake and isinstance(real, int | float) else None
    return [
        Chart(
            name="places",
            title=_title(said, end, is_fake=is_fake, is_known=real is not None),
            caption="Each mark is a place that was written with data of its own and read back later.",
            description=" ".join(finding.statement for finding in found.values()),
            draw=lambda layout: _draw(rows, said, end, layout),
        )
    ]


def _title(said: int, end: float | None, *, is_fake: bool, is_known: bool) -> str:
    if end is not None:
        return f"Says {format_bytes(said)} and ends at {format_bytes(end)}"
    if is_fake:
        return f"Says {format_bytes(said)} and holds less"
    if not is_known:
        return f"Could not tell whether all {format_bytes(said)} are there"
    return f"Holds all of its {format_bytes(said)}"


def _draw(rows: list[dict[str, Any]], said: int, end: float | None, layout: Layout) -> Spec:
    words = [word for came, word in _WORDS.items() if any(row["came"] == word for row in rows) or came is Came.HELD]
    x = vl.axis("x", "GB", domain=(0.0, said / 1e9 * 1.02), tick_count=layout.tick_count)
    y: dict[str, Any] = {
        "field": "came",
        "type": "nominal",
        "sort": words,
        "scale": {"domain": words},
        "axis": {"title": None, "grid": False, **vl.room_for_words(words, layout)},
    }
    tick: Spec = {"type": "tick", "thickness": 1.2, "opacity": 0.7}
    layers = [
        vl.layer([row for row in rows if row["came"] == word], tick | {"color": colour}, x=x, y=y)
        for word, colour in ((each, ACCENT if each == _WORDS[Came.HELD] else CONTRAST) for each in words)
    ]
    if end is not None:
        mark = {"x": end / 1e9, "came": words[0], "label": f"ends at {format_bytes(end)}"}
        layers.append(vl.layer([mark], {"type": "rule", "color": INK, "strokeDash": [4, 3]}, x=x))
        layers += vl.text([mark], x=x, y=y, dx=6, dy=-24, fontWeight="bold")
    return vl.chart([*layers, vl.hover_points(rows, x=x, y=y)], layout, height_ratio=0.55)


def _rows(places: Table) -> list[dict[str, Any]]:
    rows = {}
    for address, came in zip(places["address_bytes"].tolist(), places["came"].tolist(), strict=True):
        word = _WORDS[Came(came)]
        rows[address, word] = {"x": address / 1e9, "came": word, "exact": f"{format_bytes(address)}: {word}"}
    return list(rows.values())
