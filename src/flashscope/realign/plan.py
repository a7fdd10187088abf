"""From a layout to what a repair would do: what moves where, what stays and why, what its owner has to know.

Plain data, and nothing is read but the layout. The order of the moves is part of it: those towards the end of the disk
begin with the last, those towards its start with the first, so that each finds its new place free.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from flashscope.errors import WrongUse
from flashscope.partitions.layout import Layout, Partition
from flashscope.realign.obstacles import disk_obstacles, partition_obstacle, warnings_of
from flashscope.realign.repair import Move
from flashscope.realign.room import Placed, Thing, place
from flashscope.realign.tables.change import NewPlaces
from flashscope.units import format_bytes

_MIB = 1 << 20
BOUNDARY_BYTES = _MIB
_SHRINKING = {
    **dict.fromkeys(("ext2", "ext3", "ext4"), "e2fsck -f PARTITION; resize2fs PARTITION NEW-SIZE"),
    "ntfs": "ntfsresize --size NEW-SIZE PARTITION",
    "btrfs": "btrfs filesystem resize -AMOUNT MOUNT-POINT",
    "lvm": "pvresize --setphysicalvolumesize NEW-SIZE PARTITION",
}


@dataclass(frozen=True)
class Left:
    """A partition that stays where it is although it is misaligned. why, advice: a sentence each."""

    number: int
    why: str
    advice: str


@dataclass(frozen=True)
class Obstacle:
    """Why nothing on the disk may be moved. found, advice: a sentence each."""

    found: str
    advice: str


@dataclass(frozen=True)
class Plan:
    """What a repair would do. boundary_bytes: starts become multiples of it.

    moves: in the order in which they are done. makes_room: partitions that are aligned and move to make room for one
    that is not. places: the same moves by number, with the extended boot records that move. warnings: by partition.
    """

    layout: Layout
    boundary_bytes: int
    moves: tuple[Move, ...]
    makes_room: tuple[int, ...]
    left: tuple[Left, ...]
    obstacles: tuple[Obstacle, ...]
    places: NewPlaces
    warnings: tuple[tuple[int, str], ...]

    @property
    def moved_bytes(self) -> int:
        """How much is moved in all."""
        return sum(move.length_bytes for move in self.moves)

    @property
    def changes_boot_records(self) -> tuple[int, ...]:
        """The partitions whose boot sectors state their place, and move."""
        return tuple(
            each.number
            for each in self.layout.partitions
            if each.number in self.places.starts and each.inside is not None and each.inside.hidden_sectors is not None
        )


def make_plan(
    layout: Layout,
    *,
    boundary_bytes: int = BOUNDARY_BYTES,
    only: Sequence[int] = (),
    device_sector_bytes: int | None = None,
) -> Plan:
    """What a repair of a disk would do. only: move no other partitions than these; all when empty.

    Raises WrongUse when the boundary makes no sense, or `only` names what is not there.
    """
    _check(layout, boundary_bytes, only)
    obstacles = tuple(Obstacle(*each) for each in disk_obstacles(layout, device_sector_bytes))
    if obstacles or layout.table is None:
        return Plan(layout, boundary_bytes, (), (), (), obstacles, NewPlaces({}, {}), ())
    things = tuple(_things(layout, only))
    placed = place(things, layout.table.end_usable_bytes, boundary_bytes, layout.sector_bytes)
    moves = _in_order(layout, placed)
    aligned = [each for each in layout.holding_data() if each.start_bytes % boundary_bytes == 0]
    return Plan(
        layout=layout,
        boundary_bytes=boundary_bytes,
        moves=moves,
        makes_room=tuple(each.number for each in aligned if each.number in placed.starts),
        left=tuple(_left(layout, placed, boundary_bytes, only)),
        obstacles=(),
        places=NewPlaces(placed.starts, placed.records),
        warnings=tuple(
            (each.number, warning)
            for each in layout.partitions
            if each.number in placed.starts
            for warning in warnings_of(layout, each)
        ),
    )


def _check(layout: Layout, boundary_bytes: int, only: Sequence[int]) -> None:
    if boundary_bytes < layout.sector_bytes or boundary_bytes % layout.sector_bytes:
        raise WrongUse(
            f"partitions cannot begin at multiples of {boundary_bytes} B",
            accepted=f"a multiple of the sector, {layout.sector_bytes} B; 1 MiB suits every drive",
        )
    numbers = {each.number for each in layout.holding_data()}
    for number in set(only) - numbers:
        raise WrongUse(
            f"there is no partition {number} that could be moved",
            accepted=", ".join(str(each) for each in sorted(numbers)) or "a disk with partitions",
        )


def _things(layout: Layout, only: Sequence[int]) -> Iterator[Thing]:
    """All that takes room on the disk, in its order."""
    things = []
    extended = next((each for each in layout.partitions if each.role == "extended"), None)
    chain = set(layout.table.chain_bytes) if layout.table else set()
    logical = {each.chain_bytes for each in layout.partitions if each.role == "logical"}
    for each in layout.holding_data():
        moves = obstacle_of(layout, each) is None and (not only or each.number in only)
        things.append(Thing(each.start_bytes, each.size_bytes, each.number, moves, each.chain_bytes))
        if each.chain_bytes is not None and not moves:
            things.append(Thing(each.chain_bytes, layout.sector_bytes))
    if extended is not None:
        things += [Thing(at, layout.sector_bytes) for at in chain - logical]
        if any(each.start_bytes >= extended.end_bytes for each in layout.partitions):
            things.append(Thing(extended.end_bytes, 0))
    yield from sorted(things, key=lambda each: (each.start_bytes, each.length_bytes))


def obstacle_of(layout: Layout, partition: Partition) -> tuple[str, str] | None:
    """Why a partition has to stay; see `partition_obstacle`. Also where its extended boot record lies elsewhere."""
    record = partition.chain_bytes
    if record is not None:
        between = [each for each in layout.holding_data() if record < each.start_bytes < partition.start_bytes]
        if record > partition.start_bytes or between:
            return (
                "its extended boot record does not stand before it",
                "`sfdisk --reorder` or a new table puts that right",
            )
    return partition_obstacle(partition)


def _in_order(layout: Layout, placed: Placed) -> tuple[Move, ...]:
    by_place = sorted(layout.holding_data(), key=lambda each: each.start_bytes)
    moves = [
        Move(each.number, each.start_bytes, placed.starts[each.number], each.size_bytes)
        for each in by_place
        if each.number in placed.starts
    ]
    back = [each for each in moves if each.shift_bytes < 0]
    forward = [each for each in reversed(moves) if each.shift_bytes > 0]
    order = (*back, *forward)
    _see_that_each_place_is_free(by_place, order)
    return order


def _see_that_each_place_is_free(partitions: Sequence[Partition], moves: Sequence[Move]) -> None:
    """Each move's new place holds no other partition at that moment; ours to get right, so an assertion."""
    spans = {each.number: (each.start_bytes, each.size_bytes) for each in partitions}
    for move in moves:
        spans[move.number] = (move.to_bytes, move.length_bytes)
        for number, (start, length) in spans.items():
            apart = start >= move.to_bytes + move.length_bytes or start + length <= move.to_bytes
            assert apart or number == move.number, f"partition {move.number} would be moved onto partition {number}"


def _left(layout: Layout, placed: Placed, boundary_bytes: int, only: Sequence[int]) -> Iterator[Left]:
    for each in layout.holding_data():
        if each.start_bytes % boundary_bytes == 0 or each.number in placed.starts:
            continue
        obstacle = obstacle_of(layout, each)
        if obstacle is not None:
            yield Left(each.number, *obstacle)
        elif only and each.number not in only:
            yield Left(each.number, "it was not asked for", "leave --partition out to move all")
        else:
            yield _no_room(layout, each, placed.missing_bytes.get(each.number, 0))


def _no_room(layout: Layout, partition: Partition, missing_bytes: int) -> Left:
    mebibytes = -(-missing_bytes // _MIB)
    behind = max(
        (each for each in layout.holding_data() if _is_flush_with(layout, partition, each)),
        key=lambda each: each.start_bytes,
        default=partition,
    )
    kind = behind.inside.kind if behind.inside else ""
    how = _SHRINKING.get(kind, "")
    advice = f"make partition {behind.number} shorter by at least {mebibytes} MiB at its end first"
    if kind == "xfs":
        advice += "; XFS cannot be made smaller: save its files, make it anew, and copy them back"
    elif how:
        advice += f": the file system (`{how}`), then the partition (`parted DISK resizepart {behind.number} NEW-END`)"
    return Left(
        partition.number,
        f"there is no room behind it, nor before it: {format_bytes(missing_bytes)} are missing",
        advice,
    )


def _is_flush_with(layout: Layout, first: Partition, other: Partition) -> bool:
    """Whether another partition stands behind the first with no room to speak of between all those in between."""
    between = sorted(
        (each for each in layout.holding_data() if first.start_bytes <= each.start_bytes <= other.start_bytes),
        key=lambda each: each.start_bytes,
    )
    return bool(between) and all(after.start_bytes - before.end_bytes < _MIB for before, after in pairwise(between))
