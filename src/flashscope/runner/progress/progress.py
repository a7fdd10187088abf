"""Shows the progress of a run, on standard error.

    on a terminal        one moving bar with the step, the amount and the time left (`progress/terminal.py`)
    in a log file        a line every ten seconds, and one for each step that was not done
    --json or --quiet    nothing

The runner calls the methods below in this order: run_begins, (step_begins, advanced ..., step_ends) ..., run_ends.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TextIO

from flashscope import units
from flashscope.runner.progress.remaining import RemainingTime, say_remaining

LINE_INTERVAL_S = 10.0
"""At most one line during a step in this time [s]."""


def say_steps(count: int) -> str:
    """ "1 step", "17 steps"."""
    return "1 step" if count == 1 else f"{count} steps"


@dataclass(frozen=True)
class StepAhead:
    """A step as progress sees it. cost_s: its expected share of the whole (`cost.py`).

    in_seconds: the cost is the time that it is expected to take here.
    """

    name: str
    cost_s: float
    in_seconds: bool = False


class Progress(Protocol):
    """The events that the runner reports. Every method returns at once."""

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """A run with these steps begins."""

    def step_begins(self, index: int) -> None:
        """Step `index` (from 0) begins."""

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """share_ratio (0..1) of the step is over; bytes moved, and time of the drive's clock [ns], since it began."""

    def step_ends(self, status: str, note: str) -> None:
        """The step ended with that status; note gives the reason when it was not done."""

    def run_ends(self, status: str) -> None:
        """The run ended with that status."""


class Silent:
    """Progress for --json and --quiet: shows nothing."""

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """Nothing."""

    def step_begins(self, index: int) -> None:
        """Nothing."""

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Nothing."""

    def step_ends(self, status: str, note: str) -> None:
        """Nothing."""

    def run_ends(self, status: str) -> None:
        """Nothing."""


def no_end() -> float:
    """For a run that no time ends."""
    return math.inf


class Measured:
    """What both visible forms compute: work done over all steps, time left, and its text.

    most_s: the time after which the run is ended in any case [s]; no more is shown as left.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, most_s: Callable[[], float] = no_end) -> None:
        self._clock, self._most_s = clock, most_s
        self._steps: Sequence[StepAhead] = ()
        self._index = 0
        self._moved = ""
        self._title = ""

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """Start the clock."""
        self._title, self._steps, self._index = title, steps, 0
        in_seconds = bool(steps) and all(step.in_seconds for step in steps)
        self._remaining = RemainingTime(sum(step.cost_s for step in steps), self._clock(), in_seconds=in_seconds)
        self._remaining_s: float | None = None

    def step_begins(self, index: int) -> None:
        """Note the current step."""
        self._index, self._moved = index, ""

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Measure the speed."""
        remaining_s = self._remaining.update(self._done_cost_s(share_ratio), self._clock())
        self._remaining_s = None if remaining_s is None else min(remaining_s, self._most_s())
        rate = f" at {units.format_rate(bytes_done * 1e9 / elapsed_ns)}" if elapsed_ns else ""
        self._moved = f"{units.format_bytes(bytes_done)}{rate}" if bytes_done else ""

    def _done_cost_s(self, share_ratio: float) -> float:
        before_s = sum(step.cost_s for step in self._steps[: self._index])
        return before_s + share_ratio * self._steps[self._index].cost_s

    @property
    def _place(self) -> str:
        return f"[{self._index + 1}/{len(self._steps)}] {self._steps[self._index].name}"

    @property
    def _left(self) -> str:
        return say_remaining(self._remaining_s)


class Lines(Measured):
    """Progress as plain lines, for a log file or a pipe. stream: where they go; clock: seconds, monotonic.

    most_s: see `Measured`.
    """

    def __init__(
        self, stream: TextIO, clock: Callable[[], float] = time.monotonic, most_s: Callable[[], float] = no_end
    ) -> None:
        super().__init__(clock, most_s)
        self._stream = stream
        self._said_s = self._began_s = 0.0

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """Say the title."""
        super().run_begins(title, steps)
        self._began_s = self._clock()
        self._say(f"{title}: {say_steps(len(steps))}" if len(steps) > 1 else title)

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Say how far it is, when the last line is old enough."""
        super().advanced(share_ratio, bytes_done, elapsed_ns)
        if self._clock() - self._said_s >= LINE_INTERVAL_S:
            self._say(f"  {self._place}: {units.format_percent(share_ratio)}{self._after_comma}, {self._left}")

    def step_ends(self, status: str, note: str) -> None:
        """Say how the step ended, when it was not done."""
        if status != "done":
            self._say(f"  {self._place}: {status}{self._after_comma}{f' ({note})' if note else ''}")

    def run_ends(self, status: str) -> None:
        """Say how the run ended."""
        took = units.format_time((self._clock() - self._began_s) * 1e9)
        self._say(f"{self._title}: {status} {'in' if status == 'done' else 'after'} {took}")

    @property
    def _after_comma(self) -> str:
        return f", {self._moved}" if self._moved else ""

    def _say(self, line: str) -> None:
        self._said_s = self._clock()
        self._stream.write(line + "\n")
        self._stream.flush()
