"""Real file systems on real tables, moved through kills: files the same, file systems clean, tables without fault."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from .killed import align, killed
from .real_disks import RealDisk, build, see_as_before, see_files, see_moved, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "everything is here")
_TABLES = ("mbr", "gpt")
_KILLS, _IN_TABLES, _LOOKED_INTO_EVERY = 100, 25, 20
_MOST_IN_TABLES = 24


@pytest.fixture(scope="module", params=_TABLES)
def disk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RealDisk:
    return build(request.param, tmp_path_factory.mktemp(request.param))


def test_files_are_the_same_and_file_systems_clean_after_kills(disk: RealDisk, tmp_path: Path) -> None:
    chance = random.Random(disk.kind)
    path = disk.copy(tmp_path / "disk.img")
    assert killed(path, ["--apply"], after=chance.randrange(10, 60))
    killed(path, ["--resume"], after=chance.randrange(60, 200))
    assert "moved, every byte read back" in align(path, "--resume")
    see_moved(disk, path)
    see_files(disk, path)
    assert "every partition begins" in align(path, "--apply")
    undone = disk.copy(path)
    assert killed(undone, ["--apply"], after=chance.randrange(60, 200))
    assert "all is as it was" in align(undone, "--undo")
    see_as_before(disk, undone)


@pytest.mark.long
def test_a_hundred_kills_of_each_table_lose_nothing(disk: RealDisk, tmp_path: Path) -> None:
    """A quarter of the kills falls into changes of tables and boot records; a third is undone, some killed again."""
    chance = random.Random(2009)
    path = disk.copy(tmp_path / "disk.img")
    began_s = time.monotonic()
    killed(path, ["--apply"], after=10**9)  # to its end, in a process of its own
    length_s = time.monotonic() - began_s
    told: Counter[str] = Counter()
    done = 0
    while done < _KILLS:
        disk.copy(path)
        in_tables = done < _IN_TABLES
        if in_tables:
            was_killed = killed(path, ["--apply"], after=chance.randrange(_MOST_IN_TABLES), in_tables=True)
        else:
            was_killed = killed(path, ["--apply"], after_s=chance.uniform(0.2, 1.0) * length_s)
        if not was_killed:
            told["ended before"] += 1
            continue
        done += 1
        told["in tables" if in_tables else "anywhere"] += 1
        verb = "--undo" if chance.random() < 1 / 3 else "--resume"
        if _has_begun(path):
            if chance.random() < 0.3:
                told["killed again"] += killed(path, [verb], after_s=chance.uniform(0.1, 0.6) * length_s)
            if _has_begun(path):
                align(path, verb)
        told[_see_end(disk, path)] += 1
        if done % _LOOKED_INTO_EVERY == 0:
            see_files(disk, path)
            print(f"{disk.kind}, after {done} kills: {dict(told)}", flush=True)
    assert told["moved"] + told["as before"] == _KILLS
    assert told["moved"] > 10
    assert told["as before"] > 10


def _has_begun(path: Path) -> bool:
    """Whether a journal of a repair is in the image."""
    from flashscope.partitions.read import read_layout
    from flashscope.partitions.source import open_source
    from flashscope.realign.journal_file import FileMedium
    from flashscope.realign.unfinished import find_on_disk

    with open_source(path) as source, path.open("rb") as file:
        return find_on_disk(FileMedium(file.fileno(), path), read_layout(source)) is not None


def _see_end(disk: RealDisk, path: Path) -> str:
    """All is moved, or all is as before; which."""
    try:
        see_moved(disk, path)
    except AssertionError:
        see_as_before(disk, path)
        return "as before"
    return "moved"
