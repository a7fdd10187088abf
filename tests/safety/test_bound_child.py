"""A program that can write ends with us, whenever we end, and gets nothing that it was not given."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flashscope.drives.system.bound_child import run_bound, start_bound
from flashscope.drives.system.bound_launcher import NOT_STARTED

_PATIENCE_S = 30.0
_STARTER = """
import sys, time
from flashscope.drives.system.bound_child import start_bound
child = start_bound(["/bin/sh", "-c", "while :; do printf x >> $0; done", sys.argv[1]])
print(child.pid, flush=True)
time.sleep(600)
"""


def wait_until_gone(pid: int) -> bool:
    until = time.monotonic() + _PATIENCE_S
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_a_child_ends_with_the_process_that_started_it_and_writes_no_byte_more(tmp_path: Path) -> None:
    written = tmp_path / "written"
    starter = subprocess.Popen([sys.executable, "-c", _STARTER, written], stdout=subprocess.PIPE, text=True)
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    until = time.monotonic() + _PATIENCE_S
    while not written.exists() and time.monotonic() < until:
        time.sleep(0.01)
    assert written.exists(), "the child never began"

    starter.kill()
    starter.wait()
    starter.stdout.close()

    assert wait_until_gone(pid)
    size = written.stat().st_size
    time.sleep(0.1)
    assert written.stat().st_size == size


def test_a_child_whose_parent_ended_before_it_was_bound_does_not_begin(tmp_path: Path) -> None:
    launcher = Path(sys.modules["flashscope.drives.system.bound_launcher"].__file__ or "")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    command = [sys.executable, "-I", "-S", str(launcher), str(gone.pid), "/bin/touch", str(tmp_path / "begun")]

    done = subprocess.run(command, capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (NOT_STARTED, "/bin/touch was not started: its parent has ended\n")
    assert not (tmp_path / "begun").exists()


def test_a_program_that_is_not_there_is_told() -> None:
    code, said = run_bound(["/nowhere/fio"], patience_s=_PATIENCE_S)

    assert (code, said) == (NOT_STARTED, "/nowhere/fio was not started: No such file or directory\n")


def test_a_child_gets_only_the_descriptors_it_is_given_and_speaks_english(tmp_path: Path) -> None:
    given, kept = (os.open(tmp_path / name, os.O_RDWR | os.O_CREAT) for name in ("given", "kept"))
    script = f"ls /proc/$$/fd; echo $LC_ALL; echo written > /proc/$$/fd/{given}"
    try:
        code, said = run_bound(["/bin/sh", "-c", script], patience_s=_PATIENCE_S, handles=[given])
    finally:
        os.close(given)
        os.close(kept)

    lines = said.split()
    assert code == 0
    assert str(given) in lines
    assert str(kept) not in lines
    assert lines[-1] == "C"
    assert (tmp_path / "given").read_text() == "written\n"


def test_signals_that_python_ignores_are_as_a_program_expects_them() -> None:
    code, said = run_bound(["/bin/sh", "-c", "grep SigIgn /proc/$$/status"], patience_s=_PATIENCE_S)

    ignored = int(said.split()[1], 16)
    assert code == 0
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)


def test_a_child_that_takes_too_long_is_ended() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_bound(["/bin/sleep", "600"], patience_s=0.2)


def test_a_child_has_a_session_of_its_own() -> None:
    child = start_bound(["/bin/sleep", "600"])
    try:
        assert os.getsid(child.pid) == child.pid != os.getsid(0)
    finally:
        child.kill()
        child.wait()
