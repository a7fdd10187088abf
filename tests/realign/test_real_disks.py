"""Real file systems on real tables, moved through kills: files the same, file systems clean, tables without fault."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from .killed import align, killed
from .real_disks import RealDisk, build, see_as_before, see_files, see_moved, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "everything is here")
_KILLS, _IN_TABLES, _LOOKED_INTO_EVERY = 100, 25, 20
_MOST_IN_TABLES, _OPERATIONS = 24, 400  # about as many as a repair takes; later ones end before


@pytest.fixture(scope="module", params=["mbr", pytest.param("gpt", marks=pytest.mark.long)])
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
    told: Counter[str] = Counter()
    done = 0
    while done < _KILLS:
        disk.copy(path)
        in_tables = done < _IN_TABLES
        moment = chance.randrange(_MOST_IN_TABLES if in_tables else _OPERATIONS)
        delay_s = chance.choice((0.0, chance.uniform(0.0001, 0.01)))
        if not killed(path, ["--apply"], after=moment, in_tables=in_tables, delay_s=delay_s):
            told["ended before"] += 1
            continue
        done += 1
        told["in tables" if in_tables else "anywhere"] += 1
        verb = "--undo" if chance.random() < 1 / 3 else "--resume"
        if _has_begun(path):
            if chance.random() < 0.3:
                told["killed again"] += killed(path, [verb], after=chance.randrange(_OPERATIONS // 2), delay_s=0.001)
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
