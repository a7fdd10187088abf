"""A repair from its beginning, or from where it was cut short, to its end: journal made or found, work, journal gone.

begin     read all once -> journal (durable) -> work -> journal erased
go on     journal found -> is this the disk, as it was left? -> work, or back -> journal erased
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.durable import sync_folder
from flashscope.errors import WrongUse
from flashscope.partitions.layout import Layout
from flashscope.realign.disk import Disk, Window
from flashscope.realign.free_places import Span
from flashscope.realign.journal import Journal
from flashscope.realign.journal_file import new_journal_file, old_journal_file
from flashscope.realign.journal_place import needed_bytes
from flashscope.realign.known_again import check_disk, check_state
from flashscope.realign.progress import Phase
from flashscope.realign.repair import Repair
from flashscope.realign.survey import Unreadable, read_once
from flashscope.realign.unfinished import find_on_disk
from flashscope.realign.work import Watcher, Work


@dataclass(frozen=True)
class OpenJournal:
    """A journal and the file that it is in; None when it lies on the disk itself."""

    journal: Journal
    file: Path | None

    def over(self) -> None:
        """Have it gone: the repair is over. Raises OSError."""
        self.journal.erase()
        if self.file is not None:
            self.file.unlink()
            sync_folder(self.file.parent)


@contextmanager
def new_journal(disk: Disk, repair: Repair, place: Path | Span) -> Iterator[OpenJournal]:
    """A new journal, durable. place: a file that is still to be made, or where on the disk. WrongUse, OSError."""
    if isinstance(place, Path):
        with new_journal_file(place, needed_bytes(repair)) as medium:
            yield OpenJournal(Journal.create(medium, repair, start_bytes=0, where=str(place)), place)
        return
    start, end = place
    area = Window(disk, start, end - start)
    yield OpenJournal(Journal.create(area, repair, start_bytes=start, where=_on_disk(start)), None)


@contextmanager
def old_journal(disk: Disk, layout: Layout, file: Path | None) -> Iterator[OpenJournal]:
    """The journal of a repair that was cut short. file: where it is; None for a gap of the disk. WrongUse, OSError."""
    if file is not None:
        with old_journal_file(file) as (medium, its_head):
            yield OpenJournal(Journal.open(medium, its_head, str(file)), file)
        return
    head = find_on_disk(disk, layout)
    if head is None:
        raise WrongUse(
            "no repair of this disk was cut short: no journal is in its free places",
            accepted="--journal FILE, when the journal was put into a file as the repair began",
            advice="nothing was written",
        )
    yield OpenJournal(Journal.open(disk, head, _on_disk(head.start_bytes)), None)


def survey(disk: Disk, repair: Repair, surveyed: Callable[[int], None]) -> list[Unreadable]:
    """Read all that will move once; what cannot be read. surveyed: called with the bytes read so far."""
    bad: list[Unreadable] = []
    before = 0
    for move in repair.moves:
        done = before

        def advanced(read_bytes: int, done: int = done) -> None:
            surveyed(done + read_bytes)

        bad += read_once(disk, move, advanced)
        before += move.length_bytes
    return bad


def check_can_go_on(opened: OpenJournal, disk: Disk, *, serial: str, table_may_differ: bool) -> None:
    """Raise WrongUse when this is not the disk, or not in the state, in which the repair was cut short."""
    check_disk(opened.journal.repair.disk, disk, serial=serial)
    check_state(opened.journal, disk, table_may_differ=table_may_differ)


def work(
    opened: OpenJournal, disk: Disk, watcher: Watcher, *, undo: bool = False, shown: Callable[[], None] = lambda: None
) -> Phase:
    """Go on to the end, or back to the beginning; see `Work`. Returns DONE or UNDONE. The journal is gone then."""
    ended = Work(disk, opened.journal, watcher, shown).run(undo=undo)
    opened.over()
    return ended


def _on_disk(start_bytes: int) -> str:
    return f"in a free place of the disk, byte {start_bytes}"
