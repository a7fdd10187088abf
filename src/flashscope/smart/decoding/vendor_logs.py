"""The unit of a vendor log's bytes where makers differ: the one that the drive's erase counts and host bytes allow.

    count x each unit it may have   --at least half of what the host wrote?-->
                                    --between erases x flash over 8, and twice that?-->   the unit that fits

The counters of the full cells may be below the host's bytes, since the write cache has its own. Where the capacity is
not known, the flash is taken to be that of any drive on sale. If several units fit, the number is marked as assumed and
its interval holds them all; if none does, the row is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flashscope.smart.decoding.raw_flash import raw_flash_bytes
from flashscope.smart.decoding.reading import Field
from flashscope.smart.decoding.span import Span
from flashscope.smart.decoding.table import EntryRow, LogTable
from flashscope.smart.dump import Dump

_ANY_DRIVE_BYTES = Span(512e9, 16e9, 128e12)
_LITTLE_BYTES = 1e9
_FEW_CYCLES = 3
_LEAST_RATIO, _MOST_RATIO = 1 / 8, 2.0  # a block may be erased before it is full, or hold four bits instead of one
_HOST_RATIO = 0.5


def in_fitting_units(table: LogTable, entries: Mapping[str, int], fields: Mapping[str, Field], dump: Dump) -> LogTable:
    """The table with the rows of the page's version, one unit for each.

    fields: those of the standard logs, the host's bytes among them.
    """
    table = replace(table, rows=tuple(row for row in table.rows if entries.get("log_page_version", 0) >= row.since))
    open_rows = [row for row in table.rows if len(row.scales) > 1]
    if not open_rows:
        return table
    first = open_rows[0]
    count = next((entries[name] for name in first.names if name in entries), 0)
    fitting = [scale for scale in first.scales if _fits(count * scale, table, entries, fields, dump)]
    rows = []
    for row in table.rows:
        if len(row.scales) == 1:
            rows.append(row)
        elif fitting and count:
            rows.append(_in_unit(row, fitting, entries))
    return replace(table, rows=tuple(rows))


def _in_unit(row: EntryRow, fitting: list[int | float], entries: Mapping[str, int]) -> EntryRow:
    if len(fitting) == 1:
        return replace(row, scales=(fitting[0],))
    meaning = f"{row.meaning}; the unit is assumed, and the interval holds all that it may be"
    lowest, highest = min(fitting), max(fitting)
    count = next((entries[name] for name in row.names if name in entries), 0)
    step = count * (highest / lowest - 1)
    return replace(row, scales=(lowest,), step=step, provenance="assumed", meaning=meaning)


def _fits(value: float, table: LogTable, entries: Mapping[str, int], fields: Mapping[str, Field], dump: Dump) -> bool:
    host = fields.get("host_written_bytes")
    if host is not None and host.value > _LITTLE_BYTES and value < _HOST_RATIO * host.low:
        return False
    lowest, highest = (_cycles(table, entries, f"erase_count_{end}") for end in ("min", "max"))
    if highest is None or highest < _FEW_CYCLES:
        return True
    flash = raw_flash_bytes(dump.user_bytes) if dump.user_bytes else _ANY_DRIVE_BYTES
    least = (lowest or 0) * flash.low * _LEAST_RATIO
    return least <= value <= _MOST_RATIO * highest * flash.high


def _cycles(table: LogTable, entries: Mapping[str, int], key: str) -> int | None:
    row = next((row for row in table.rows if row.key == key), None)
    return next((entries[name] for name in row.names if name in entries), None) if row is not None else None
