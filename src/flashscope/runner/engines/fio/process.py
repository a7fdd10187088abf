"""Starts, watches and ends one fio. No other code starts fio.

fio ends when this process ends, even by a kill (drives/system/bound_child.py). It inherits the drive's descriptor, so
the drive stays held until fio has ended. It uses threads instead of processes, so that none of them outlives it and
the kernel counts what it has moved in one place (/proc/PID/io).
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from flashscope.drives.held.held import Held
from flashscope.drives.system.bound_child import run_bound, start_bound
from flashscope.errors import DriveFailed, WrongUse

_GLANCE_S = 0.1
_PATIENCE_S = 10.0  # for fio to write its last words after it was asked to stop
_ASKED_AGAIN_S = 0.5
_LAST_LINES = 6
_NUMBER = re.compile(r"\d+")
_log = logging.getLogger("flashscope.runner")


def find_fio() -> str:
    """Path of the fio program. Raises WrongUse when there is none."""
    found = shutil.which("fio")
    if found is None:
        raise WrongUse(
            "fio is not installed, and only fio loads real drives",
            accepted="fio 3.16 or newer on the PATH",
            advice="install the package `fio`, or examine a virtual drive such as sim:onyx-32",
        )
    return found


def fio_version() -> str:
    """Version of the fio that would be used, such as "fio-3.33".

    Raises WrongUse when fio is missing or does not answer as fio does.
    """
    return _version_of(find_fio())


@cache
def _version_of(fio: str) -> str:
    try:
        done = subprocess.run([fio, "--version"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WrongUse(f"{fio} cannot be run: {error}", advice="install the package `fio` again") from None
    version = done.stdout.strip()
    if done.returncode != 0 or not version.startswith("fio-"):
        raise WrongUse(
            f"{fio} --version {_how_it_ended(done.returncode)} and said {version[:80]!r}",
            accepted='a version such as "fio-3.33"',
            advice="make sure that `fio` on the PATH is the flexible I/O tester, and that a limit of memory "
            "(ulimit -v) leaves it room",
        )
    return version


def has_engine(name: str) -> bool:
    """True when the fio that would be used has this I/O engine."""
    return _has_engine(find_fio(), name)


@cache
def _has_engine(fio: str, name: str) -> bool:
    done = subprocess.run([fio, f"--enghelp={name}"], capture_output=True, text=True, timeout=30, check=False)
    return done.returncode == 0 and "not found" not in (done.stdout + done.stderr)


def try_jobs(job_file: Path, target: Held) -> None:
    """Let fio read a job file without running it. Raises WrongUse when fio refuses it or fails.

    target: what the jobs in it work on.
    """
    command = [find_fio(), "--parse-only", str(job_file)]
    code, said = run_bound(command, patience_s=60, handles=[target.handle], folder=job_file.parent)
    if code != 0:
        raise WrongUse(
            f"fio does not accept these jobs: it ended with code {code}{_last_words(said)}",
            accepted=f"jobs that {fio_version()} can run",
            advice="nothing was written; change the option fio names, or install another fio",
        )


def run_fio(job_file: Path, output: Path, target: Held, on_glance: Callable[[int], None]) -> None:
    """Run a job file to its end; fio's JSON is then in `output`.

    target: what the jobs in it work on. on_glance: called about ten times a second with the bytes moved so far. What it
    raises stops fio and is raised again. Raises DriveFailed when fio fails, with fio's last message.
    """
    command = [find_fio(), "--output-format=json+", f"--output={output}", "--eta=never", str(job_file)]
    errors = job_file.with_suffix(".errors")
    began_s = time.monotonic()
    with errors.open("wb") as error_stream:
        process = start_bound(
            command,
            handles=[target.handle],
            stdout=error_stream,
            stderr=subprocess.STDOUT,
            folder=job_file.parent,
        )
    try:
        while process.poll() is None:
            on_glance(_moved_bytes(process.pid))
            try:
                process.wait(_GLANCE_S)
            except subprocess.TimeoutExpired:
                continue
    finally:
        _end(process)
        _log.debug("fio: %s after %.3f s", _how_it_ended(process.returncode), time.monotonic() - began_s)
    if process.returncode != 0:
        raise _failure(process.returncode, errors.read_text(errors="replace"), output)


def _moved_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    except OSError:
        return 0  # it has just ended
    counts = dict(line.split(": ", 1) for line in lines if ": " in line)
    return int(counts.get("read_bytes", 0)) + int(counts.get("write_bytes", 0))


def _end(process: subprocess.Popen[bytes]) -> None:
    """Make sure that nothing of this fio is left.

    It is asked again and again: where SIGINT is ignored, as in the background of a shell, fio does not hear what comes
    before it has set its own handler.
    """
    for how in (signal.SIGINT, signal.SIGKILL):
        give_up_s = time.monotonic() + _PATIENCE_S
        while process.poll() is None and time.monotonic() < give_up_s:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, how)
            with suppress(subprocess.TimeoutExpired):
                process.wait(_ASKED_AGAIN_S)


def _failure(code: int, said: str, output: Path) -> DriveFailed:
    if output.exists():
        own = [line for line in output.read_text(errors="replace").splitlines() if "fio:" in line]
        said = "\n".join([*own, said])
    return DriveFailed(
        f"fio {_how_it_ended(code)}{_last_words(said)}",
        advice="check whether the drive is still there and has free space; the record keeps what was measured before",
    )


def _how_it_ended(code: int) -> str:
    return f"was ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"


def _last_words(said: str) -> str:
    """The last lines; of lines that differ in their numbers alone (one for each request under way) the first."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    distinct = {_NUMBER.sub("0", line): line for line in reversed(lines)}
    words = list(reversed(distinct.values()))[-_LAST_LINES:]
    return ": " + " | ".join(words) if words else " and said nothing"
