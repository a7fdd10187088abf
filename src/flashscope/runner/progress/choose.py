"""Chooses the form of progress: a bar on a terminal, lines elsewhere, or nothing."""

from __future__ import annotations

from typing import TextIO

from flashscope.runner.progress.progress import Lines, Progress, Silent


def choose_progress(stream: TextIO, *, silent: bool) -> Progress:
    """The form of progress that fits: nothing, a bar on a terminal, lines elsewhere."""
    if silent:
        return Silent()
    if not stream.isatty():
        return Lines(stream)
    from flashscope.runner.progress.terminal import Bar  # importing rich is slow, and only a terminal needs it

    return Bar(stream)
