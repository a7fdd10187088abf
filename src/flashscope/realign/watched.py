"""Shows how far a repair is, keeps it below a rate, and lets Ctrl-C stop it where the journal is complete."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flashscope.realign.progress import Phase, Progress
from flashscope.realign.repair import Repair
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress as Shown
from flashscope.runner.progress.progress import StepAhead

_SURVEY, _TABLES = "read all once", "tables and boot records"
_COST_OF_TABLES_BYTES = 1 << 20
_PASSES = 3  # each chunk is read, written and read back
_NAP_S = 0.05


@dataclass(frozen=True)
class Manner:
    """begins: the session starts with reading all once. undo: it goes back.

    rate_bytes_per_second: the most that is moved in a second, 0 for no limit.
    """

    begins: bool
    undo: bool = False
    rate_bytes_per_second: float = 0.0


class Watched:
    """A `Watcher` of one session. at: how far the repair is. clock, sleep: [s]."""

    def __init__(
        self,
        shown: Shown,
        interruption: Interruption,
        repair: Repair,
        at: Progress,
        manner: Manner,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._shown, self._interruption, self._repair = shown, interruption, repair
        self._rate, self._clock, self._sleep = manner.rate_bytes_per_second, clock, sleep
        self._steps = [(index, ahead) for index, ahead in _ahead(repair, at, manner)]
        self._current: int | None = None
        self._began_s, self._before_bytes = clock(), 0
        self.has_begun = not manner.begins
        """Whether something was written."""
        shown.run_begins("align", [ahead for _, ahead in self._steps])

    def surveyed(self, read_bytes: int) -> None:
        """So much of all that moves was read before anything is changed."""
        self._begin(-1)
        self._advance(read_bytes / max(self._repair.moved_bytes, 1), read_bytes)
        self.check()

    def phase(self, phase: Phase, move: int) -> None:
        """See `Watcher.phase`."""
        self.has_begun = True
        self._begin(move if phase in (Phase.MOVE, Phase.UNMOVE) else -2)

    def moved(self, moved_bytes: int, chunk_bytes: int) -> None:
        """See `Watcher.moved`."""
        self._before_bytes += chunk_bytes
        if self._current is not None:
            cost = next((ahead.cost_s for index, ahead in self._steps if index == self._current), 0.0)
            self._advance(min(self._before_bytes * _PASSES / max(cost, 1.0), 1.0), self._before_bytes)

    def check(self) -> None:
        """See `Watcher.check`: waits where the rate asks for it."""
        self._interruption.check()
        while self._rate and self._before_bytes / self._rate > self._clock() - self._began_s:
            self._sleep(_NAP_S)
            self._interruption.check()

    def ends(self, status: str) -> None:
        """The session is over."""
        self._end_step(status)
        self._shown.run_ends(status)

    def _begin(self, index: int) -> None:
        if index == self._current:
            return
        self._end_step("done")
        places = [place for place, (each, _) in enumerate(self._steps) if each == index]
        if places:
            self._current, self._began_s, self._before_bytes = index, self._clock(), 0
            self._shown.step_begins(places[-1])

    def _end_step(self, status: str) -> None:
        if self._current is not None:
            self._shown.step_ends(status, "")
            self._current = None

    def _advance(self, share_ratio: float, done_bytes: int) -> None:
        self._shown.advanced(share_ratio, done_bytes, int((self._clock() - self._began_s) * 1e9))


def _ahead(repair: Repair, at: Progress, manner: Manner) -> Sequence[tuple[int, StepAhead]]:
    """What is left to do: -1 is the survey, -2 tables and boot records, else the index of a move."""
    back = manner.undo or at.phase.is_undoing
    steps = [(-1, StepAhead(_SURVEY, float(repair.moved_bytes)))] if manner.begins else []
    in_moves = at.phase in (Phase.MOVE, Phase.UNMOVE)
    before = at.move if in_moves else 0 if at.phase in (Phase.VEIL, Phase.UNTABLE) else len(repair.moves)
    order = range(min(before, len(repair.moves) - 1), -1, -1) if back else range(before, len(repair.moves))
    for index in order:
        move = repair.moves[index]
        left = move.length_bytes
        if in_moves and index == at.move:
            left = at.moved_bytes if back else move.length_bytes - at.moved_bytes
        name = f"move partition {move.number}{' back' if back else ''}"
        steps.append((index, StepAhead(name, float(max(left, 1) * _PASSES))))
    return [*steps, (-2, StepAhead(_TABLES, float(_COST_OF_TABLES_BYTES)))]
