"""Where a partition began and begins, against the boundaries of the mapping unit: which writes touch two units.

          |               |               |               |      boundaries of 16 KiB
sector 63               [####][----][----][----][####][----]     #: touches two units
sector 2048 [----][----][----][----][----][----][----][----]
"""

from __future__ import annotations

from functools import partial

from flashscope.laws.alignment import touched_units
from flashscope.records import Record
from flashscope.reports.comparison.partition_gain import SECTOR_BYTES, unit_of
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.unit_boundaries import WRITE_BYTES, draw_boundaries
from flashscope.units import format_bytes_binary, format_percent


def starts_chart(first: Record, second: Record) -> Chart | None:
    """The chart; None where the unit is not known, is no larger than the writes, or both begin at the same place."""
    unit = unit_of(first, second)
    starts = [record.drive_facts.offset_bytes for record in (first, second)]
    if unit <= WRITE_BYTES or unit % WRITE_BYTES or starts[0] == starts[1]:
        return None
    size = format_bytes_binary(unit)
    said = "; ".join(_sentence(start, unit) for start in starts)
    return Chart(
        name="starts",
        title=f"4 KiB writes that touch two units of {size}: {', then '.join(_share(start, unit) for start in starts)}",
        caption="The first writes of the partition, each 4 KiB, before (above) and after. Orange: the write touches "
        f"two units. Lines: boundaries of {size}.",
        description=said,
        draw=partial(draw_boundaries, [f"sector {start // SECTOR_BYTES}" for start in starts], starts, unit),
    )


def _share(start: int, unit: int) -> str:
    two = touched_units(WRITE_BYTES, unit, WRITE_BYTES, start).total - 1
    return format_percent(two) if two else "none"


def _sentence(start: int, unit: int) -> str:
    past, size = format_bytes_binary(start % unit), format_bytes_binary(unit)
    where = f"{past} past a boundary of {size}" if start % unit else f"on a boundary of {size}"
    return f"from sector {start // SECTOR_BYTES}, {where}, {_share(start, unit)} of the 4 KiB writes touch two units"
