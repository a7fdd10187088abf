"""Files that nobody would write on purpose: never a traceback, and never another number without a word."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest

from flashscope.smart.archives.keeper import Keeper
from tests.smart.archives.made_archive import LIMITS, csv_text, doubted, read_into, row, write_day, zipped

_SWALLOWED = "lines that are no rows of their own, such as behind a quotation mark that is not closed"
_FRACTIONS = "numbers with a fraction, or too large to be exact"
_REJECTED = "rows that do not fit their columns, rejected"


@pytest.mark.parametrize(
    ("written", "hours", "doubt"),
    [
        ("1.5", None, _FRACTIONS), ("1.0", 1, ""), ("1e3", 1000, ""), (" 5 ", 5, ""), ('"12"', 12, ""),
        ("00012", 12, ""), ("", None, ""), ("15e-1", None, _FRACTIONS), ("15E-1", None, _FRACTIONS), ("20e-1", 2, ""),
        ("9007199254740994.0", None, _FRACTIONS),
    ],
)  # fmt: skip
def test_a_number_is_taken_as_it_is_or_not_at_all(tmp_path: Path, written: str, hours: int | None, doubt: str) -> None:
    write_day(tmp_path, 0, [row(0, "S1", r9=written)])
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path)
        assert keeper.query("SELECT first_9 FROM lives") == [(hours,)]
        rows = keeper.query("SELECT smart_9_raw FROM last_rows")
    assert rows == [(hours,)]
    assert doubted(told) == ({doubt: 1} if doubt else {})


@pytest.mark.parametrize("written", ["true", "1,5", "NULL", "Infinity", "1e400", "twelve"])
def test_a_word_where_a_number_belongs_costs_its_row(tmp_path: Path, written: str) -> None:
    write_day(tmp_path, 0, [row(0, "S1", r9=written), row(0, "S2", r9=3)])
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path)
        assert keeper.query("SELECT serial, first_9 FROM lives") == [("S2", 3)]
    assert doubted(told) == {_REJECTED: 1}


def test_lines_behind_an_open_quotation_mark_are_counted(tmp_path: Path) -> None:
    write_day(tmp_path, 0, [row(0, "S0", r9=1), row(0, '"S1', r9=2), *(row(0, f"T{one}", r9=3) for one in range(50))])
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path)
    assert told.totals.row_count == 1
    assert doubted(told) == {_REJECTED: 1, _SWALLOWED: 50}


def three_days(folder: Path) -> list[Path]:
    return [
        write_day(folder, index, [row(index, f"S{one:02}", r9=10_000 + 24 * index, n9=99) for one in range(30)])
        for index in range(3)
    ]


def test_cut_files_give_fewer_numbers_and_no_other(tmp_path: Path) -> None:
    chance = random.Random(18)
    for turn in range(12):
        paths = three_days(tmp_path / str(turn))
        for path in paths:
            data = path.read_bytes()
            path.write_bytes(data[: chance.randrange(len(data))])
        with Keeper(None, LIMITS) as keeper:
            told = read_into(keeper, *paths)
            found = keeper.query("SELECT serial, first_9, last_9, day_count FROM lives")
        assert len(told.not_read) + told.totals.file_count == 3
        for serial, first, last, days in found:
            assert serial in {f"S{one:02}" for one in range(30)}
            assert {first, last} <= {10_000, 10_024, 10_048}
            assert last - first >= 24 * (days - 1)


@pytest.mark.parametrize("turns", [10, pytest.param(200, marks=pytest.mark.long)])
def test_changed_bytes_never_end_in_a_traceback(tmp_path: Path, turns: int) -> None:
    chance = random.Random(turns)
    for turn in range(turns):
        paths = three_days(tmp_path / str(turn))
        for path in paths:
            data = bytearray(path.read_bytes())
            for _ in range(chance.randrange(1, 30)):
                place = chance.randrange(len(data))
                data[place : place + chance.choice([0, 1, 1, 1, 40])] = chance.choice(
                    [b"\x00", b"\xff", b"\n", b",", b'"', b"\r", b"-", b"9", b"\xe2\x80", b";" * 5]
                )
            path.write_bytes(data)
        with Keeper(None, LIMITS) as keeper:
            told = read_into(keeper, *paths, verdicts=True, batch_bytes=chance.choice([1, 1 << 30]))
        assert len(told.not_read) + told.totals.file_count == 3


def test_changed_zips_are_named_and_never_end_in_a_traceback(tmp_path: Path) -> None:
    chance = random.Random(18)
    whole = zipped(tmp_path / "whole.zip", three_days(tmp_path / "days")).read_bytes()
    for turn in range(25):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 8)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path = tmp_path / f"{turn}.zip"
        path.write_bytes(data if turn % 3 else data[: chance.randrange(len(data))])
        with Keeper(None, LIMITS) as keeper:
            told = read_into(keeper, path)
        assert told.not_read or told.doubts or told.totals.row_count == 90


def test_a_zip_that_names_places_outside_writes_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    path = tmp_path / "inside" / "quarter.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../2024-01-01.csv", csv_text([row(0, r9=1)]))
    with Keeper(None, LIMITS) as keeper:
        assert read_into(keeper, path).totals.row_count == 1
    assert [one.name for one in tmp_path.rglob("*")] == ["inside", "quarter.zip"]
