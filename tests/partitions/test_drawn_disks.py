"""Disks made by real programs are read as those programs made them, and every start on them is judged right."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from flashscope.alignment.advice import misaligned
from flashscope.alignment.boundaries import MappingUnit, boundaries
from flashscope.alignment.judged import judge
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
    check_judged(drawn, pool, layout)


def check_judged(drawn: Drawn, pool: Pool, layout: Layout) -> None:
    """Every start, as the tools gave it, against every boundary; and the starts that writes meet."""
    unit = MappingUnit((4, 8, 16, 32, 64)[drawn.seed % 5] << 10, "stated")
    against = boundaries(unit, chunk_bytes=3 << 15)
    wanted, met = [], []
    for each in drawn.partitions:
        begin = each.start * drawn.sector_bytes
        made = pool[each.contents][1] if each.contents is not None else None
        data = [begin + made.data_at] if made and made.data_at else []
        inside = [begin + at for at in made.inside_at] if made else []
        wanted += [begin, *data, *inside]
        met += inside or data or [begin]
    starts = [each for each in judge(layout, against) if each.counts or each.name != f"partition {_extended(layout)}"]
    assert [each.start_bytes for each in starts] == wanted
    assert [each.start_bytes for each in starts if each.counts] == met
    sizes = {512, 4096, known(unit.size_bytes), 1 << 20, 3 << 15}
    for start in starts:
        assert {one.boundary.size_bytes: one.past_bytes for one in start.verdicts} == {
            size: start.start_bytes - start.start_bytes // size * size for size in sizes
        }
        assert start.start_bytes % start.aligned_to_bytes == 0
        assert start.start_bytes == 0 or start.start_bytes % (2 * start.aligned_to_bytes)
    off = [each.start_bytes for each in misaligned(tuple(starts), unit)]
    assert off == [at for at in met if at % known(unit.size_bytes)]


def _extended(layout: Layout) -> int:
    return next((each.number for each in layout.partitions if each.role == "extended"), 0)


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


def test_drawn_disks_are_read_as_they_were_made_and_judged_right(pool: Pool, tmp_path: Path) -> None:
    check_all(range(12), pool, tmp_path)


@pytest.mark.long
def test_a_hundred_drawn_disks_are_read_as_they_were_made_and_judged_right(pool: Pool, tmp_path: Path) -> None:
    check_all(range(12, 112), pool, tmp_path)
