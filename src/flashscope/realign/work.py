"""A repair carried out, from wherever its journal says that it is: to its end, or back to the beginning.

    each chunk     read, (keep in the journal, flush,) write to its new place, flush, read back, note, flush
    each batch     write, flush, read back, note, flush

The next chunk is written only when the journal says, durably, that the one before is at its new place. So whatever a
power cut loses of the writes under way, each chunk is whole at its old place, at its new place, or in the journal, and
the journal says which. docs/explanation/realign.md has the argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from flashscope.errors import DriveFailed
from flashscope.realign.disk import Disk
from flashscope.realign.journal import Journal
from flashscope.realign.progress import Phase, Progress
from flashscope.realign.repair import Batch, Move, digest

_ZEROS_BYTES = 1 << 20


class Watcher(Protocol):
    """Who is told how far it is, and who may stop it."""

    def phase(self, phase: Phase, move: int) -> None:
        """A phase begins or goes on. move: the index of the move, where it is one."""

    def moved(self, moved_bytes: int, chunk_bytes: int) -> None:
        """Of the move under way, so much is at its new place; with a chunk of this length just now."""

    def check(self) -> None:
        """Called where it may stop: raises what ends it, or waits."""


class Work:
    """One session of a repair. shown: called after the table was written, so that the system reads it anew."""

    def __init__(self, disk: Disk, journal: Journal, watcher: Watcher, shown: Callable[[], None]) -> None:
        self._disk, self._journal, self._watcher, self._shown = disk, journal, watcher, shown
        self._repair = journal.repair

    def run(self, *, undo: bool = False) -> Phase:
        """Go on to the end; with `undo`, or where the journal says that it is being undone, back to the beginning.

        Returns DONE or UNDONE. Raises DriveFailed when the drive or the journal's disk fails, and what the watcher
        raises; in both cases a later run can go on.
        """
        try:
            self._settle_kept()
            if undo and not self._at.phase.is_undoing and not self._at.phase.is_over:
                self._turn_back()
            while not self._at.phase.is_over:
                self._watcher.check()
                self._watcher.phase(self._at.phase, self._at.move)
                self._do(self._at.phase)
        except OSError as error:
            raise DriveFailed(
                f"a read or write failed: {error.strerror or error}",
                advice="nothing is lost: each part is at its old place, at its new place or in the journal "
                f"({self._journal.where}). Go on with --resume once the cause is removed, or go back with --undo",
            ) from error
        return self._at.phase

    @property
    def _at(self) -> Progress:
        return self._journal.progress

    def _do(self, phase: Phase) -> None:
        repair = self._repair
        match phase:
            case Phase.VEIL:
                self._put(repair.veil, Phase.MOVE, visible=True)
            case Phase.MOVE:
                self._carry(back=False)
            case Phase.DRESS:
                self._put(repair.dress, Phase.TABLE)
            case Phase.TABLE:
                self._put(repair.table, Phase.CLEAR, visible=True)
            case Phase.CLEAR:
                self._clear()
            case Phase.REVEIL:
                self._put(repair.veil, Phase.UNDRESS, visible=True)
            case Phase.UNDRESS:
                last = len(repair.moves) - 1
                self._put(repair.undress, Phase.UNMOVE, move=last, moved_bytes=repair.moves[last].length_bytes)
            case Phase.UNMOVE:
                self._carry(back=True)
            case Phase.UNTABLE:
                self._put(repair.untable, Phase.UNDONE, visible=True)
            case Phase.DONE | Phase.UNDONE:
                raise AssertionError("nothing is left to do")

    def _turn_back(self) -> None:
        """From here on the repair is undone. A chunk that the journal kept is at its new place already."""
        match self._at.phase:
            case Phase.VEIL:
                self._journal.note(Progress(Phase.UNTABLE))
            case Phase.MOVE:
                self._journal.note(replace(self._at, phase=Phase.UNMOVE))
            case _:
                self._journal.note(Progress(Phase.REVEIL))

    def _put(
        self, batches: Sequence[Batch], following: Phase, *, move: int = 0, moved_bytes: int = 0, visible: bool = False
    ) -> None:
        for batch in batches:
            for write in batch:
                self._disk.write(write.at_bytes, write.content)
            self._disk.flush()
            for write in batch:
                self._see(write.at_bytes, write.content)
        if visible:
            self._shown()
        self._journal.note(Progress(following, move, moved_bytes))

    def _clear(self) -> None:
        """Zeros where the moved partitions were: nothing there is taken for a file system or an array any more."""
        pieces = [
            (at, bytes(min(_ZEROS_BYTES, end - at)))
            for start, end in self._repair.clear
            for at in range(start, end, _ZEROS_BYTES)
        ]
        for at, zeros in pieces:
            self._disk.write(at, zeros)
        self._disk.flush()
        for at, zeros in pieces:
            self._see(at, zeros)
        self._journal.note(Progress(Phase.DONE))

    def _carry(self, *, back: bool) -> None:
        """Move what is left of the move under way. back: from the new place to the old one."""
        move = self._repair.moves[self._at.move]
        chunk_bytes = move.chunk_bytes(self._journal.head.slot_bytes)
        while left := (self._at.moved_bytes if back else move.length_bytes - self._at.moved_bytes):
            self._watcher.check()
            length = min(chunk_bytes, left)
            source, target = _places(move, self._at.moved_bytes, length, back=back)
            chunk = self._disk.read(source, length)
            if move.keeps:
                kept = replace(self._at, kept_bytes=length, kept_digest=digest(chunk))
                self._journal.keep(kept, chunk)
            self._put_chunk(move, chunk, target, back=back)
        self._next_move(back=back)

    def _put_chunk(self, move: Move, chunk: bytes, target: int, *, back: bool) -> None:
        """Write a chunk to where it goes, see that it is there, and note that."""
        self._disk.write(target, chunk)
        self._disk.flush()
        self._see(target, chunk)
        moved = self._at.moved_bytes + (-len(chunk) if back else len(chunk))
        at = replace(
            self._at,
            moved_bytes=moved,
            kept_bytes=0,
            kept_digest=bytes(16),
            last_at_bytes=target,
            last_bytes=len(chunk),
            last_digest=digest(chunk),
        )
        self._journal.note(at)
        self._watcher.moved(moved, len(chunk))

    def _settle_kept(self) -> None:
        """Finish the chunk that the journal keeps: whether its new place, or its old one, was torn cannot be known."""
        at = self._at
        if not at.kept_bytes:
            return
        move, back = self._repair.moves[at.move], at.phase is Phase.UNMOVE
        _, target = _places(move, at.moved_bytes, at.kept_bytes, back=back)
        self._put_chunk(move, self._journal.kept(), target, back=back)

    def _next_move(self, *, back: bool) -> None:
        index = self._at.move + (-1 if back else 1)
        if index in range(len(self._repair.moves)):
            moved = self._repair.moves[index].length_bytes if back else 0
            self._journal.note(Progress(self._at.phase, index, moved))
        else:
            self._journal.note(Progress(Phase.UNTABLE if back else Phase.DRESS))

    def _see(self, at_bytes: int, written: bytes) -> None:
        """Raise DriveFailed when the drive does not give back what was written to it."""
        if digest(self._disk.read(at_bytes, len(written))) != digest(written):
            raise DriveFailed(
                f"what was written at byte {at_bytes} ({len(written)} bytes) is not what the drive gives back",
                advice="this drive corrupts data. Nothing is lost yet: the old place, or the journal "
                f"({self._journal.where}), has them. Copy the drive to another one before anything else",
            )


def _places(move: Move, moved_bytes: int, length: int, *, back: bool) -> tuple[int, int]:
    """Where on the disk the next chunk is, and where it goes. back: it goes back to its old place."""
    within = move.place_after(moved_bytes - length if back else moved_bytes, length)
    old, new = move.from_bytes + within, move.to_bytes + within
    return (new, old) if back else (old, new)
