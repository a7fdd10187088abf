"""Where partitions can go: to the next aligned place behind, pushing those behind them on, or else to one before.

    forward    | 1 |2|  3  |........|      first to last: each to the first aligned place at or behind its start that
               ..| 1 |.|2|.|  3  |..|      is free; when the last has no room, the first is left where it is, and so on
    back       |..| 1 |2| wall             last to first, for those that found no room behind them

A partition that may not move is a wall. So are the ends of what the table allows, and the place before the first
partition, where boot loaders live. Extended boot records stay where they are while that place is free; else they go
to the first free sector before their partition. The extended partition begins with the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Thing:
    """What takes room. number: of the partition; 0 for what is none. moves: whether it may.

    record_bytes: where its extended boot record stands, which may move with it; None where it has none that may.
    """

    start_bytes: int
    length_bytes: int
    number: int = 0
    moves: bool = False
    record_bytes: int | None = None

    @property
    def end_bytes(self) -> int:
        """The first byte after it."""
        return self.start_bytes + self.length_bytes


@dataclass(frozen=True)
class Placed:
    """starts: new starts by partition number, of those that move. records: new places of extended boot records by the
    partition's number, of those that move. missing_bytes: what a partition that is left misaligned lacks."""

    starts: Mapping[int, int] = field(default_factory=dict)
    records: Mapping[int, int] = field(default_factory=dict)
    missing_bytes: Mapping[int, int] = field(default_factory=dict)


@dataclass
class _Try:
    """New places that were tried. over_bytes: how far they go over the wall; 0 or less when all have room."""

    starts: dict[int, int] = field(default_factory=dict)
    records: dict[int, int] = field(default_factory=dict)
    over_bytes: int = 0

    @property
    def fits(self) -> bool:
        return self.over_bytes <= 0

    def put(self, thing: Thing, start: int, record: int | None) -> None:
        """Note the new place of a thing, where it is a new one."""
        if start != thing.start_bytes:
            self.starts[thing.number] = start
        if record is not None and record != thing.record_bytes:
            self.records[thing.number] = record


@dataclass(frozen=True)
class _Run:
    """Things that may move, between two walls. floor_bytes, limit_bytes: the walls."""

    things: Sequence[Thing]
    floor_bytes: int
    limit_bytes: int
    boundary_bytes: int
    sector_bytes: int

    def forward(self, first: int) -> _Try:
        """All things from one on, each behind the one before."""
        tried = _Try()
        free = self.things[first - 1].end_bytes if first else self.floor_bytes
        for each in self.things[first:]:
            low, record = max(each.start_bytes, free), None
            if each.record_bytes is not None:
                record = max(each.record_bytes, free)
                low = max(each.start_bytes, record + self.sector_bytes)
            start = -(-low // self.boundary_bytes) * self.boundary_bytes
            tried.put(each, start, record)
            free = start + each.length_bytes
        tried.over_bytes = free - self.limit_bytes
        return tried

    def back(self, first: int, behind: int) -> _Try:
        """The things from `first` until `behind`, each before the one behind it, from the last one on."""
        tried = _Try()
        limit = self.limit_bytes
        if behind < len(self.things):
            wall = self.things[behind]
            limit = wall.start_bytes if wall.record_bytes is None else wall.record_bytes
        for each in reversed(self.things[first:behind]):
            start = min(each.start_bytes, limit - each.length_bytes) // self.boundary_bytes * self.boundary_bytes
            limit, record = start, None
            if each.record_bytes is not None:
                limit = record = min(each.record_bytes, start - self.sector_bytes)
            tried.put(each, start, record)
        floor = self.things[first - 1].end_bytes if first else self.floor_bytes
        tried.over_bytes = floor - limit
        return tried


def place(things: Sequence[Thing], end_bytes: int, boundary_bytes: int, sector_bytes: int) -> Placed:
    """Find aligned places. things: in the order of the disk, all that takes room. end_bytes: of the usable disk."""
    starts: dict[int, int] = {}
    records: dict[int, int] = {}
    missing: dict[int, int] = {}
    for things_there, floor, limit in _between_walls(things, end_bytes):
        run = _Run(things_there, floor, limit, boundary_bytes, sector_bytes)
        crooked = [index for index, each in enumerate(things_there) if each.start_bytes % boundary_bytes]
        forward = {index: run.forward(index) for index in crooked}
        first = next((index for index in crooked if forward[index].fits), len(things_there))
        back = {index: run.back(index, first) for index in crooked if index < first}
        first_back = next((index for index, each in back.items() if each.fits), first)
        for kept in (forward.get(first), back.get(first_back)):
            starts |= kept.starts if kept else {}
            records |= kept.records if kept else {}
        missing |= {things_there[index].number: forward[index].over_bytes for index in back if index < first_back}
    return Placed(starts, records, missing)


def _between_walls(things: Sequence[Thing], end_bytes: int) -> Iterator[tuple[list[Thing], int, int]]:
    """Things that may move, with the walls before and behind them. Before the first of all things nothing moves."""
    floor = things[0].start_bytes if things else 0
    movable: list[Thing] = []
    for each in (*things, Thing(end_bytes, 0)):
        if each.moves:
            movable.append(each)
            continue
        if movable:
            yield movable, floor, each.start_bytes
            movable = []
        floor = max(floor, each.end_bytes)
