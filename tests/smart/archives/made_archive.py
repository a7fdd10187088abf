"""Day files for tests, with the columns of a real archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path

from flashscope.smart.archives.day_files import find_day_files
from flashscope.smart.archives.engine import Limits
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.plan import plan_batches
from flashscope.smart.archives.reading import one_by_one, read_archive
from flashscope.smart.archives.summary import Archive, summarise

BEGIN = date(2024, 1, 1)
LIMITS = Limits(512 << 20, 2)
FACTS = ("date", "serial_number", "model", "capacity_bytes", "failure")

Row = Mapping[str, object]

HEALTHY_DISK: Row = {
    "r1": 220_000_000, "n1": 83, "r3": 0, "n3": 90, "r4": 5, "n4": 100, "r5": 0, "n5": 100, "r7": 400_000_000, "n7": 85,
    "r9": 20_000, "n9": 80, "r10": 0, "n10": 100, "r12": 5, "n12": 100, "r187": 0, "n187": 100,
    "r193": 1000, "n193": 99, "r194": 30, "n194": 30, "r197": 0, "n197": 100, "r198": 0, "n198": 100,
    "r199": 0, "n199": 200,
}  # fmt: skip
"""Of a disk, as a daily row has it."""


def day(index: int) -> date:
    return BEGIN + timedelta(days=index)


def row(index: int, serial: str = "S1", model: str = "ACME X1", failure: object = 0, **smart: object) -> Row:
    """A row of the day with this index. smart: such as r9=100 (raw) and n9=99 (normalized)."""
    told = {f"smart_{one[1:]}_{'raw' if one[0] == 'r' else 'normalized'}": value for one, value in smart.items()}
    facts = (day(index).isoformat(), serial, model, 4_000_787_030_016, failure)
    return {**dict(zip(FACTS, facts, strict=True)), **told}


def csv_text(rows: Iterable[Row], columns: Sequence[str] = ()) -> str:
    rows = list(rows)
    names = list(columns) or list(dict.fromkeys(name for one in rows for name in one))
    lines = [",".join(names), *(",".join(str(one.get(name, "")) for name in names) for one in rows)]
    return "\n".join(lines) + "\n"


def write_day(folder: Path, index: int, rows: Iterable[Row], columns: Sequence[str] = ()) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{day(index).isoformat()}.csv"
    path.write_text(csv_text(rows, columns))
    return path


def zipped(path: Path, files: Iterable[Path]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for one in files:
            archive.write(one, f"data/{one.name}")
    return path


def read_into(keeper: Keeper, *paths: Path, batch_bytes: int = 1 << 30, verdicts: bool = False) -> Archive:
    """What an archive says after these files were read into it."""
    files, not_read = find_day_files(paths)
    plan = plan_batches(files, keeper.known_files(), keeper.totals().last_day, batch_bytes)
    _, failed = read_archive(plan, keeper, LIMITS, source=one_by_one)
    return summarise(keeper, [*not_read, *plan.not_read, *failed], len(plan.known), verdicts=verdicts)


def read_alone(*paths: Path, batch_bytes: int = 1 << 30, verdicts: bool = False) -> Archive:
    with Keeper(None, LIMITS) as keeper:
        return read_into(keeper, *paths, batch_bytes=batch_bytes, verdicts=verdicts)


def doubted(archive: Archive) -> dict[str, int]:
    """Kind of doubt -> count."""
    return {one.kind: one.count for one in archive.doubts}
