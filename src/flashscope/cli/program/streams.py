"""Standard input, output and error as they may be: closed, on a full disk, a pipe that nobody reads any more.

    closed at the start     0, 1 and 2 are opened on /dev/null: no file of ours, a drive least of all, takes their place
    `| head -1`             nobody reads on: the rest goes nowhere, and the command ends with its own exit code
    full, or closed output  the command goes on to its end, then says so on standard error and ends with exit code 1
    standard error          when it cannot be written to, its messages are lost

A long measurement does not stop because nobody reads its output: what it recorded is in the store.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import Any, TextIO

OUTPUT_LOST_EXIT_CODE = 1


class _Outlet(io.RawIOBase):
    """A file descriptor that takes everything: after the first failure, which is kept, it drops what is written."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data: Any) -> int:
        if self.failure is None:
            try:
                return os.write(self._descriptor, data)
            except OSError as failure:
                self.failure = failure
        return len(data)


class Streams:
    """The streams of this process, made safe to write to; `end` says what became of them."""

    def __init__(self) -> None:
        _open_closed_descriptors()
        self._out, self._error = _Outlet(1), _Outlet(2)
        self._before = (sys.stdout, sys.stderr)
        sys.stdout = _text_over(self._out, self._before[0], by_line=self._out.isatty())
        sys.stderr = _text_over(self._error, self._before[1], by_line=True)
        if sys.stdin is None:
            sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)), encoding="utf-8")

    def end(self, exit_code: int) -> int:
        """Write out what is left and give the streams back; the exit code, 1 in place of 0 when output was lost."""
        sys.stdout.flush()
        failure = self._out.failure
        lost = failure is not None and failure.errno != errno.EPIPE
        if failure is not None and lost:
            sys.stderr.write(
                f"flashscope: error: standard output cannot be written to: {failure.strerror}\n"
                "  to do:    send it to a place that can be written; all records are in the store (flashscope list)\n"
            )
        sys.stderr.flush()
        sys.stdout, sys.stderr = self._before
        return exit_code or (OUTPUT_LOST_EXIT_CODE if lost else 0)


def take_over() -> Streams | None:
    """The streams of this process; None when somebody has put other ones in their place, as tests do."""
    ours = sys.stdout is sys.__stdout__ and sys.stderr is sys.__stderr__
    return Streams() if ours else None


def _open_closed_descriptors() -> None:
    # Writing to an output that is open only for reading fails like writing to a closed one.
    for descriptor, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            opened = os.open(os.devnull, mode)
            if opened != descriptor:
                os.dup2(opened, descriptor)
                os.close(opened)
            os.set_inheritable(descriptor, True)  # programs that are started have the same three


def _text_over(outlet: _Outlet, before: TextIO | None, *, by_line: bool) -> TextIO:
    # A name of a file may hold bytes that are no text: \udc80 in words as in JSON, in place of an exception.
    return io.TextIOWrapper(
        io.BufferedWriter(outlet),
        encoding="utf-8" if before is None else before.encoding,
        errors="backslashreplace",
        line_buffering=by_line,
    )
