"""From day files to a row per drive: days, failures, resets; what is doubted; interruptions and second readings."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.archives import reading
from flashscope.smart.archives.batch import Partial
from flashscope.smart.archives.day_files import DayFile, find_day_files
from flashscope.smart.archives.engine import Limits, connect
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.plan import plan_batches
from tests.smart.archives.made_archive import (
    FACTS,
    LIMITS,
    csv_text,
    day,
    doubted,
    read_alone,
    read_into,
    row,
    write_day,
    zipped,
)  # fmt: skip


def lives(keeper: Keeper, columns: str) -> list[tuple[object, ...]]:
    return keeper.query(f"SELECT serial, {columns} FROM lives ORDER BY serial")


def fleet(folder: Path, days: int, drives: int = 3) -> list[Path]:
    return [
        write_day(folder, index, [row(index, f"S{one}", r9=100 * one + 24 * index, n9=100) for one in range(drives)])
        for index in range(days)
    ]


def test_days_of_a_drive_become_one_row(tmp_path: Path) -> None:
    for index in range(4):
        failed = index == 2
        rows = [row(index, "S1", r9=24 * index, r197=[0, 9, 2, 1][index])]
        if index < 3:
            rows.append(row(index, "S2", failure=int(failed), r9=500 + 24 * index, n5=99 - index))
        write_day(tmp_path / "days", index, rows)
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path / "days")
        assert lives(keeper, "first_day, last_day, day_count, failure_day, first_9, last_9, most_197") == [
            ("S1", day(0), day(3), 4, None, 0, 72, 9),
            ("S2", day(0), day(2), 3, day(2), 500, 548, None),
        ]
        assert keeper.query("SELECT serial, day, smart_9_raw, smart_5_normalized FROM last_rows ORDER BY serial") == [
            ("S1", day(3), 72, None),
            ("S2", day(2), 548, 97),
        ]


@pytest.mark.parametrize("batch_bytes", [1, 400, 1 << 30])
def test_the_same_comes_out_whatever_the_size_of_a_batch(tmp_path: Path, batch_bytes: int) -> None:
    hours = [0, 24, 48, 5, 29, 3, 27]
    for index, one in enumerate(hours):
        write_day(
            tmp_path / "days", index, [row(index, "S1", r9=one, r5=index), row(index, "S2", r9=1000 + 24 * index)]
        )
    with Keeper(None, LIMITS) as keeper:
        read_into(keeper, tmp_path / "days", batch_bytes=batch_bytes)
        told = "day_count, first_9, last_9, most_9, resets_9, resets_5, last_5"
        assert lives(keeper, told) == [("S1", 7, 0, 27, 48, 2, 0, 6), ("S2", 7, 1000, 1144, 1144, 0, 0, None)]


def test_folders_files_zips_and_gzip_say_the_same(tmp_path: Path) -> None:
    files = fleet(tmp_path / "days", 3)
    quarter = zipped(tmp_path / "quarter.zip", files)
    packed = tmp_path / "packed"
    packed.mkdir()
    for one in files:
        (packed / f"{one.name}.gz").write_bytes(gzip.compress(one.read_bytes()))
    expected = read_alone(tmp_path / "days").totals
    assert (expected.drive_count, expected.row_count) == (3, 9)
    for told in (read_alone(*files), read_alone(quarter), read_alone(packed)):
        assert (told.totals.drive_count, told.totals.row_count, told.totals.last_day) == (3, 9, day(2))
        assert not told.doubts
        assert not told.not_read


def test_a_second_reading_adds_only_what_is_new(tmp_path: Path) -> None:
    files = fleet(tmp_path / "days", 4)
    database = tmp_path / "kept.duckdb"
    with Keeper(database, LIMITS) as keeper:
        assert read_into(keeper, *files[:2]).totals.row_count == 6
    with Keeper(database, LIMITS) as keeper:
        told = read_into(keeper, tmp_path / "days")
        assert (told.totals.row_count, told.known_count, told.totals.file_count) == (12, 2, 4)
        assert lives(keeper, "day_count, first_9, last_9")[1] == ("S1", 4, 100, 172)
    shutil.copy(files[0], tmp_path / "copy of 2024-01-01.csv")
    with Keeper(database, LIMITS) as keeper:
        told = read_into(keeper, tmp_path / "days", tmp_path / "copy of 2024-01-01.csv")
        assert (told.totals.row_count, told.known_count) == (12, 5)
        quarter = zipped(tmp_path / "quarter.zip", files)
        told = read_into(keeper, quarter)  # the same days in another form
        assert told.totals.row_count == 12
        assert len(told.not_read) == 4
        assert "is not after 2024-01-04" in told.not_read[0].reason


def test_an_interruption_costs_one_batch_and_nothing_counts_twice(tmp_path: Path) -> None:
    class PowerLost(Exception):
        pass

    def broken(batches: Sequence[Sequence[DayFile]], limits: Limits) -> Iterator[Partial]:
        for index, partial in enumerate(reading.one_by_one(batches, limits)):
            if index == 2:
                raise PowerLost
            yield partial

    files, _ = find_day_files(fleet(tmp_path / "days", 4))
    database = tmp_path / "kept.duckdb"
    with Keeper(database, LIMITS) as keeper, pytest.raises(PowerLost):
        reading.read_archive(plan_batches(files, {}, None, 1), keeper, LIMITS, source=broken)
    with Keeper(database, LIMITS) as keeper:
        assert keeper.totals().file_count == 2
        assert read_into(keeper, tmp_path / "days").totals.row_count == 12
        assert lives(keeper, "day_count, first_9, last_9")[0] == ("S0", 4, 0, 72)


def test_a_merge_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = fleet(tmp_path / "days", 2)
    with Keeper(tmp_path / "kept.duckdb", LIMITS) as keeper:
        read_into(keeper, files[0])
        before = keeper.totals()

        def fails(self: Keeper, doubt: object) -> None:
            raise RuntimeError("no")

        files[1].write_text(files[1].read_text() + "cut")
        monkeypatch.setattr(Keeper, "_add_doubt", fails)
        with pytest.raises(RuntimeError):
            read_into(keeper, *files)
        monkeypatch.undo()
        assert keeper.totals() == before
        assert read_into(keeper, *files).totals.row_count == 6


def test_a_last_line_without_line_break_is_left_out_with_a_word(tmp_path: Path) -> None:
    path = write_day(tmp_path / "days", 0, [row(0, "S1", r9=100), row(0, "S2", r9=12345)])
    path.write_text(path.read_text()[:-3])  # 12345 would be read as 123
    told = read_alone(path)
    assert told.totals.row_count == 1
    assert doubted(told) == {"last lines without a line break, left out as cut off": 1}
    assert read_alone(zipped(tmp_path / "quarter.zip", [path])).totals.row_count == 1


def test_what_cannot_be_true_is_doubted_and_not_taken(tmp_path: Path) -> None:
    rows = [
        {**row(0, "S1", r9=24), "capacity_bytes": -1},
        {**row(0, "S2", r9=24), "date": "1234567890"},
        {**row(0, "S3", r9=24), "date": "2009-02-13"},
        {**row(0, "S4", r9=24), "date": "2024-13-45"},
        {**row(0, "", r9=24)},
        {**row(0, "S5", r9=-3), "failure": 7},
        {**row(0, "S6", r9="12x4")},
        {**row(0, "S7", r9="99999999999999999999999")},
        {**row(0, "S8", r9=24)},
        {**row(0, "S8", r9=24)},
    ]
    write_day(tmp_path / "days", 0, rows)
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path / "days")
        assert doubted(told) == {
            "capacities that cannot be true": 1,
            "failure marks other than 0 and 1": 1,
            "numbers of attributes below 0": 1,
            "rows of a drive and day that were there already": 1,
            "rows of another day than their file's name says": 1,
            "rows that do not fit their columns, rejected": 2,
            "rows without a possible day": 2,
            "rows without a serial number or a model": 1,
        }
        assert lives(keeper, "day_count, capacity_bytes, failure_day, first_9") == [
            ("S1", 1, None, None, 24), ("S5", 1, 4_000_787_030_016, None, None), ("S8", 1, 4_000_787_030_016, None, 24),
        ]  # fmt: skip
        rejected = next(one for one in told.doubts if "rejected" in one.kind)
        assert "2024-01-01.csv, line 8: cast" in rejected.examples[0]


def test_columns_may_come_go_and_change_places(tmp_path: Path) -> None:
    write_day(tmp_path / "days", 0, [row(0, r9=0, r1=5)])
    write_day(tmp_path / "days", 1, [{**row(1, r9=24), "datacenter": "sac0", "vault_id": "1", "smart_999_raw": "x"}])
    write_day(tmp_path / "days", 2, [row(2, r9=48, n201=7)], ["smart_201_normalized", "smart_9_raw", *reversed(FACTS)])
    write_day(tmp_path / "days", 3, [{one: row(3)[one] for one in ("date", "serial_number", "model", "failure")}])
    with Keeper(None, LIMITS) as keeper:
        told = read_into(keeper, tmp_path / "days")
        assert not told.doubts
        assert lives(keeper, "day_count, first_9, last_9") == [("S1", 4, 0, 48)]
    assert find_day_files([tmp_path / "days"])[0][1].unused_columns == ("datacenter", "vault_id", "smart_999_raw")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"date,serial_number,model,failure\n", "it ends before its first row"),
        (b"date,model,failure\n2024-01-01,a,0\n", "it has no column serial_number"),
        (b"date;serial_number;model;failure\n", "it ends before its first row"),
        (b"date;serial_number;model;failure\n1;2;3;4\n", "it has no column date, serial_number, model, failure"),
        ("date,serial_number,model,failure\n".encode("utf-16"), "it is no UTF-8 text"),
        (b"date,date,serial_number,model,failure\n1,2,3,4,5\n", "it has the column date more than once"),
        (b"d\xe4te,serial_number\n1\n", "its headings are no UTF-8 text"),
    ],
)
def test_a_file_that_is_no_day_file_is_named_with_the_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "2024-01-01.csv").write_bytes(content)
    told = read_alone(tmp_path)
    assert told.totals.drive_count == 0
    assert [reason in one.reason for one in told.not_read] == [True]


def test_damaged_and_strange_files_are_named_and_the_others_read(tmp_path: Path) -> None:
    good = fleet(tmp_path / "days", 2)
    whole = zipped(tmp_path / "days" / "cut.zip", [write_day(tmp_path, 5, [row(5)])])
    whole.write_bytes(whole.read_bytes()[:-30])
    bad_sum = zipped(tmp_path / "days" / "sum.zip", [write_day(tmp_path, 6, [row(6, r9=1)] * 50)])
    content = bytearray(bad_sum.read_bytes())
    content[60:70] = b"\xff" * 10
    bad_sum.write_bytes(content)
    (tmp_path / "days" / "readme.txt").write_text("words")
    (tmp_path / "days" / "2099-01-01.csv").write_text(csv_text([row(0)]))
    (tmp_path / "days" / "undated.csv").write_text(csv_text([{**row(0), "date": "soon"}]))
    (tmp_path / "days" / "2024-01-07.csv.gz").write_bytes(gzip.compress(good[0].read_bytes())[:-20])
    told = read_alone(tmp_path / "days")
    assert told.totals.row_count == 6
    assert {Path(one.name.split(":")[0]).name for one in told.not_read} == {
        "cut.zip", "sum.zip", "readme.txt", "2099-01-01.csv", "undated.csv", "2024-01-07.csv.gz",
    }  # fmt: skip


def test_text_in_other_encodings_and_line_ends_is_read_or_rejected(tmp_path: Path) -> None:
    path = write_day(tmp_path / "days", 0, [row(0, "S1", r9=1), row(0, "S2", r9=2), row(0, "S3", r9=3)])
    text = path.read_text()
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    told = read_alone(path)
    assert (told.totals.row_count, told.doubts) == (3, ())
    path.write_bytes(text.replace("S2", "S\u00e4").encode("latin-1"))
    told = read_alone(path)
    assert (told.totals.row_count, doubted(told)) == (2, {"rows that do not fit their columns, rejected": 1})
    path.write_text(text.replace("S2", '"S2"').replace("ACME X1", '"ACME, X1"'))
    told = read_alone(path)
    assert (told.totals.row_count, told.models[0].lives.model) == (3, "ACME, X1")


def test_a_mark_of_failure_that_is_followed_by_rows_is_taken_back(tmp_path: Path) -> None:
    for index in range(3):
        write_day(
            tmp_path, index, [row(index, "S1", failure=int(index == 1)), row(index, "S2", failure=int(index == 2))]
        )
    told = read_alone(tmp_path)
    assert told.models[0].lives.failure_count == 1
    assert doubted(told) == {"drives marked as failed that were seen again, and count as living then": 1}


def test_a_database_of_somebody_else_is_refused_and_not_changed(tmp_path: Path) -> None:
    foreign = tmp_path / "theirs.duckdb"
    with connect(str(foreign), LIMITS, tmp_path / "spill") as connection:
        connection.execute("CREATE TABLE mine AS SELECT 1 AS one")
    (tmp_path / "text").write_text("words")
    for path in (foreign, tmp_path / "text"):
        before = path.read_bytes()
        with pytest.raises(WrongUse, match=r"another program|not a database"):
            Keeper(path, LIMITS)
        assert path.read_bytes() == before
    with pytest.raises(WrongUse):
        Keeper(tmp_path / "missing" / "new.duckdb", LIMITS)
    with pytest.raises(WrongUse, match="too little"):
        Limits(1 << 20)
