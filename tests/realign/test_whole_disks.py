"""Whole disks through power cuts: what a table shows is whole, and the repair goes on, or back, to the last byte."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from flashscope.partitions.read import read_layout
from flashscope.partitions.source import MemorySource
from flashscope.realign.free_places import vacated_spans
from flashscope.realign.progress import Phase

from ..known import known
from ..partitions.by_hand import SECTOR
from .forgetful import ForgetfulDisk, Power, PowerCut
from .whole_disks import BOUNDARY, HIDDEN, WholeDisk, begin, go_on, gpt_disk, mbr_disk

DISKS = {"mbr": mbr_disk, "gpt": gpt_disk}


def see_shown_is_whole(whole: WholeDisk, content: bytes) -> None:
    """No table, in whatever state, shows a partition that is not all there."""
    layout = read_layout(MemorySource(content, SECTOR))
    assert layout.table is not None, "no copy of the table is good"
    for each in layout.holding_data():
        if each.type_code not in HIDDEN:
            assert content[each.start_bytes : each.end_bytes] == whole.contents[each.number], each.number


def see_end(whole: WholeDisk, content: bytes, ended: Phase | None) -> None:
    """All is at its new place, or all is as it was; never something between."""
    layout = read_layout(MemorySource(content, SECTOR))
    assert not [each.what for each in layout.problems if each.weight == "danger"]
    starts = {each.number: each.start_bytes for each in layout.holding_data()}
    was = {each.number: each.start_bytes for each in whole.layout.holding_data()}
    moved = {**was, **whole.plan().places.starts}
    assert starts in ([moved] if ended is Phase.DONE else [was] if ended is Phase.UNDONE else [was, moved])
    assert {each.number for each in layout.holding_data()} == set(whole.contents)
    see_shown_is_whole(whole, content)
    if starts == moved:
        vacated = vacated_spans(whole.plan())
        assert vacated
        assert all(not any(content[start:end]) for start, end in vacated)
    if starts == was:
        assert layout.partitions == whole.layout.partitions
        own = [slice(each.start_bytes, each.end_bytes) for each in whole.layout.holding_data()]
        assert all(content[each] == whole.content[each] for each in own)
        first = min(each.start_bytes for each in whole.layout.partitions)
        assert content[:first] == whole.content[:first]


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("kind", DISKS)
def test_what_a_table_shows_is_whole_at_every_power_cut(kind: str, every: int) -> None:
    """every: which of the writes and flushes are cut, all of them in the long tests."""
    chance = random.Random(kind)
    make: Callable[[random.Random], WholeDisk] = DISKS[kind]
    whole = make(chance)
    plan = whole.plan()
    assert not plan.left
    assert len(plan.moves) == len(whole.contents)
    power = Power()
    disk = ForgetfulDisk(whole.content, power)
    assert begin(whole, disk) is Phase.DONE
    see_end(whole, disk.content(), Phase.DONE)
    for moment in range(chance.randrange(every), power.used, every):
        cut = ForgetfulDisk(whole.content, Power(moment))
        with pytest.raises(PowerCut):
            begin(whole, cut)
        for _ in range(3):  # several states that one cut may leave
            left = cut.after_the_cut(chance)
            see_shown_is_whole(whole, left)
        undo = chance.random() < 0.4
        again = ForgetfulDisk(left, Power(chance.choice((None, chance.randrange(30)))))
        try:
            ended = go_on(again, undo=undo)
        except PowerCut:
            left = again.after_the_cut(chance)
            see_shown_is_whole(whole, left)
            again = ForgetfulDisk(left)
            ended = go_on(again, undo=undo)
        see_end(whole, again.content(), ended)


def test_logical_partitions_keep_their_numbers_and_their_chain() -> None:
    whole = mbr_disk(random.Random(5))
    disk = ForgetfulDisk(whole.content)
    begin(whole, disk)
    layout = read_layout(MemorySource(disk.content(), SECTOR))
    assert [each.number for each in layout.partitions] == [1, 2, 3, 5, 6, 7]
    assert all(each.start_bytes % BOUNDARY == 0 for each in layout.holding_data())
    extended = layout.partitions[2]
    assert extended.start_bytes == layout.partitions[3].chain_bytes
    assert extended.end_bytes >= max(each.end_bytes for each in layout.partitions)
    assert disk.content()[:446] == whole.content[:446]


def test_of_a_gpt_only_the_places_change() -> None:
    whole = gpt_disk(random.Random(6))
    disk = ForgetfulDisk(whole.content)
    begin(whole, disk)
    before, after = whole.layout, read_layout(MemorySource(disk.content(), SECTOR))
    for old, new in zip(before.partitions, after.partitions, strict=True):
        kept = [(each.number, each.guid, each.type_code, each.name, each.attributes) for each in (old, new)]
        assert kept[0] == kept[1]
        assert new.size_bytes == old.size_bytes
    assert known(after.table).identity == known(before.table).identity
    assert all(copy.good for copy in known(after.table).copies)
    assert whole.plan().makes_room == (4,) * (640 * SECTOR % BOUNDARY == 0)
