"""The command in a process of its own, killed: at a write or flush, at one of a change of tables, by the clock."""

from __future__ import annotations

import itertools
import os
import signal
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.drives.held.direct_file import DirectFile
from flashscope.realign.work import Work


def align(path: Path, *options: str) -> str:
    """What the command says; it must end well."""
    done = CliRunner().invoke(main, ["align", str(path), *options, "--write-ok", "-q"])
    assert done.exit_code == 0, done.output
    return done.output


def killed(path: Path, options: Sequence[str], *, after: int, in_tables: bool = False, delay_s: float = 0.0) -> bool:
    """Whether the command was killed (SIGKILL) rather than ended.

    after: at its so many-th write or flush; in_tables: counted only while tables and boot records are changed.
    delay_s: so long after that one began, whatever it does then; 0 for just before it [s].
    """
    child = os.fork()
    if child == 0:
        try:
            _die_at(after, in_tables=in_tables, delay_s=delay_s)
            CliRunner().invoke(main, ["align", str(path), *options, "--write-ok", "-q"])
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _die_at(number: int, *, in_tables: bool, delay_s: float) -> None:
    """Have this process killed at its so many-th write or flush, or a little later."""
    count, inside = itertools.count(), [not in_tables]

    def counted(call: Callable[..., None]) -> Callable[..., None]:
        def counting(*args: object) -> None:
            if inside[0] and next(count) == number:
                if not delay_s:
                    os.kill(os.getpid(), signal.SIGKILL)
                threading.Timer(delay_s, os.kill, (os.getpid(), signal.SIGKILL)).start()
            call(*args)

        return counting

    def within(call: Callable[..., None]) -> Callable[..., None]:
        def changing(*args: object, **more: object) -> None:
            inside[0] = True
            call(*args, **more)
            inside[0] = not in_tables

        return changing

    patched = pytest.MonkeyPatch()
    patched.setattr(DirectFile, "write", counted(DirectFile.write))
    patched.setattr(DirectFile, "flush", counted(DirectFile.flush))
    patched.setattr(Work, "_put", within(Work._put))
