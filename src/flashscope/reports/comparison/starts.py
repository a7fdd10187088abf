"""Where a partition began and begins, against the boundaries of the mapping unit: which writes touch two units.

          |               |               |               |      boundaries of 16 KiB
sector 63               [####][----][----][----][####][----]     #: touches two units
sector 2048 [----][----][----][----][----][----][----][----]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from flashscope.laws.alignment import touched_units
from flashscope.records import Record
from flashscope.reports.comparison.partition_gain import SECTOR_BYTES, unit_of
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import CONTRAST, INK, SERIES, SURFACE, Layout, Spec
from flashscope.units import format_bytes_binary, format_percent

_WRITE_BYTES = 4096
_UNITS = 3  # that are drawn
_KIB = 1024


def starts_chart(first: Record, second: Record) -> Chart | None:
    """The chart; None where the unit is not known, is no larger than the writes, or both begin at the same place."""
    unit = unit_of(first, second)
    starts = [record.drive_facts.offset_bytes for record in (first, second)]
    if unit <= _WRITE_BYTES or unit % _WRITE_BYTES or starts[0] == starts[1]:
        return None
    size = format_bytes_binary(unit)
    said = "; ".join(_sentence(start, unit) for start in starts)
    return Chart(
        name="starts",
        title=f"4 KiB writes that touch two units of {size}: {', then '.join(_share(start, unit) for start in starts)}",
        caption="The first writes of the partition, each 4 KiB, before (above) and after. Orange: the write touches "
        f"two units. Lines: boundaries of {size}.",
        description=said,
        draw=partial(_draw, starts, unit),
    )


def _share(start: int, unit: int) -> str:
    two = touched_units(_WRITE_BYTES, unit, _WRITE_BYTES, start).total - 1
    return format_percent(two) if two else "none"


def _sentence(start: int, unit: int) -> str:
    past, size = format_bytes_binary(start % unit), format_bytes_binary(unit)
    where = f"{past} past a boundary of {size}" if start % unit else f"on a boundary of {size}"
    return f"from sector {start // SECTOR_BYTES}, {where}, {_share(start, unit)} of the 4 KiB writes touch two units"


def _draw(starts: Sequence[int], unit: int, layout: Layout) -> Spec:
    names = [f"sector {start // SECTOR_BYTES}" for start in starts]
    end = _UNITS * unit
    writes = [row for index, start in enumerate(starts) for row in _writes(start % unit, unit, end, index)]
    bounds = [unit * number / _KIB for number in range(_UNITS + 1)]
    x = vl.axis("x", "KiB from a boundary", domain=(0, end / _KIB), ticks=bounds)
    cases = "".join(f"datum.value == {index + 0.5} ? '{name}' : " for index, name in enumerate(names))
    places = [index + 0.5 for index in range(len(names))]
    y = vl.axis("y", "", domain=(len(names), 0), ticks=places, label=f"{cases}''")
    y["axis"] |= {"grid": False, "ticks": False} | vl.room_for_words(names, layout)
    layers = []
    for colour in (SERIES, CONTRAST):
        mark = {"type": "rect", "color": colour, "stroke": SURFACE, "strokeWidth": 1.5}
        rows = [row for row in writes if row["colour"] == colour]
        layers.append(vl.layer(rows, mark, x=x, x2={"field": "x2"}, y=y | {"field": "from"}, y2={"field": "to"}))
    layers.append(vl.layer([{"x": at} for at in bounds], {"type": "rule", "color": INK, "strokeWidth": 1.5}, x=x))
    return vl.chart([*layers, vl.hover_points(writes, x=x, y=y)], layout, height_ratio=0.5)


def _writes(past: int, unit: int, end: int, index: int) -> list[dict[str, Any]]:
    """The writes of a partition that begins so far past a boundary, up to the end of the drawing [bytes]."""
    rows = []
    for at in range(past, end, _WRITE_BYTES):
        last = at + _WRITE_BYTES
        two = at // unit != (last - 1) // unit
        touches = "two units" if two else "one unit"
        rows.append(
            {
                "x": at / _KIB,
                "x2": min(last, end) / _KIB,
                "from": index + 0.2,
                "to": index + 0.8,
                "y": index + 0.5,
                "colour": CONTRAST if two else SERIES,
                "exact": f"the write {format_bytes_binary(at - past)} into the partition touches {touches}",
            }
        )
    return rows
