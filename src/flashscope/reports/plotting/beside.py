"""Charts drawn beside other work: by processes of their own, from the moment when it is known what they show.

    with drawing_beside(1):
        ask(spec) ... experiments go on ...        the painter draws
        svg = drawn(spec)                          what is drawn already; else it is waited for

The renderer takes half a second to start and 15 to 50 ms for a chart, and holds Python's lock meanwhile, so that a
thread would stop the experiments. A process that fails to start or to draw costs nothing but its time: `drawn` is None
then, and whoever asked draws the chart as if there were no other process. The same specification gives the same text.
"""

from __future__ import annotations

import contextlib
import json
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from flashscope.reports.plotting.renderer import why_no_pictures
from flashscope.reports.plotting.theme import Spec

_PAINTER = Path(__file__).with_name("painter.py")


class _Painters:
    """Processes that draw, each started by the thread that feeds it when there is something to draw."""

    def __init__(self, count: int) -> None:
        self._threads = ThreadPoolExecutor(count, "painter")
        self._own = threading.local()
        self._started: list[subprocess.Popen[bytes]] = []
        self._asked: dict[str, Future[str | None]] = {}
        self._lock = threading.Lock()

    def ask(self, spec: Spec, options: Mapping[str, Any]) -> Future[str | None]:
        """The drawing of a specification, which is begun now unless it was asked for before."""
        key = json.dumps((spec, options))
        with self._lock:
            if key not in self._asked:
                self._asked[key] = self._threads.submit(self._draw, spec, options)
            return self._asked[key]

    def close(self) -> None:
        """End all processes; what is not drawn yet is left out."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            process.kill()
        self._threads.shutdown(wait=True)
        for process in self._started:
            with contextlib.suppress(BrokenPipeError), process:  # closes the pipes and waits
                pass

    def _draw(self, spec: Spec, options: Mapping[str, Any]) -> str | None:
        try:
            process = self._process()
            assert process.stdin is not None
            assert process.stdout is not None
            pickle.dump((spec, options), process.stdin)
            process.stdin.flush()
            svg = pickle.load(process.stdout)  # of our own child
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return svg if isinstance(svg, str) else None

    def _process(self) -> subprocess.Popen[bytes]:
        process: subprocess.Popen[bytes] | None = getattr(self._own, "process", None)
        if process is None:
            pipe = subprocess.PIPE
            command = [sys.executable, "-P", str(_PAINTER)]
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            self._own.process = process
            self._started.append(process)
        return process


_painters: _Painters | None = None


@contextlib.contextmanager
def drawing_beside(count: int) -> Iterator[None]:
    """Inside the block charts are drawn by `count` other processes. Within such a block another one changes nothing.

    Where no charts can be drawn, nothing is started.
    """
    global _painters
    if _painters is not None or count == 0 or why_no_pictures():
        yield
        return
    _painters = _Painters(count)
    try:
        yield
    finally:
        painters, _painters = _painters, None
        painters.close()


def is_drawing() -> bool:
    """Whether this is inside of `drawing_beside`, so that asking has a sense."""
    return _painters is not None


def ask(spec: Spec, options: Mapping[str, Any]) -> None:
    """Begin a drawing that will be needed. Outside of `drawing_beside` nothing happens."""
    if _painters is not None:
        _painters.ask(spec, options)


def drawn(spec: Spec, options: Mapping[str, Any]) -> str | None:
    """The SVG text of a specification; None when nobody draws beside this process, or the drawing failed."""
    return None if _painters is None else _painters.ask(spec, options).result()
