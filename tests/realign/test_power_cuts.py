"""Spans are moved through every power cut: after each write and flush, with any of the sectors that were under way."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from flashscope.realign.disk import Disk, Window
from flashscope.realign.journal import Journal, find_head, journal_bytes, packed_plan
from flashscope.realign.progress import Phase
from flashscope.realign.repair import DiskIdentity, Move, Repair, Write
from flashscope.realign.work import Work

from ..known import known
from .forgetful import ForgetfulDisk, Power, PowerCut

SECTOR, KIB = 512, 1 << 10
OLD, VEILED, NEW, UNDRESSED, DRESSED = (bytes([value]) * SECTOR for value in (1, 2, 3, 4, 5))


class Quiet:
    def phase(self, phase: Phase, move: int) -> None: ...

    def moved(self, moved_bytes: int, chunk_bytes: int) -> None: ...

    def check(self) -> None: ...


def sectors(start: int, length_bytes: int) -> range:
    return range(start, start + length_bytes, SECTOR)


@dataclass(frozen=True)
class Case:
    """moves: see Move. size_bytes: of the disk. slot_bytes: of the journal. on_the_disk: it lies at the disk's end."""

    name: str
    moves: tuple[Move, ...]
    size_bytes: int
    slot_bytes: int = 0
    on_the_disk: bool = True

    def repair(self) -> Repair:
        boot = self.moves[-1].to_bytes
        return Repair(
            DiskIdentity("test", self.size_bytes, SECTOR),
            self.moves,
            veil=((Write(0, VEILED),),),
            dress=((Write(boot, DRESSED),),),
            table=((Write(0, NEW),),),
            undress=((Write(boot, UNDRESSED),),),
            untable=((Write(0, OLD),),),
            clear=self.vacated,
        )

    @property
    def vacated(self) -> tuple[tuple[int, int], ...]:
        """What the moves leave, sector by sector."""
        old = {at for move in self.moves for at in sectors(move.from_bytes, move.length_bytes)}
        new = {at for move in self.moves for at in sectors(move.to_bytes, move.length_bytes)}
        return tuple((at, at + SECTOR) for at in sorted(old - new))

    def content(self, chance: random.Random) -> bytes:
        content = bytearray(chance.randbytes(self.size_bytes))
        content[:SECTOR] = OLD
        first = self.moves[-1]
        content[first.from_bytes : first.from_bytes + SECTOR] = UNDRESSED
        return bytes(content)


def kib(number: int, start: float, to: float, length: float) -> Move:
    return Move(number, int(start * KIB), int(to * KIB), int(length * KIB))


CASES = (
    Case("forward by 64 KiB, overlapping itself", (kib(1, 31.5, 95.5, 300),), 600 * KIB),
    Case("back by 64 KiB", (kib(1, 100, 36, 300),), 600 * KIB),
    Case("forward by one sector, each chunk kept", (kib(1, 31.5, 32, 60),), 400 * KIB, 8 * KIB),
    Case("back by one sector, each chunk kept", (kib(1, 32, 31.5, 60),), 400 * KIB, 8 * KIB),
    Case("two, the last one first", (kib(2, 131.5, 196, 99.5), kib(1, 31.5, 96, 100)), 600 * KIB),
    Case("two, one kept, journal elsewhere", (kib(2, 80, 96, 65), kib(1, 10, 11, 20)), 400 * KIB, 8 * KIB, False),
    Case("without overlap", (kib(1, 8, 200, 100),), 600 * KIB),
)


class Bench:
    """A disk and the medium of its journal, as the power left them."""

    def __init__(self, case: Case, disk: bytes, journal: bytes, power: Power) -> None:
        self.disk = ForgetfulDisk(disk, power)
        self.medium = self.disk if case.on_the_disk else ForgetfulDisk(journal, power)
        self.case, self.power = case, power

    @property
    def area_bytes(self) -> int:
        return journal_bytes(len(packed_plan(self.case.repair())), self.case.slot_bytes)

    def begin(self) -> Journal:
        start = self.medium.size_bytes - self.area_bytes
        start -= start % 4096
        area = Window(self.medium, start, self.area_bytes)
        return Journal.create(area, self.case.repair(), start_bytes=start, where="here", run=bytes(16))

    def go_on(self, *, undo: bool) -> Phase | None:
        """None when there is no journal, so nothing was changed."""
        head = find_head(self.medium, 0, self.medium.size_bytes)
        if head is None:
            return None
        journal = Journal.open(self.medium, head, "here")
        return self.work(journal, undo=undo)

    def work(self, journal: Journal, *, undo: bool = False) -> Phase:
        ended = Work(self.disk, journal, Quiet(), lambda: None).run(undo=undo)
        journal.erase()
        return ended

    def after_the_cut(self, chance: random.Random) -> Bench:
        disk = self.disk.after_the_cut(chance)
        journal = b"" if self.case.on_the_disk else self.medium.after_the_cut(chance)
        return Bench(self.case, disk, journal, Power())


def spans(case: Case, content: bytes, *, new: bool) -> list[bytes]:
    places = [(move.to_bytes if new else move.from_bytes, move.length_bytes) for move in case.moves]
    return [content[at : at + length] for at, length in places]


def dressed(case: Case, spans: list[bytes]) -> list[bytes]:
    return [*spans[:-1], DRESSED + spans[-1][SECTOR:]]


def see(case: Case, before: bytes, disk: Disk, ended: Phase | None) -> None:
    after, moved = disk.read(0, disk.size_bytes), ended is Phase.DONE
    told = after[:SECTOR]
    if ended is None:  # the journal was not there yet, or was erased already
        moved = told == NEW
    assert told == (NEW if moved else OLD), f"the table says {told[0]}"
    was = spans(case, before, new=False)
    assert spans(case, after, new=moved) == (dressed(case, was) if moved else was)
    if moved:
        assert all(not any(after[start:end]) for start, end in case.vacated)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_repair_is_finished_or_undone_after_every_power_cut(case: Case, every: int) -> None:
    """every: which of the writes and flushes are cut, all of them in the long tests."""
    chance = random.Random(case.name)
    before = case.content(chance)
    medium = b"" if case.on_the_disk else chance.randbytes(256 * KIB)
    bench = Bench(case, before, medium, Power())
    bench.work(bench.begin())
    see(case, before, bench.disk, Phase.DONE)
    moments = bench.power.used
    for moment in range(chance.randrange(every), moments, every):
        for undo in (False, True):
            cut = Bench(case, before, medium, Power(moment))
            with pytest.raises(PowerCut):
                cut.work(cut.begin())
            ended: Phase | None = None
            for _ in range(20):  # the power goes again and again while the repair goes on
                cut = cut.after_the_cut(chance)
                cut.power.cut_after = chance.choice((None, *range(0, 40, 3)))
                try:
                    ended = cut.go_on(undo=undo)
                    break
                except PowerCut:
                    continue
            else:
                cut = cut.after_the_cut(chance)
                ended = cut.go_on(undo=undo)
            see(case, before, cut.disk, ended)


def test_nothing_but_the_spans_the_table_and_the_journal_is_written() -> None:
    case = CASES[4]
    before = case.content(random.Random(1))
    bench = Bench(case, before, b"", Power())
    journal = bench.begin()
    bench.work(journal)
    after = bench.disk.content()
    written = [range(SECTOR), range(journal.head.start_bytes, journal.head.start_bytes + journal.head.size_bytes)]
    written += [range(move.to_bytes, move.to_bytes + move.length_bytes) for move in case.moves]
    written += [range(start, end) for start, end in case.vacated]
    changed = [at for at in range(0, len(after), SECTOR) if after[at : at + SECTOR] != before[at : at + SECTOR]]
    assert all(any(at in each for each in written) for at in changed)


def test_the_first_head_of_a_journal_may_be_unreadable() -> None:
    case = CASES[0]
    bench = Bench(case, case.content(random.Random(2)), b"", Power())
    journal = bench.begin()
    bench.disk.write(journal.head.start_bytes, bytes(8192))
    found = known(find_head(bench.disk, 0, bench.disk.size_bytes))
    assert found == journal.head
    assert Journal.open(bench.disk, found, "here").repair == journal.repair
