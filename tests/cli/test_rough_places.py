"""Streams that are closed or full, paths that the system does not take, little memory: words, and exit code 0, 1 or 2.

Each command runs in a process of its own, with its streams, limits and working directory as a shell would give them.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

JOB = "[w]\nrw=write\nbs=64k\nsize=1m\n"


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A line of sh; `flashscope` in it is this checkout's."""
    program = f"{shlex.quote(sys.executable)} -m flashscope"
    return subprocess.run(
        ["sh", "-c", line.replace("flashscope", program)],
        cwd=folder,
        capture_output=True,
        timeout=300,
        check=False,
        env={**os.environ, "XDG_STATE_HOME": str(folder / "state")},
    )


def test_a_full_standard_output_is_told_with_exit_code_1(tmp_path: Path) -> None:
    done = shell("flashscope list parts >/dev/full", tmp_path)
    assert done.returncode == 1
    assert b"standard output cannot be written to: No space left on device" in done.stderr
    assert b"Traceback" not in done.stderr
    assert b"fault in flashscope" not in done.stderr


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "2>/dev/full"])
def test_closed_or_full_streams_that_carry_no_result_change_nothing(closed: str, tmp_path: Path) -> None:
    done = shell(f"flashscope list parts {closed}", tmp_path)
    assert done.returncode == 0
    assert b"onyx-32" in done.stdout


def test_an_error_is_an_error_without_a_standard_error(tmp_path: Path) -> None:
    assert shell("flashscope plan nonsense:x 2>&-", tmp_path).returncode == 2


def test_a_closed_standard_output_is_no_fault(tmp_path: Path) -> None:
    done = shell("flashscope list parts >&-", tmp_path)
    assert done.returncode == 1
    assert b"standard output cannot be written to" in done.stderr


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    done = shell("{ flashscope list parts; echo $? >code; } | head -1", tmp_path)
    assert b"error" not in done.stderr
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "code").read_text().strip() == "0"


@pytest.mark.parametrize(
    "line",
    [
        f"flashscope plan file:{'x' * 5000}",
        f"flashscope list records --store {'x' * 5000}",
        f"flashscope smart {'x' * 300}",
        f"flashscope run sim:onyx-32 {'x' * 300}.fio",
    ],
    ids=["a drive", "a store", "a dump", "a job file"],
)
def test_a_path_that_is_too_long_is_wrong_use(line: str, tmp_path: Path) -> None:
    done = shell(line, tmp_path)
    assert done.returncode == 2, done.stderr
    assert b"too long" in done.stderr.lower()


@pytest.mark.parametrize("line", ["plan file:'{}'", "list records --store '{}'", "run sim:onyx-32 '{}'"])
def test_an_argument_that_is_no_text_is_wrong_use(line: str, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.img")
    (tmp_path / name).write_bytes(bytes(4096))
    done = shell("flashscope " + line.format(name), tmp_path)
    assert done.returncode == 2, done.stderr
    assert b"bytes that are not valid UTF-8" in done.stderr


def test_a_working_directory_that_is_gone_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    lines = (
        "plan file:x.img",
        "examine sim:onyx-32 --quick --only small-write-latency",
        "list records --store s.sqlite",
    )
    for line in lines:
        done = shell(f"mkdir -p gone; cd gone; rmdir ../gone; flashscope {line}", tmp_path)
        assert done.returncode in (1, 2), (line, done.stderr)
        assert b"fault in flashscope" not in done.stderr
        assert b"Traceback" not in done.stderr


def test_little_memory_costs_the_pictures_and_not_the_report(tmp_path: Path) -> None:
    line = "examine sim:onyx-32 --quick --only small-write-latency -q -o r.html --store s.sqlite"
    done = shell(f"ulimit -v 2500000; flashscope {line}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert b"Charts are missing" in done.stderr
    page = (tmp_path / "r.html").read_text()
    assert "Charts are missing" in page
    assert "<svg" not in page


@pytest.mark.parametrize(
    "line",
    [
        "run file:t.img w.fio --size 8MiB --write-ok -q --store s.sqlite",
        "endure file:t.img --size 8MiB --write-ok --budget 64MiB --confirm-total 64MiB -q --store s.sqlite",
        "sweep --part onyx-32 --workload w.fio --store s.sqlite",
        "smart fleet .",
    ],
)
@pytest.mark.parametrize("limit_kib", [120_000, 200_000])
def test_too_little_memory_to_begin_is_told_at_once(line: str, limit_kib: int, tmp_path: Path) -> None:
    (tmp_path / "w.fio").write_text(JOB)
    done = shell(f"ulimit -v {limit_kib}; flashscope {line}", tmp_path)
    assert done.returncode == 1, done.stderr
    assert b"too little to begin" in done.stderr
    assert not (tmp_path / "t.img").exists()


def test_a_result_that_nobody_reads_is_no_fault(tmp_path: Path) -> None:
    line = "examine sim:onyx-32 --quick --only small-write-latency -q --store s.sqlite"
    done = shell(f"{{ flashscope {line} -o /dev/stdout; echo $? > code; }} | true", tmp_path)
    assert b"fault in flashscope" not in done.stderr
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "code").read_text().strip() in ("0", "1")


def test_a_drive_too_large_for_the_memory_is_told(tmp_path: Path) -> None:
    (tmp_path / "w.fio").write_text(JOB)
    done = shell(
        "ulimit -v 2500000; flashscope run 'stripe:128KiB:sim:kc3000-1024*99' w.fio -q --store s.sqlite", tmp_path
    )
    assert done.returncode in (1, 2), done.stderr
    assert b"memory" in done.stderr
