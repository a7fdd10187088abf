"""Chooses the form of progress: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from flashscope.runner.progress.progress import Lines, Progress, Silent, no_end


def choose_progress(stream: TextIO, *, silent: bool, most_s: Callable[[], float] = no_end) -> Progress:
    """The form of progress that fits: nothing, a bar on a terminal, lines elsewhere. most_s: see `Measured`."""
    if silent:
        return Silent()
    if not stream.isatty():
        return Lines(stream, most_s=most_s)
    from flashscope.runner.progress.terminal import Bar  # importing rich is slow, and only a terminal needs it

    return Bar(stream, most_s)
