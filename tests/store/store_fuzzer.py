"""Damages copies of a small store in every way that is seen on disks, and gives commands that read them.

    prepared()     a few records: two experiments, a wear run, a population with its lives as points, a point of a sweep
    damage(...)    one or a few of: bits, blocks and ends of the file, cells, rows, tables, a strange journal
    call(...)      one command in this process; what it ended with, and what it wrote to standard error

Everything follows from the seed of a case, so that `python -m tests.store.store_fuzzer FIRST COUNT` repeats it.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.records import Record, Status, StepKind, StepRecord, Table
from flashscope.records.job_result import SHARES, JobResult, interval_columns
from flashscope.reports.plotting import renderer, vega_lite
from flashscope.store.points import PointKey
from flashscope.store.store import Store
from tests.reports import planted

CPU_SECONDS_MOST = 60
POINTS = tuple(PointKey(f"{number:064x}", f"{number + 100:064x}", f"{number + 200:064x}") for number in range(6))
NO_EXIT = -1


@dataclass(frozen=True)
class Ended:
    """How a command on a damaged store ended. code: its exit code; NO_EXIT for an exception or too much time."""

    seed: int
    command: str
    code: int
    said: str

    @property
    def is_fault(self) -> bool:
        return self.code not in (0, 1, 2)


def prepared(path: Path) -> tuple[str, ...]:
    """A store with records of several kinds; their ids."""
    falling, matrix, smart = planted.everything()
    with Store(path) as store:
        ids = [store.begin(falling, point=POINTS[0]), store.begin(matrix), store.begin(smart, point=POINTS[1])]
        ids.append(store.begin(replace(falling, steps=_with_jobs(falling), id="20261121-later-falling")))
        lives = _population(falling)
        ids.append(store.begin(lives))
        for number in range(3):
            row = {"number": number, "lot": 0, "end": "rating", "erase_count_mean": 12.5}
            step = StepRecord(number, f"drive {number + 1}", StepKind.LIFE, Status.DONE, parameters={"row": row})
            store.save_step(lives.id, step, point=POINTS[2 + number])
        lives.status = Status.DONE
        store.finish(lives)
    return tuple(ids)


def _with_jobs(of: Record) -> list[StepRecord]:
    """The steps with a workload as those of a job file, with what each of its jobs did."""
    amounts = {"bytes": [4096, 8192], "requests": [1, 2], "max": [90, 95], **{share: [70, 71] for share in SHARES}}
    columns: dict[str, tuple[str, object]] = {"elapsed_ns": ("ns", [10**9, 2 * 10**9])}
    series = Table.of(**columns, **interval_columns("write", {name: np.array(row) for name, row in amounts.items()}))
    steps = []
    for step in of.steps:
        if step.workload is not None:
            jobs = tuple(JobResult(name, series, step.workload.latency) for name in ("", "writer", "another"))
            parameters = step.parameters | {"by_job": True, "text": "[writer]\nrw=write\n"}
            steps.append(replace(step, workload=replace(step.workload, jobs=jobs), parameters=parameters))
    return steps


def _population(of: Record) -> Record:
    return replace(of, id="20261122-lives", experiment="endurance", steps=[], findings=[], status=Status.RUNNING)


def damage(path: Path, dice: random.Random) -> str:
    """Damage a store somewhere; what was done."""
    ways: tuple[Callable[[Path, random.Random], str], ...] = (
        _flip_bits, _flip_bits, _overwrite_block, _truncate, _copy_block, _head, _journal,
        _cell, _cell, _cell, _cell, _cell, _cell, _row, _row, _table,
    )  # fmt: skip
    return "; ".join(dice.choice(ways)(path, dice) for _ in range(dice.choice((1, 1, 1, 2, 3))))


def _flip_bits(path: Path, dice: random.Random) -> str:
    content = bytearray(path.read_bytes())
    places = [dice.randrange(len(content)) for _ in range(dice.choice((1, 1, 2, 8, 64)))] if content else []
    for place in places:
        content[place] ^= 1 << dice.randrange(8)
    path.write_bytes(content)
    return f"bits at {places[:4]}"


def _overwrite_block(path: Path, dice: random.Random) -> str:
    content = bytearray(path.read_bytes())
    size = dice.choice((16, 512, 4096))
    place = dice.randrange(max(1, len(content) // size)) * size
    content[place : place + size] = dice.choice((bytes(size), dice.randbytes(size), b"\xff" * size))
    path.write_bytes(content)
    return f"{size} bytes at {place}"


def _truncate(path: Path, dice: random.Random) -> str:
    size = dice.randrange(path.stat().st_size + 1)
    size = dice.choice((size, size // 4096 * 4096))
    os.truncate(path, size)
    return f"cut to {size} bytes"


def _copy_block(path: Path, dice: random.Random) -> str:
    content = bytearray(path.read_bytes())
    pages = max(1, len(content) // 4096)
    source, target = dice.randrange(pages), dice.randrange(pages)
    content[target * 4096 : (target + 1) * 4096] = content[source * 4096 : (source + 1) * 4096]
    path.write_bytes(content)
    return f"page {source} over {target}"


def _head(path: Path, dice: random.Random) -> str:
    content = bytearray(path.read_bytes())
    place = dice.randrange(108)
    content[place : place + 1] = dice.randbytes(1)
    path.write_bytes(content)
    return f"head at {place}"


def _journal(path: Path, dice: random.Random) -> str:
    content = path.read_bytes()[: dice.choice((32, 4096, 20_000))]
    head = dice.choice(
        (b"\x37\x7f\x06\x82" + b"\0\x2d\xe2\x18" + b"\0\0\x10\0", bytes.fromhex("d9d505f920a163d7"), b"")
    )
    suffix = dice.choice(("-wal", "-journal", "-shm"))
    Path(f"{path}{suffix}").write_bytes(head + content[len(head) :])
    return f"a strange {suffix}"


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.text_factory = bytes
    # What another kind of damage has left may not be readable any more.
    unreadable = (sqlite3.Error, ValueError, TypeError, IndexError)
    with contextlib.closing(connection), contextlib.suppress(*unreadable):
        with contextlib.suppress(*unreadable):
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA writable_schema = ON")  # so that NOT NULL can be taken away
            connection.execute("UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table'")
            connection.execute("PRAGMA writable_schema = RESET")
        yield connection


def _tables(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    return [name.decode() for (name,) in connection.execute(query)]


def _any_row(connection: sqlite3.Connection, dice: random.Random) -> tuple[str, list[str], dict[str, Any]]:
    """A table, the columns of its key, and a row of it."""
    full = [one for one in _tables(connection) if connection.execute(f"SELECT 1 FROM {one} LIMIT 1").fetchone()]
    table = dice.choice(full)
    columns = connection.execute(f"PRAGMA table_info({table})").fetchall()
    rows = connection.execute(f"SELECT * FROM {table}").fetchall()
    names = [column[1].decode() for column in columns]
    return (
        table,
        [column[1].decode() for column in columns if column[5]],
        dict(zip(names, dice.choice(rows), strict=True)),
    )


def _where(key: list[str], row: dict[str, Any]) -> tuple[str, list[object]]:
    values = [row[name].decode("utf-8", "replace") if isinstance(row[name], bytes) else row[name] for name in key]
    return " AND ".join(f"{name} = ?" for name in key), values


def _cell(path: Path, dice: random.Random) -> str:
    with _opened(path) as connection:
        table, key, row = _any_row(connection, dice)
        name = dice.choice(list(row))
        where, values = _where(key, row)
        value = _other_value(row[name], dice)
        cast = "CAST(? AS TEXT)" if isinstance(value, bytes) and dice.random() < 0.8 else "?"
        connection.execute(f"UPDATE OR REPLACE {table} SET {name} = {cast} WHERE {where}", [value, *values])
        return f"{table}.{name} of {values} = {value!r:.60}"
    return "no cell"


def _other_value(value: object, dice: random.Random) -> object:
    strange: list[object] = [
        None,
        0,
        -1,
        2**63 - 1,
        1e300,
        "",
        "none",
        b"\xff\xfe\x80",
        "{}",
        "[]",
        "null",
        '{"a":',
        "1",
    ]
    if not isinstance(value, bytes) or not value or dice.random() < 0.3:
        return dice.choice([*strange, value if not isinstance(value, int) else value ^ (1 << dice.randrange(62))])
    changed = bytearray(value)
    match dice.randrange(4):
        case 0:
            del changed[dice.randrange(len(changed)) :]
        case 1:
            changed[dice.randrange(len(changed))] = dice.choice(b'0123456789{}[]",:-.eE \x00\xff')
        case 2:
            changed += bytes(changed)
        case _:
            changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def _row(path: Path, dice: random.Random) -> str:
    with _opened(path) as connection:
        table, key, row = _any_row(connection, dice)
        where, values = _where(key, row)
        if dice.random() < 0.7:
            connection.execute(f"DELETE FROM {table} WHERE {where}", values)
            return f"no {table} of {values}"
        names = list(row)
        doubled = [dice.choice((7, "20261121-x", value)) if name in key else value for name, value in row.items()]
        marks = ", ".join("CAST(? AS TEXT)" if isinstance(value, bytes) else "?" for value in doubled)
        connection.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})", doubled)
        return f"another {table} beside {values}"
    return "no row"


def _table(path: Path, dice: random.Random) -> str:
    with _opened(path) as connection:
        table = dice.choice(_tables(connection))
        if dice.random() < 0.5:
            change = dice.choice((f"DELETE FROM {table}", f"DROP TABLE {table}"))
        else:
            column = dice.choice(connection.execute(f"PRAGMA table_info({table})").fetchall())[1].decode()
            change = f"ALTER TABLE {table} RENAME COLUMN {column} TO other"
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute(change)
        return change
    return "no table"


def commands(ids: tuple[str, ...], dice: random.Random, *, reports: float) -> list[list[str]]:
    """Commands that read the store "s.sqlite" here. reports: the share of cases with a report of everything."""
    one, other = dice.choice(ids), dice.choice(ids)
    found = [
        ["list", "--store", "s.sqlite"],
        ["list", "--json", "--store", "s.sqlite"],
        ["compare", ids[0], ids[3], "--store", "s.sqlite"],
        ["compare", one, other, "--json", "--store", "s.sqlite"],
        ["store", "check", "s.sqlite"],
        ["store", "repair", "s.sqlite", "new.sqlite"],
        ["store", "export", "s.sqlite"],
    ]
    chosen = [dice.choice(found)]
    if dice.random() < reports:
        chosen.append(["report", *dice.choice(([], [one], ["last"])), "-o", "x.html", "--store", "s.sqlite"])
    return chosen


def run(first: int, count: int, *, reports: float, layout_of: Callable[[Path], None] | None = None) -> list[Ended]:
    """Cases `first` to `first + count`; how their commands ended. layout_of: changes the store before it is damaged."""
    ended: list[Ended] = []
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder, _quick_charts():
        kept = Path(folder, "prepared.sqlite")
        ids = prepared(kept)
        if layout_of is not None:
            layout_of(kept)
        place = Path(folder, "case")
        try:
            for seed in range(first, first + count):
                shutil.rmtree(place, ignore_errors=True)
                place.mkdir()
                os.chdir(place)
                ended += _case(seed, kept, ids, reports)
        finally:
            os.chdir(before)
    return ended


def _case(seed: int, kept: Path, ids: tuple[str, ...], reports: float) -> Iterator[Ended]:
    dice = random.Random(seed)
    shutil.copyfile(kept, "s.sqlite")
    done = damage(Path("s.sqlite"), dice)
    damaged = {path.name: path.read_bytes() for path in Path().iterdir()}
    for command in commands(ids, dice, reports=reports):
        for path in list(Path().iterdir()):
            path.unlink()
        for name, content in damaged.items():
            Path(name).write_bytes(content)
        yield call(seed, command, done)


def call(seed: int, command: list[str], done: str) -> Ended:
    """One command, ended when it takes more than CPU_SECONDS_MOST."""
    code, said = NO_EXIT, ""
    with _limited():
        result = CliRunner().invoke(main, command)
        code, said = result.exit_code, result.output
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            code, said = NO_EXIT, "".join(traceback.format_exception(result.exception))
    return Ended(seed, f"{' '.join(command)}   after: {done}", code, said)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    def too_long(number: int, frame: FrameType | None) -> None:
        raise AssertionError(f"more than {CPU_SECONDS_MOST} seconds of the processor")

    before = signal.signal(signal.SIGVTALRM, too_long)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS_MOST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextlib.contextmanager
def _quick_charts() -> Iterator[None]:
    """Charts are made from records as always, and not drawn: what would draw them has its own tests."""
    kept = vega_lite.to_svg, renderer.why_no_pictures
    drawn = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" viewBox="0 0 1 1"></svg>'
    vega_lite.to_svg = lambda spec: drawn
    try:
        yield
    finally:
        vega_lite.to_svg = kept[0]


if __name__ == "__main__":
    outcome = run(int(sys.argv[1]), int(sys.argv[2]), reports=float(sys.argv[3]) if len(sys.argv) > 3 else 0.3)
    print(len(outcome), "calls", sorted(Counter(one.code for one in outcome).items()))
    for one in outcome:
        if one.is_fault:
            print(one.seed, one.code, one.command, one.said[-600:], sep="\n   ")
