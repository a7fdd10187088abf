"""The page of `flashscope align`: each disk with its partitions to scale, and its starts against the mapping unit.

judged disk --> charts (the whole disk; the starts that miss a boundary) --> page.html.jinja, with the text below
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from flashscope.alignment.disk import DiskAlignment, one_line
from flashscope.alignment.judged import Start
from flashscope.alignment.words import past_in_words
from flashscope.outputs import HTML, ResultFile
from flashscope.reports.numbers import bound
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, INK, SURFACE, Layout, Spec
from flashscope.reports.plotting.unit_boundaries import WRITE_BYTES, draw_boundaries
from flashscope.reports.section import Drawn, drawn_as
from flashscope.units import format_bytes, format_bytes_binary

_MOST_STARTS = 8
_LEAST_IN_GB_BYTES = 10**10
_MOST_RANGE_RATIO = 0.01  # of the disk: no partition is drawn smaller


@dataclass(frozen=True)
class _Shown:
    where: str
    said: str
    charts: list[Drawn]
    text: str


def alignment_page(disks: Sequence[tuple[DiskAlignment, str]], path: Path) -> ResultFile:
    """The page of judged disks, each with what `align` prints of it, to be written to a path."""
    return ResultFile(path, HTML, render(disks).encode())


def render(disks: Sequence[tuple[DiskAlignment, str]]) -> str:
    """The page as HTML text."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("flashscope.reports", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"bound": bound}
    here = Path(__file__).parents[1]
    return environment.get_template("alignment/page.html.jinja").render(
        disks=[_shown(number, disk, text) for number, (disk, text) in enumerate(disks, 1)],
        style=(here / "style.css").read_text(encoding="utf-8"),
        script=(here / "hover.js").read_text(encoding="utf-8"),
    )


def _shown(number: int, disk: DiskAlignment, text: str) -> _Shown:
    charts = [each for each in (_whole(disk), _starts(disk)) if each is not None]
    drawn = [drawn_as(f"disk-{number}-{each.name}", each) for each in charts]
    return _Shown(disk.where, one_line(disk).partition("; see")[0], drawn, text)


def _whole(disk: DiskAlignment) -> Chart | None:
    partitions = disk.layout.holding_data()
    if not partitions or disk.layout.size_bytes <= 0:
        return None
    size, off = format_bytes(disk.layout.size_bytes), {each.partition for each in disk.off}
    missing = sum(each.number in off for each in partitions)
    return Chart(
        name="disk",
        title=f"{missing} of {len(partitions)} partitions miss a boundary"
        if missing
        else "Every partition begins on a boundary",
        caption=f"The whole disk, {size}. Orange: something in the partition begins past a boundary of "
        f"{format_bytes_binary(disk.required_bytes)}. A small partition is drawn larger than it is.",
        description="; ".join(f"partition {each.number} from byte {each.start_bytes}" for each in partitions),
        draw=partial(_draw_disk, disk, off),
    )


def _draw_disk(disk: DiskAlignment, off: set[int | None], layout: Layout) -> Spec:
    end = disk.layout.size_bytes
    scale, scale_name = (1e9, "GB") if end >= _LEAST_IN_GB_BYTES else (1e6, "MB")
    rows: list[dict[str, Any]] = []
    for each in disk.layout.holding_data():
        last = max(each.end_bytes, each.start_bytes + round(end * _MOST_RANGE_RATIO))
        what = each.inside.kind if each.inside else each.type_name
        exact = f"partition {each.number}, {what}, {format_bytes(each.size_bytes)}, from byte {each.start_bytes}"
        place = {"x": each.start_bytes / scale, "x2": last / scale, "from": 0.0, "y2": 1.0, "y": 0.5}
        rows.append(place | {"label": str(each.number), "exact": exact, "off": each.number in off})
    x = vl.axis("x", scale_name, domain=(0, end / scale), tick_count=layout.tick_count)
    y = vl.axis("y", "", domain=(0, 1), ticks=())
    layers = []
    for is_off, colour in ((False, ACCENT), (True, CONTRAST)):
        mark = {"type": "rect", "color": colour, "stroke": SURFACE, "strokeWidth": 1}
        chosen = [row for row in rows if row["off"] is is_off]
        layers.append(vl.layer(chosen, mark, x=x, x2={"field": "x2"}, y=y | {"field": "from"}, y2={"field": "y2"}))
    wide_px = [(row["x2"] - row["x"]) * scale / end * layout.width_px for row in rows]
    named = [row for row, px in zip(rows, wide_px, strict=True) if px > 2 * vl.LETTER_PX * len(row["label"])]
    layers += vl.text(named, x=x, y=y, colour=INK, dx=5)
    return vl.chart([*layers, vl.hover_points(rows, x=x, y=y)], layout, height_ratio=0.35)


def _starts(disk: DiskAlignment) -> Chart | None:
    """The starts that miss a boundary of the unit, the largest one where it is not known; each distance once."""
    unit = max(disk.unit.to_calculate_with)
    different: dict[int, Start] = {}
    for each in disk.off:
        if each.past(unit):
            different.setdefault(each.past(unit), each)
    starts = list(different.values())[:_MOST_STARTS]
    if not starts or unit <= WRITE_BYTES or unit % WRITE_BYTES:
        return None
    size = format_bytes_binary(unit) + ("" if disk.unit.size_bytes else ", if that is the mapping unit")
    said = "; ".join(f"{each.name}: {past_in_words(each.past(unit))} past a boundary" for each in starts)
    names = [_short(each) for each in starts]
    return Chart(
        name="starts",
        title=f"{_short(starts[0]).capitalize()} begins {past_in_words(starts[0].past(unit))} past a boundary",
        caption="The first 4 KiB writes from each start. Orange: the write touches two units. Lines: boundaries of "
        f"{size}.",
        description=said,
        draw=partial(draw_boundaries, names, [each.start_bytes for each in starts], unit),
    )


def _short(start: Start) -> str:
    return start.what if start.partition is None else f"partition {start.partition}"
