"""The narrow text of a day file: the columns that are followed, a seventh of what DuckDB would else have to read.

    file --RowCutter (Rust)--> place, date, serial_number, ... smart_241_raw        place: of the line in the file

DuckDB finds the columns of a line one byte after the other, and a day file has some 200 of which 17 are followed: most
of the time of reading would go into the others. By its place, a line is found again when its whole row is wanted.

Only a file without any surprise has a narrow text: printable ASCII, no quotation marks, no line of 1 MiB. Of
any other file DuckDB reads the whole. Either way it is DuckDB that reads the numbers and rejects rows, with the same
result: a line with a wrong number of columns has a wrong number in the narrow text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from flashscope._core import RowCutter
from flashscope.smart.archives.counters import TRACKED
from flashscope.smart.archives.day_files import NEEDED

PLACE = "place of the line"
"""The first column of a narrow text. No column of a day file that is read has this name."""

FOLLOWED = (*NEEDED, "capacity_bytes", *(f"smart_{one}_raw" for one in TRACKED))

_PART_BYTES = 1 << 20


@dataclass(frozen=True)
class Narrow:
    """path: of the narrow text; None where the file has none. columns: of that text.

    line_count: of the file, the headings included. has_fractions: a number in it may have a fraction.
    """

    path: Path | None
    columns: tuple[str, ...]
    line_count: int
    has_fractions: bool


def narrowed(source: Path, columns: Sequence[str], target: Path) -> Narrow:
    """Make the narrow text of a CSV file. columns: of the file. target: where the text goes. Raises OSError."""
    wanted = [index for index, one in enumerate(columns) if one in FOLLOWED]
    names = (PLACE, *(columns[index] for index in wanted))
    cutter = RowCutter(len(columns), wanted)
    with source.open("rb") as file, target.open("wb") as narrow:
        narrow.write(",".join(names).encode() + b"\n")
        for part in iter(lambda: file.read(_PART_BYTES), b""):
            narrow.write(cutter.cut(part))
    is_whole = not cutter.is_plain
    if is_whole:
        target.unlink()
    return Narrow(None if is_whole else target, names, cutter.line_count, cutter.has_fractions)


def copy_lines(source: Path, places: Iterable[int], target: Path) -> None:
    """Write the headings of a CSV file and the lines that begin at these places. Raises OSError."""
    with source.open("rb") as file, target.open("wb") as lines:
        for place in (0, *places):
            file.seek(place)
            lines.write(file.readline())
