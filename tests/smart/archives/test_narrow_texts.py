"""The narrow text of a day file changes how fast it is read, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope._core import RowCutter
from flashscope.smart.archives import local_files
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.narrow_texts import PLACE, Narrow, copy_lines, narrowed
from tests.smart.archives.made_archive import LIMITS, csv_text, day, read_into, row, write_day

_BYTES = (b"\n", b",", b",,", b"-", b"9", b"x", b" ", b"e", b".", b"1e3", b"25e-1", b'"', b"\r", b"\xff", b"")


def everything(paths: Sequence[Path]) -> tuple[object, ...]:
    """All that is kept and said of these files."""
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, *paths)
        tables = []
        for table in ("lives", "last_rows"):
            names = sorted(one[0] for one in keeper.query(f"SELECT column_name FROM (DESCRIBE {table})"))
            chosen = ", ".join(f'"{one}"' for one in names)
            tables.append((names, keeper.query(f"SELECT {chosen} FROM {table} ORDER BY model, serial")))
    # Of a row with a word in a number and a column too few, only the second is seen in a narrow text.
    doubts = [(one.kind, one.count, [where.partition(": ")[0] for where in one.examples]) for one in told.doubts]
    return told.totals, doubts, told.not_read, *tables


def slowly(monkeypatch: pytest.MonkeyPatch, paths: Sequence[Path]) -> tuple[object, ...]:
    """The same, where DuckDB reads all columns of all files."""

    def not_narrowed(source: Path, columns: Sequence[str], target: Path) -> Narrow:
        return replace(narrowed(source, columns, target), path=None)

    with monkeypatch.context() as patched:
        patched.setattr(local_files, "narrowed", not_narrowed)
        return everything(paths)


def four_days(folder: Path) -> list[Path]:
    """A fleet in which drives fail, vanish, come late and are reset."""
    paths = []
    for index in range(4):
        rows = [
            row(index, f"S{one:02}", f"ACME X{one % 2}", int(one == index), r9=7000 + 24 * index - 600 * (index == one),
                n9=99, r1=10**9 + one, r5=max(0, one - 20), r197="", datacenter="ams-5", r241=10**11 + index)
            for one in range(30) if not (one == 7 and index > 1) and one != index - 1
        ]  # fmt: skip
        paths.append(write_day(folder, index, rows))
    return paths


def test_a_narrow_text_has_the_followed_columns_and_places(tmp_path: Path) -> None:
    source = tmp_path / "day.csv"
    source.write_text(csv_text([row(0, "S1", r9=1, r1=2), row(0, "S2", r9=3, r1=4)]))
    columns = source.read_text().partition("\n")[0].split(",")
    told = narrowed(source, columns, tmp_path / "narrow.csv")
    lines = (tmp_path / "narrow.csv").read_text().splitlines()
    assert lines[0] == f"{PLACE},date,serial_number,model,capacity_bytes,failure,smart_9_raw"
    assert (told.line_count, told.has_fractions) == (3, False)
    places = [int(line.partition(",")[0]) for line in lines[1:]]
    copy_lines(source, places[1:], tmp_path / "second.csv")
    assert (tmp_path / "second.csv").read_text() == csv_text([row(0, "S2", r9=3, r1=4)], columns)


@pytest.mark.parametrize("surprise", ['"', "\r", "\u00e4", "9" * (1 << 20)])
def test_a_file_with_a_surprise_has_none_and_is_read_whole(
    tmp_path: Path, surprise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = four_days(tmp_path / "days")
    lines = paths[3].read_text().split("\n")
    paths[3].write_text("\n".join([*lines[:9], lines[9] + surprise, *lines[10:]]))
    header = lines[0].split(",")
    assert narrowed(paths[3], header, tmp_path / "narrow.csv").path is None
    assert not (tmp_path / "narrow.csv").exists()
    assert everything(paths) == slowly(monkeypatch, paths)


@pytest.mark.parametrize("turns", [12, pytest.param(60, marks=pytest.mark.long)])
def test_changed_files_say_the_same_with_and_without_narrow_texts(
    tmp_path: Path, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(turns)
    for turn in range(turns):
        paths = four_days(tmp_path / str(turn))
        for path in paths:
            data = bytearray(path.read_bytes())
            some = chance.sample(_BYTES, 3 if turn % 2 else len(_BYTES))
            for _ in range(chance.randrange(12)):
                place = chance.randrange(len(data))
                data[place : place + chance.choice([0, 1, 1, 30])] = chance.choice(some)
            path.write_bytes(data)
        assert everything(paths) == slowly(monkeypatch, paths), turn


def test_a_row_of_another_day_than_its_file_is_nobodys_last_row(tmp_path: Path) -> None:
    first = write_day(tmp_path, 0, [row(0, "S1", r9=1), {**row(0, "S1", r9=9), "date": day(1).isoformat()}])
    second = write_day(tmp_path, 1, [row(1, "S1", r9=2)])
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, first, second)
        assert keeper.query("SELECT last_9 FROM lives") == [(2,)]
        assert keeper.query("SELECT smart_9_raw FROM last_rows") == [(2,)]


def test_columns_that_are_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="ascend"):
        RowCutter(3, [2, 1])
