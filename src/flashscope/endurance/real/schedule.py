"""The next action: a write, a checkpoint, or the end of the budget. It follows from settings and state alone.

fill in order -> checkpoint -> [ workload until the next checkpoint is due, then the next workload ] ... -> budget
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flashscope.endurance.real import figures, job_traffic
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.run_state import Intent, RunState
from flashscope.endurance.real.settings import JOBS, WearSettings
from flashscope.endurance.real.traffic import PATTERNS, Requests, batch_blocks, fill_requests, write_requests
from flashscope.workloads.job import Job


class Schedule:
    """The plan of one run.

    intent_of: makes an intent of requests (`Writer.intent_of`). now_ns: the run's time at work [ns].
    jobs: of the user's job file, placed on the drive; empty when there is none.
    """

    def __init__(
        self,
        settings: WearSettings,
        layout: Layout,
        state: RunState,
        intent_of: Callable[[str, Requests], Intent],
        now_ns: Callable[[], int],
    ) -> None:
        self._settings, self._layout, self._state = settings, layout, state
        self._intent_of, self._now_ns = intent_of, now_ns
        self.jobs: list[Job] = job_traffic.jobs_of(settings, layout) if JOBS in settings.workloads else []

    @property
    def workload(self) -> str:
        """The workload until the next checkpoint."""
        return self._settings.workloads[self._state.checkpoints % len(self._settings.workloads)]

    @property
    def writing_budget_bytes(self) -> int:
        """How much may be written before the figures of the last checkpoint [bytes]."""
        kept = figures.most_written_bytes(self._layout) if self._settings.figures else 0
        return self._settings.budget_bytes - kept

    def checkpoint_due(self, written_bytes: int) -> bool:
        """Whether a checkpoint is due after so many bytes were written."""
        state, settings = self._state, self._settings
        if not state.filled:
            return False
        by_bytes = settings.checkpoint_bytes and written_bytes - state.checkpoint_bytes >= settings.checkpoint_bytes
        by_time = settings.checkpoint_ns and self._now_ns() - state.checkpoint_ns >= settings.checkpoint_ns
        return bool(by_bytes or by_time)

    def next_intent(self, after: Intent | None = None) -> Intent | None:
        """The next write, None when the budget leaves no room for one. after: counted as done already."""
        state, layout = self._state, self._layout
        written = state.may_be_written_bytes + (after.most_bytes if after else 0)
        number = state.batches + (1 if after else 0)
        cursor = after.cursor if after else state.cursor
        room_bytes = self.writing_budget_bytes - written
        room_blocks = room_bytes // layout.block_bytes
        if room_blocks <= 0:
            return None
        if not state.filled:
            return self._fill(cursor, room_blocks)
        if self.workload == JOBS:
            return self._jobs(cursor, room_bytes)
        pattern = next(one for one in PATTERNS if one == self.workload)
        blocks = min(batch_blocks(layout), room_blocks)
        made = write_requests(pattern, layout, seed=self._settings.seed, number=number, cursor=cursor, blocks=blocks)
        return self._intent_of("write", within(made, room_blocks))

    def _fill(self, cursor: int, room_blocks: int) -> Intent | None:
        if cursor >= self._layout.blocks:
            return None
        made = fill_requests(self._layout, cursor)
        count = min(int(made.counts[0]), room_blocks)
        return self._intent_of("fill", Requests(made.firsts, np.array([count]), cursor + count))

    def _jobs(self, cursor: int, room_bytes: int) -> Intent | None:
        most = job_traffic.most_written_bytes(self.jobs)
        if most > room_bytes:
            return None
        firsts, counts = job_traffic.touched(self.jobs, self._layout)
        return Intent(JOBS, most, cursor, firsts, counts, np.zeros(0, dtype=np.uint32))


def within(requests: Requests, blocks: int) -> Requests:
    """The first requests with at most so many blocks together; the last one is shortened."""
    ends = np.cumsum(requests.counts)
    if ends[-1] <= blocks:
        return requests
    last = int(np.searchsorted(ends, blocks))
    counts = requests.counts[: last + 1].copy()
    counts[last] -= int(ends[last]) - blocks
    kept = counts > 0
    return Requests(requests.firsts[: last + 1][kept], counts[kept], requests.cursor)
