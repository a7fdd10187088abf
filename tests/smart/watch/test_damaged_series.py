"""A damaged series store is told in words by every command that reads it."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from tests.store.store_fuzzer import Ended, call, damage

DRIVE = "sim:onyx-32"
COMMANDS = (
    ["smart", "watch", "--once", DRIVE, "--store", "s.sqlite"],
    ["smart", "watch", "--once", DRIVE, "--store", "s.sqlite", "--json", "--textfile", "x.prom"],
    ["smart", DRIVE, "--store", "s.sqlite", "--json"],
)


@pytest.fixture
def series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A series store of three samples, in a directory of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    for _ in range(3):
        assert CliRunner().invoke(main, COMMANDS[0]).exit_code == 0
    return tmp_path / "s.sqlite"


def cases(series: Path, count: int) -> list[Ended]:
    first, kept, ended = random.randrange(10**6), series.with_name("kept"), []
    series.rename(kept)
    for seed in range(first, first + count):
        dice = random.Random(seed)
        for path in series.parent.glob("s.sqlite*"):
            path.unlink()
        shutil.copyfile(kept, series)
        done = damage(series, dice)
        ended.append(call(seed, dice.choice(COMMANDS), done))
    return ended


@pytest.mark.parametrize("count", [15, pytest.param(2000, marks=pytest.mark.long)])
def test_damaged_series_end_in_words(count: int, series: Path) -> None:
    assert [one for one in cases(series, count) if one.is_fault] == []


@pytest.mark.parametrize("values", ["{", '{"a": [1]}', '{"a": ["x", "", null, 0, 0, "", ""]}'])
def test_a_damaged_sample_is_named(values: str, series: Path) -> None:
    with sqlite3.connect(series) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {trigger}")
        connection.execute("UPDATE samples SET values_json = ?", (values,))
    connection.close()
    told = CliRunner().invoke(main, COMMANDS[0])
    assert (told.exit_code, "the series store is damaged: its sample 3 cannot be read" in told.output) == (1, True)
