"""`make bench CASE=programs`: whole commands are timed, each with its build; wrong use is refused in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[2]
SCRIPT = HERE / "scripts" / "time-programs.py"


def timed(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=120)


def test_a_run_names_its_program_and_build_and_took_time_and_memory() -> None:
    done = timed("--json", "smart")
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["program"] == "smart"
    assert run["build"].startswith("flashscope ")
    assert run["user_s"] > 0
    assert run["system_s"] > 0
    assert run["peak_mib"] > 5


def test_two_checkouts_are_timed_in_turns_and_compared() -> None:
    done = timed("--other", str(HERE), "--rounds", "1", "smart")
    assert done.returncode == 0, done.stderr
    *runs, ratio = done.stdout.splitlines()
    assert len(runs) == 2
    assert all("CPU-s" in run for run in runs)
    assert float(ratio.split()[0]) > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nope",), "there is no program nope; there are smart, examine"),
        (("--rounds", "0", "smart"), "--rounds is 0; accepted: 1 and more"),
        (("--other", "/", "smart"), "has no .venv/bin/flashscope; run `make setup` there"),
    ],
)
def test_wrong_use_says_what_is_accepted(arguments: tuple[str, ...], words: str) -> None:
    done = timed(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


def test_a_program_that_fails_is_named(tmp_path: Path) -> None:
    program = tmp_path / ".venv" / "bin" / "flashscope"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\n[ "$1" = --version ] && exec echo flashscope 0\necho no drive >&2\nexit 1\n')
    program.chmod(0o755)
    done = timed("--other", str(tmp_path), "--rounds", "1", "smart")
    assert done.returncode == 1
    assert done.stderr == "smart failed with exit code 1:\nno drive\n\n"
