"""Progress on a terminal: one bar that moves, with the step, the amount and the time left.

smart-inference  [3/7] random writes   ━━━━━━━━━━━━╸━━━━━━━   61 %   1.2 GB at 9 MB/s   4 s left
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as RichProgress
from rich.table import Column

from flashscope.runner.progress.progress import Measured, StepAhead, no_end


class Bar(Measured):
    """Progress as a moving bar. stream: a terminal. most_s: see `Measured`."""

    def __init__(self, stream: TextIO, most_s: Callable[[], float] = no_end) -> None:
        super().__init__(most_s=most_s)
        self._console = Console(file=stream)
        self._bar: RichProgress | None = None

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        """Draw an empty bar."""
        super().run_begins(title, steps)
        self._bar = RichProgress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:3.0f} % {task.fields[left]}", markup=False),
            # The least important is last, where a narrow terminal cuts it off.
            TextColumn(
                "{task.fields[now]}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
            ),
            console=self._console,
            transient=True,
            expand=True,
            refresh_per_second=8,
        )
        total = sum(step.cost_s for step in steps)
        self._task = self._bar.add_task(title, total=total, now="", left="estimating")
        self._bar.start()

    def step_begins(self, index: int) -> None:
        """Name the step."""
        super().step_begins(index)
        self._draw(0.0)

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        """Move the bar."""
        super().advanced(share_ratio, bytes_done, elapsed_ns)
        self._draw(share_ratio)

    def step_ends(self, status: str, note: str) -> None:
        """Say what did not go as planned; a step that is done needs no line."""
        if self._bar is None:
            return
        if status == "done":
            self._draw(1.0)
        else:
            self._console.print(f"{self._place}: {status}{f' ({note})' if note else ''}", markup=False, highlight=False)

    def run_ends(self, status: str) -> None:
        """Take the bar away and leave one line."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        self._console.print(f"{self._title}: {status}", markup=False, highlight=False)

    def _draw(self, share_ratio: float) -> None:
        if self._bar is not None:
            self._bar.update(
                self._task,
                completed=self._done_cost_s(share_ratio),
                now=f" {self._place} {self._moved}",
                left=self._left,
            )
