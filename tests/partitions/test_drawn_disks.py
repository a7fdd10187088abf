"""Disks made by real programs are read as those programs made them: tables, file systems, containers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from flashscope.partitions.layout import Inner, Layout
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import open_source
from tests.known import known

from .disks import Drawn, absent, build, draw, sfdisk_says
from .made import MAKERS, Made, make, why_not

pytestmark = pytest.mark.skipif(bool(absent()), reason=f"not installed: {', '.join(absent())}")
Pool = list[tuple[Path, Made]]


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Pool:
    """Two of each kind that can be made here; what cannot is printed."""
    folder, made = tmp_path_factory.mktemp("pool"), []
    for kind in MAKERS:
        if why := why_not(kind):
            print(f"left out: {kind}: {why}")
            continue
        for index in range(2):
            path = folder / f"{kind}{index}.img"
            made.append((path, make(kind, path, 63, random.Random(f"{kind}{index}"))))
    return made


def layout_of(path: Path, sector_bytes: int | None = None) -> Layout:
    with open_source(path) as source:
        return read_layout(source, sector_bytes)


def check_contents(inner: Inner, made: Made, start_bytes: int) -> None:
    """Each thing that a tool said is what was read."""
    assert inner.kind == made.kind
    assert inner.start_bytes == start_bytes
    assert known(inner.data_start_bytes) == start_bytes + made.data_at
    assert inner.unit_bytes == made.unit_bytes
    assert inner.record_bytes == made.record_bytes
    assert inner.uuid.lower() == made.uuid.lower()
    assert tuple(each.start_bytes - start_bytes for each in inner.inside) == made.inside_at
    if inner.role == "file system":
        assert known(inner.size_bytes) == made.size_bytes


def check(drawn: Drawn, pool: Pool, path: Path) -> None:
    layout = layout_of(path, None if drawn.table == "gpt" or drawn.sector_bytes == 512 else drawn.sector_bytes)
    table = known(layout.table)
    assert (table.kind, table.sector_bytes) == (drawn.table, drawn.sector_bytes)
    found = layout.holding_data()
    assert [(each.number, each.start_bytes, each.size_bytes) for each in found] == [
        (each.number, each.start * drawn.sector_bytes, each.size * drawn.sector_bytes) for each in drawn.partitions
    ]
    for each, partition in zip(drawn.partitions, found, strict=True):
        if each.contents is None:
            assert partition.inside is None
        else:
            check_contents(known(partition.inside), pool[each.contents][1], partition.start_bytes)
    assert not [each for each in layout.problems if each.weight == "danger"]


def check_all(seeds: range, pool: Pool, tmp_path: Path) -> None:
    for seed in seeds:
        drawn, path = draw(seed, pool), tmp_path / "disk.img"
        build(drawn, pool, path)
        if drawn.sector_bytes == 512:
            assert sfdisk_says(path) == [(each.start, each.size) for each in drawn.partitions], drawn
        try:
            check(drawn, pool, path)
        except AssertionError as error:
            raise AssertionError(f"{drawn}") from error
        path.unlink()


def test_every_kind_is_read_as_its_own_tools_say(pool: Pool) -> None:
    for path, made in pool:
        layout = layout_of(path)
        check_contents(known(layout.whole), made, 0)
        assert layout.table is None


def test_drawn_disks_are_read_as_they_were_made(pool: Pool, tmp_path: Path) -> None:
    check_all(range(12), pool, tmp_path)


@pytest.mark.long
def test_a_hundred_drawn_disks_are_read_as_they_were_made(pool: Pool, tmp_path: Path) -> None:
    check_all(range(12, 112), pool, tmp_path)
