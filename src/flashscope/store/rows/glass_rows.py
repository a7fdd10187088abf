"""The glass of a step as rows of `glass_columns`: a row per column of a table, and one per heat map.

A heat map is kept as one compressed array, look by look, with its number of columns. What writes works
inside the transaction its caller has opened (`store/store.py`).
"""

from __future__ import annotations

import sqlite3

from flashscope.records.columns import Column, Table
from flashscope.records.glass import Glass, HeatMap
from flashscope.store.kept_rows import KeptRows
from flashscope.store.rows.blobs import pack_column, unpack_column
from flashscope.store.rows.table_rows import insert


def write_glass(connection: sqlite3.Connection, record_id: str, step_index: int, glass: Glass) -> None:
    """Insert the glass of one step; an earlier one must have been deleted."""
    position = 0

    def keep(part: str, name: str, column: Column, *, width: int = 1, place: str = "", covered: int = 0) -> None:
        nonlocal position
        insert(
            connection,
            "glass_columns",
            record_id=record_id,
            step_index=step_index,
            position=position,
            part=part,
            name=name,
            column_count=width,
            place=place,
            places_covered=covered,
            slots_per_block=glass.slots_per_block,
            **pack_column(column, width),
        )
        position += 1

    for part, table in (("series", glass.series), ("decisions", glass.decisions)):
        for name, column in table.columns.items():
            keep(part, name, column)
    for name, heat_map in glass.heat_maps.items():
        flat = Column(heat_map.unit, heat_map.values.reshape(-1))
        width = heat_map.values.shape[1]
        keep("heat map", name, flat, width=width, place=heat_map.place, covered=heat_map.places_covered)


def read_glass(kept: KeptRows, step_index: int) -> Glass | None:
    """The glass of one step; None when there is none. Raises ValueError or KeyError when it is damaged."""
    rows = kept.of_step("glass_columns", step_index)
    if not rows:
        return None
    tables: dict[str, dict[str, Column]] = {"series": {}, "decisions": {}}
    heat_maps: dict[str, HeatMap] = {}
    for row in rows:
        column = unpack_column(row, row["column_count"])
        if row["part"] == "heat map":
            values = column.values.reshape(row["row_count"], row["column_count"])
            heat_maps[row["name"]] = HeatMap(row["unit"], values, row["place"], row["places_covered"])
        else:
            tables[row["part"]][row["name"]] = column
    return Glass(Table(tables["series"]), heat_maps, Table(tables["decisions"]), rows[0]["slots_per_block"])
