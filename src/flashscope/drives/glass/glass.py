"""A glass drive: looks inside a virtual drive at equal intervals of virtual time while a step runs.

    requests   |....|....|....|....|....|....|     handed over in slices; the recorder chooses their length
    looks      o    o    o    o    o    o    o     at equal intervals of virtual time
                    x         x         x          too many: every second one is dropped, the interval doubles

A slice ends after a number of requests that depends on the drive's own clock alone, never on a real clock. So the
same seed gives the same looks, and they change nothing in the result. The number of looks is limited by the work that
the drive has done: a very short step is not looked at a hundred times.
Not modelled here: drives without erase blocks.
"""

from __future__ import annotations

from typing import Protocol

from flashscope.drives.glass.sample import Lens, Opened, Sample
from flashscope.drives.glass.table import make_glass
from flashscope.drives.virtual.shifted import SeenInVirtualTime
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.records import Glass
from flashscope.vocabulary import REQUEST_KIND_NAMES

ROWS_MAX = 120
ROWS_AT_LEAST = 4
"""A step with fewer looks shows no change over time, and keeps none of them."""
LOOKS_TO_BEGIN = 32
"""A step is watched only when at least this many looks are left: better some steps in detail than all coarsely."""

_FIRST_INTERVAL_NS = 100_000
# The first moments of a step say little about its length: the estimate is at most so many times the time passed.
_FORESIGHT = 32
_CHECKS_PER_INTERVAL = 8
# A look takes the time of about 1000 requests of one unit, and of one more for every 16 blocks. Looks may take 1/25 of
# the work, not counting the first looks (measured; see docs/reference/glass-drive.md).
_LOOK_REQUESTS, _BLOCKS_PER_REQUEST = 1000, 16
_WORK_PER_LOOK_WORK, _FREE_LOOKS = 25, 100
# Other work, in requests: many units of one request, units moved by collection.
_UNITS_PER_REQUEST, _MOVED_UNITS_PER_REQUEST = 10, 3


class SlicedRun(Protocol):
    """Jobs under way, advanced in slices (`drives/virtual/simulated.py`)."""

    def progress(self) -> dict[str, int]:
        """The progress so far: requests, bytes_done, elapsed_ns."""

    def advance(self, budget_requests: int) -> bool:
        """Continue for at most that many requests; True when all jobs are done."""


class GlassRecorder:
    """Records the inside of one drive, step by step: `begin`, then `advance` or `idle`, then `end`."""

    def __init__(self, drive: SimulatedDrive) -> None:
        unit_bytes = int(drive.resolved_part()["mapping"]["unit_bytes"])
        self._core: Opened = drive.core
        self._idle = drive.idle
        self._lens = Lens(drive.core, drive.part.geometry.data_block_bytes // unit_bytes)
        self._unit_bytes = unit_bytes
        self._look_work = _LOOK_REQUESTS + self._lens.block_count // _BLOCKS_PER_REQUEST
        self._first_work = self._work_done()
        self._looks = 0
        self._kept: list[Sample] = []
        self._interval_ns = _FIRST_INTERVAL_NS
        self._next_ns = self._checked_ns = 0
        self._bytes_ahead, self._rows_max = 0, ROWS_MAX
        self._limit_ns: int | None = None
        self._slice_requests = self._slice_left = 1

    def begin(self, bytes_ahead: int = 0, limit_ns: int | None = None) -> None:
        """A step begins: the first look.

        bytes_ahead: the most that the step will transfer [bytes], 0 when unknown. limit_ns: its longest time, None for
        no limit. They only help to choose the interval between looks.
        """
        self._bytes_ahead, self._limit_ns = bytes_ahead, limit_ns
        self._kept = []
        looks_left = self._looks_left()
        if looks_left < LOOKS_TO_BEGIN:
            return
        # The rest is for looks that are dropped later, and for the next step.
        self._rows_max = min(ROWS_MAX, looks_left * 2 // 3)
        self._look()
        self._lens.forget_decisions()
        self._interval_ns = _FIRST_INTERVAL_NS
        self._checked_ns = self._core.now_ns
        self._next_ns = self._checked_ns + self._interval_ns
        self._slice_requests = self._slice_left = 1

    def advance(self, run: SlicedRun, budget_requests: int) -> bool:
        """Continue for at most budget_requests requests and look inside when due; True when all jobs are done."""
        if not self._kept:
            return run.advance(budget_requests)
        while budget_requests > 0:
            requests = min(budget_requests, self._slice_left)
            if run.advance(requests):
                return True
            budget_requests -= requests
            self._slice_left -= requests
            if self._slice_left == 0:
                self._check(run)
        return False

    def idle(self, duration_ns: int) -> None:
        """Let virtual time pass, and look inside at equal intervals."""
        pieces = min(ROWS_MAX // 2, self._rows_max // 2) if self._kept else 1
        for piece in range(pieces):
            self._idle(duration_ns * (piece + 1) // pieces - duration_ns * piece // pieces)
            if piece + 1 < pieces:
                self._look()

    def end(self) -> Glass | None:
        """The step is over or was interrupted: take the last look and return all looks; None when there are too few."""
        if not self._kept:
            return None
        if self._kept[-1].at_ns < self._core.now_ns:
            self._look()
        if len(self._kept) < ROWS_AT_LEAST:
            return None
        return make_glass(self._kept, self._lens)

    def _check(self, run: SlicedRun) -> None:
        """A slice is over: look when it is time, and choose the next slice."""
        now_ns = self._core.now_ns
        passed_ns, self._checked_ns = now_ns - self._checked_ns, now_ns
        part_ns = self._interval_ns // _CHECKS_PER_INTERVAL
        if now_ns + part_ns // 2 >= self._next_ns:
            if len(self._kept) >= self._rows_max or self._expected_ns(run) > self._rows_max * self._interval_ns:
                self._coarsen(now_ns)
            else:
                self._look()
                self._plan_look(now_ns)
        # The next slice should take an eighth of the interval. It grows slowly, because drives slow down suddenly.
        wanted = self._slice_requests * 4
        if passed_ns > 0:
            wanted = min(wanted, self._slice_requests * (self._interval_ns // _CHECKS_PER_INTERVAL) // passed_ns)
        self._slice_requests = self._slice_left = max(1, wanted)

    def _expected_ns(self, run: SlicedRun) -> int:
        """How long the step will take at its rate so far; 0 when unknown."""
        progress = run.progress()
        passed_ns = progress["elapsed_ns"]
        expected_ns = min(_FORESIGHT * passed_ns, passed_ns * self._bytes_ahead // max(1, progress["bytes_done"]))
        return expected_ns if self._limit_ns is None else min(expected_ns, self._limit_ns)

    def _coarsen(self, now_ns: int) -> None:
        """Double the interval; for each point of the new grid, keep the nearest look."""
        self._interval_ns *= 2
        nearest: dict[int, Sample] = {}
        for sample in self._kept:
            off_ns = self._off_grid_ns(sample.at_ns)
            point = sample.at_ns - off_ns
            if point not in nearest or abs(off_ns) < abs(self._off_grid_ns(nearest[point].at_ns)):
                nearest[point] = sample
        self._kept = list(nearest.values())
        self._plan_look(now_ns)

    def _plan_look(self, now_ns: int) -> None:
        """The next look: at the first point of the grid that is at least half an interval away."""
        self._next_ns = now_ns - self._off_grid_ns(now_ns) + self._interval_ns

    def _off_grid_ns(self, at_ns: int) -> int:
        """Distance of a time from the nearest grid point, negative before it. The first look is on the grid."""
        half_ns = self._interval_ns // 2
        return (at_ns - self._kept[0].at_ns + half_ns) % self._interval_ns - half_ns

    def _look(self) -> None:
        self._kept.append(self._lens.look())
        self._looks += 1

    def _looks_left(self) -> int:
        work = (self._work_done() - self._first_work) // _WORK_PER_LOOK_WORK
        return _FREE_LOOKS + work // self._look_work - self._looks

    def _work_done(self) -> int:
        """The drive's work so far, roughly in requests of one unit."""
        counters = self._core.counters()
        requests = sum(counters[f"host_{kind}_requests"] for kind in REQUEST_KIND_NAMES)
        units = (counters["host_read_bytes"] + counters["host_written_bytes"]) // self._unit_bytes
        moved = counters["gc_moved_units"] // _MOVED_UNITS_PER_REQUEST
        return requests + units // _UNITS_PER_REQUEST + moved


def open_glass(drive: object) -> GlassRecorder:
    """A recorder for this drive. Raises WrongUse for a drive that cannot be looked into, as every real drive."""
    if isinstance(drive, SeenInVirtualTime):  # of a partition, the recorder shows the drive below
        drive = drive.below
    if isinstance(drive, SimulatedDrive) and drive.part.kind == "ssd":
        return GlassRecorder(drive)
    raise no_glass(getattr(getattr(drive, "facts", None), "address", "this drive"))


def no_glass(address: str) -> WrongUse:
    """The message for a drive that cannot be looked into."""
    return WrongUse(
        f"--glass looks inside a drive, and {address} is closed: only its answers and its SMART can be seen",
        accepted="a virtual drive made of flash, such as sim:onyx-32",
        advice="leave --glass out, or run the same on a virtual drive that resembles this one",
    )
