"""Programs that can write, started so that they end with us: the only place that starts them.

    flashscope --starts--> bound_launcher.py --becomes--> fio, mkfs, a program of a step ...
               kill -9: the kernel kills it at the same moment, before it writes another byte

The launcher sets the death signal and then checks that its parent is still alive, so there is no gap. The program
replaces the launcher. Each child has a session of its own (so Ctrl-C reaches only flashscope), prints its messages in
English, and inherits only the descriptors that it is given. A drive's descriptor that it inherits keeps the drive
exclusively open until the child has ended.
The kernel sends the death signal when the *thread* that started the child ends: start from a thread that outlives it.
Not bound: processes that a child starts itself. fio works with threads; mkfs and losetup start nothing.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from flashscope.drives.system import bound_launcher

_LAUNCHER = str(Path(bound_launcher.__file__).resolve())
_log = logging.getLogger("flashscope.drives")

Stream = int | IO[bytes] | IO[str] | None


def start_bound(
    command: Sequence[str],
    *,
    handles: Sequence[int] = (),
    stdin: Stream = subprocess.DEVNULL,
    stdout: Stream = subprocess.DEVNULL,
    stderr: Stream = subprocess.DEVNULL,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program that ends when this process ends. command: the program's path, and its arguments.

    handles: descriptors that it inherits under their numbers. folder: its working directory. environment: added to
    our own. A program that cannot be started ends with `bound_launcher.NOT_STARTED` and says why on stderr.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", _LAUNCHER, str(os.getpid()), *command],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=folder,
        pass_fds=tuple(handles),
        start_new_session=True,
        env={**os.environ, **(environment or {}), "LC_ALL": "C"},
    )
    _log.debug("child %d: %s", process.pid, " ".join(command))
    return process


def run_bound(
    command: Sequence[str], *, patience_s: float, handles: Sequence[int] = (), folder: Path | None = None
) -> tuple[int, str]:
    """Run a program, which ends when this process ends, to its end. Returns its exit status and all its output.

    Raises subprocess.TimeoutExpired after `patience_s` [s], and then the program is ended; OSError when no process can
    be started.
    """
    process = start_bound(
        command, handles=handles, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, folder=folder
    )  # fmt: skip
    try:
        said, _ = process.communicate(timeout=patience_s)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    _log.debug("child %d: ended with code %d", process.pid, process.returncode)
    return process.returncode, said.decode(errors="replace")
