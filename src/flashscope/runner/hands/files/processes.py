"""Programs as processes: started, let begin together, watched, and ended when this process ends.

    start all --each says "ready"--> close one pipe: all begin --watch--> all ended --> their results

The start-up time of a process is not measured. Ctrl-C reaches only this process (drives/system/bound_child.py).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from flashscope.drives.held.held import Held
from flashscope.drives.system.bound_child import start_bound
from flashscope.errors import DriveFailed, Interrupted
from flashscope.runner.hands.files.meter import COUNTER
from flashscope.workloads.file_work import Place

_GLANCE_S = 0.05
_PATIENCE_S = 30.0  # for a call that waits for a slow drive to return
_MODULE = "flashscope.runner.hands.files.program"


class Ended:
    """How a set of programs ended.

    began_ns: when they began, on the monotonic clock. results: one per program, None when it left none.
    stopped: why a person ended them early, empty when nobody did. words: last messages of those without a result.
    """

    def __init__(self, began_ns: int, results: list[dict[str, Any] | None], stopped: str, words: str) -> None:
        self.began_ns, self.results, self.stopped, self.words = began_ns, results, stopped, words


def run_together(
    plans: list[list[dict[str, Any]]],
    folders: Mapping[Place, Held],
    interval_ns: int,
    folder: Path,
    on_progress: Callable[[int, int], None],
) -> Ended:
    """Run one process per plan, all at once, and wait for the last.

    folders: where files on the drive and in memory lie; the processes inherit them. folder: for plans, counters and
    results.

    on_progress: called with (bytes moved, elapsed ns); when it raises Interrupted the programs are ended and what they
    measured is kept; any other exception ends them and is raised again.
    Raises DriveFailed when a process does not start.
    """
    read_end, write_end = os.pipe()
    processes: list[subprocess.Popen[bytes]] = []
    open_pipe: int | None = write_end
    stopped = ""
    try:
        for index, operations in enumerate(plans):
            processes.append(_start(index, operations, folders, interval_ns, folder, read_end))
        for index, process in enumerate(processes):
            _wait_until_ready(index, process, folder)
        began_ns = time.monotonic_ns()
        os.close(write_end)
        open_pipe = None
        try:
            _watch(processes, folder, began_ns, on_progress)
        except Interrupted as stop:
            stopped = stop.what
            _ask_to_end(processes)
    finally:
        for handle in (read_end, open_pipe):
            if handle is not None:
                os.close(handle)
        _end(processes)
    results = [_result(folder, index) for index in range(len(plans))]
    words = "; ".join(_last_words(folder, index) for index, result in enumerate(results) if result is None)
    return Ended(began_ns, results, stopped, words)


def _start(
    index: int,
    operations: list[dict[str, Any]],
    folders: Mapping[Place, Held],
    interval_ns: int,
    folder: Path,
    start: int,
) -> subprocess.Popen[bytes]:
    counter = folder / f"counter-{index}"
    counter.write_bytes(bytes(COUNTER.size))
    plan = folder / f"plan-{index}.json"
    handles = {place: held.handle for place, held in folders.items()}
    kept = {"operations": operations, "folders": handles, "interval_ns": interval_ns, "counter": str(counter)}
    plan.write_text(json.dumps({**kept, "result": str(folder / f"result-{index}.json")}))
    with (folder / f"errors-{index}").open("wb") as errors:
        return start_bound(
            [sys.executable, "-m", _MODULE, str(plan)],
            handles=tuple(handles.values()),
            stdin=start,
            stdout=subprocess.PIPE,
            stderr=errors,
            environment={"PYTHONPATH": os.pathsep.join(each for each in sys.path if each)},
        )


def _wait_until_ready(index: int, process: subprocess.Popen[bytes], folder: Path) -> None:
    said = process.stdout.readline() if process.stdout is not None else b""
    if said != b"ready\n":
        process.wait(_PATIENCE_S)
        raise DriveFailed(
            f"a program of this step could not begin: {_last_words(folder, index)}",
            advice="check whether the machine has free memory",
        )


def _watch(
    processes: list[subprocess.Popen[bytes]], folder: Path, began_ns: int, on_progress: Callable[[int, int], None]
) -> None:
    counters = [folder / f"counter-{index}" for index in range(len(processes))]
    while any(process.poll() is None for process in processes):
        moved_bytes = sum(COUNTER.unpack(counter.read_bytes())[0] for counter in counters)
        on_progress(moved_bytes, time.monotonic_ns() - began_ns)
        running = next((process for process in processes if process.poll() is None), None)
        if running is not None:
            try:
                running.wait(_GLANCE_S)
            except subprocess.TimeoutExpired:
                continue


def _ask_to_end(processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            continue


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """Make sure that nothing of them is left."""
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _result(folder: Path, index: int) -> dict[str, Any] | None:
    try:
        found = json.loads((folder / f"result-{index}.json").read_text())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _last_words(folder: Path, index: int) -> str:
    lines = (folder / f"errors-{index}").read_text(errors="replace").strip().splitlines()
    return lines[-1] if lines else "it said nothing"
