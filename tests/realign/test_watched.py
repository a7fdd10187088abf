"""What a person sees of a repair, and the rate that it keeps to."""

from __future__ import annotations

import pytest

from flashscope.errors import Interrupted
from flashscope.realign.progress import Phase, Progress
from flashscope.realign.repair import DiskIdentity, Move, Repair
from flashscope.realign.watched import Manner, Watched
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent

MIB = 1 << 20


class Clock:
    """A clock that only sleeping moves."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def watched(clock: Clock, interruption: Interruption, rate: float) -> Watched:
    repair = Repair(DiskIdentity("disk", 100 * MIB, 512), (Move(1, 32256, MIB, 10 * MIB),))
    manner = Manner(begins=True, rate_bytes_per_second=rate)
    return Watched(Silent(), interruption, repair, Progress(), manner, clock=clock, sleep=clock.sleep)


def test_no_more_is_moved_than_the_rate_allows() -> None:
    clock = Clock()
    shown = watched(clock, Interruption(), 2 * MIB)
    shown.surveyed(10 * MIB)
    shown.phase(Phase.MOVE, 0)
    for moved in range(1, 11):
        shown.check()
        shown.moved(moved * MIB, MIB)
    assert clock.now_s == pytest.approx(4.5, abs=0.1)  # nine chunks of ten had to be waited for


def test_a_stop_ends_the_waiting() -> None:
    clock, interruption = Clock(), Interruption()
    shown = watched(clock, interruption, 1.0)
    assert not shown.has_begun
    shown.phase(Phase.MOVE, 0)
    assert shown.has_begun
    shown.moved(MIB, MIB)
    interruption.request("Ctrl-C")
    with pytest.raises(Interrupted, match="Ctrl-C"):
        shown.check()
    assert clock.now_s == 0.0
