"""The progress of several runs one after another, as one: a real drive takes one experiment at a time.

shown       [3/28] write-buffer      one bar, one time left, over all 28
each run    its own steps            counted by their cost within the share of their run
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.runner.progress.progress import Progress, StepAhead

_LEAST_COST_S = 1e-3


class Whole:
    """A `Progress` for each run in turn, shown on another one as one step each.

    shown: what a person sees. ahead: the runs with their costs, in order.
    """

    def __init__(self, shown: Progress, title: str, ahead: Sequence[StepAhead]) -> None:
        self._shown = shown
        self._run = -1
        self._costs_s: list[float] = []
        self._names: list[str] = []
        self._step = 0
        shown.run_begins(title, ahead)

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """The next run begins."""
        self._run += 1
        self._costs_s = [max(step.cost_s, _LEAST_COST_S) for step in steps]
        self._names = [step.name for step in steps]
        self._shown.step_begins(self._run)

    def step_begins(self, index: int) -> None:
        """Note where the run is."""
        self._step = index

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Show how much of the run is over."""
        done_s = sum(self._costs_s[: self._step]) + share_ratio * self._costs_s[self._step]
        self._shown.advanced(done_s / sum(self._costs_s), bytes_done, elapsed_ns)

    def step_ends(self, status: str, note: str) -> None:
        """Say which step was not done."""
        if status != "done":
            step = self._names[self._step]
            self._shown.step_ends(status, f"{step}: {note}" if note else step)

    def run_ends(self, status: str) -> None:
        """A run is over; what was not done has been said."""
        if status == "done":
            self._shown.step_ends(status, "")

    def ends(self, status: str) -> None:
        """All runs are over, or the rest is not begun any more."""
        self._shown.run_ends(status)
