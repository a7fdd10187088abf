"""The page docs/reference/smart-families.md, written from the tables in parts/smart/ by scripts/write-docs.py."""

from __future__ import annotations

from flashscope.smart.decoding.reading import PROVENANCES
from flashscope.smart.decoding.table import (
    EntryRow,
    FamilyTable,
    LogTable,
    Row,
    all_tables,
    log_tables,
    vendor_log_tables,
)

_UNITS = {512: "sectors of 512 B", 1 << 20: "MiB", 1 << 24: "16 MiB", 1 << 25: "32 MiB", 1 << 30: "GiB", 10**9: "GB"}

INTRODUCTION = """# SMART families

What the numbers of each controller family mean to flashscope. This page is written from the tables in `parts/smart/`
by `scripts/write-docs.py`; edit those. A family is recognised by what a dump holds (ids, flags, identities between
numbers, agreement with the Device Statistics), and only weakly by names: `src/flashscope/smart/decoding/recognise.py`.

How sure a meaning is:
"""


def families_page() -> str:
    """The whole page (Markdown): each family, then each log that is not of one family."""
    sure = "".join(f"- **{name}**: {meaning}\n" for name, meaning in PROVENANCES.items())
    families = "".join(_family(table) for table in all_tables())
    logs = "".join(_log(table) for table in (*log_tables().values(), *vendor_log_tables().values()))
    return f"{INTRODUCTION}\n{sure}\n{families}{logs}".rstrip() + "\n"


def _family(table: FamilyTable) -> str:
    head = f"## {table.title}\n\n`{table.name}`\n\n| id | field | counted in | layout | how sure | meaning |\n"
    rows = "".join(_row(str(row.id), row, row.layout) for row in table.rows)
    return f"{head}|---|---|---|---|---|---|\n{rows}\n"


def _log(table: LogTable) -> str:
    head = f"## {table.title}\n\n`{table.log}`\n\n| entry | field | counted in | how sure | meaning |\n"
    rows = "".join(_row(_place(row), row, None) for row in table.rows)
    return f"{head}|---|---|---|---|---|\n{rows}\n"


def _row(place: str, row: Row, layout: str | None) -> str:
    cells = [place, f"`{row.key}`", _counted_in(row), *([layout] if layout else []), row.provenance, row.meaning]
    return f"| {' | '.join(cells)} |\n"


def _place(row: EntryRow) -> str:
    return f"`{row.names[0]}`" if row.names else f"{row.page:02X}h:{row.offset:03X}h"


def _counted_in(row: Row) -> str:
    if row.scales == (1,):
        return row.unit
    return " or ".join(_UNITS.get(int(scale), f"{scale:g} {row.unit}") for scale in row.scales)
