"""The program as a person runs it: real virtual drives, real files under fio, real signals."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.commands import in_process

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

SMALL_JOB = """
[global]
bs=4k
size=8m
iodepth=4

[fill]
rw=write

[mix]
stonewall
rw=randrw
rwmixread=70
"""
LONG_JOB = "[long]\nrw=randwrite\nbs=4k\nsize=1g\nio_size=4000g\nnorandommap=1\n"
LONG_FILE_JOB = "[long]\nrw=write\nbs=64k\nsize=16m\ntime_based=1\nruntime=120\n"

needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "small.fio").write_text(SMALL_JOB)
    (tmp_path / "long.fio").write_text(LONG_JOB)
    (tmp_path / "long_file.fio").write_text(LONG_FILE_JOB)
    return tmp_path


def start(here: Path, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "flashscope", *arguments]
    variables = {**os.environ, "XDG_STATE_HOME": str(here / "state"), **environment}
    return subprocess.Popen(command, cwd=here, env=variables, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def started(here: Path, *arguments: str, code: int = 0, **environment: str) -> tuple[str, str]:
    """Standard output and error of a command, which must end with that exit code, without a traceback."""
    process = start(here, *arguments, **environment)
    output, errors = process.communicate(timeout=120)
    assert process.returncode == code, errors
    assert "Traceback" not in errors
    return output, errors


def flashscope(here: Path, *arguments: str, code: int = 0) -> tuple[str, str]:
    """The same, in this process."""
    done = in_process(here, *arguments, environment={"XDG_STATE_HOME": str(here / "state")})
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def listed(here: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(flashscope(here, "list", "--json")[0])["records"]
    return rows


def wait_for_a_step(here: Path, process: subprocess.Popen[str], kind: str = "workload") -> None:
    """Until the run has a step of that kind under way in its store."""
    from flashscope.store.store import Store

    path = here / "state" / "flashscope" / "records.sqlite"
    for _ in range(400):
        assert process.poll() is None, process.communicate()[1]
        if path.exists():
            with Store(path) as store:
                if store.list() and any(step.kind == kind for step in store.load("last").steps):
                    time.sleep(0.3)
                    return
        time.sleep(0.05)
    pytest.fail("the run did not begin")


def test_a_job_file_runs_in_virtual_time_and_repeats_itself_to_the_byte(here: Path) -> None:
    first = json.loads(started(here, "run", "sim:onyx-32", "small.fio", "--json")[0])
    again = json.loads(started(here, "run", "sim:onyx-32", "small.fio", "--json")[0])
    assert first["status"] == "done"
    fill, mix = first["workloads"]
    assert fill["directions"]["write"]["bytes"] == 8 * 2**20
    assert fill["directions"]["write"]["latency_ns"]["mean"] > 0
    assert sum(direction["bytes"] for direction in mix["directions"].values()) == 8 * 2**20
    assert again["workloads"] == first["workloads"]
    assert again["record"]["configuration_hash"] == first["record"]["configuration_hash"]
    assert again["record"]["id"] != first["record"]["id"]


def test_another_seed_gives_another_run(here: Path) -> None:
    runs = [
        json.loads(flashscope(here, "run", "sim:onyx-32", "small.fio", "--json", "--seed", seed)[0])
        for seed in ("1", "2")
    ]
    assert runs[0]["workloads"][1] != runs[1]["workloads"][1]


def test_the_plan_of_the_catalogue_touches_nothing(here: Path) -> None:
    before = sorted(here.iterdir())
    plan = json.loads(flashscope(here, "plan", "sim:onyx-32", "--json")[0])
    assert plan["total"]["bytes_to_write"] > plan["facts"]["user_bytes"]
    assert plan["total"]["rated_life_ratio"] > 0
    assert plan["total"]["simulated_time"]["low_ns"] > 0
    assert sorted(here.iterdir()) == before


def test_an_experiment_gives_findings_and_a_report(here: Path) -> None:
    output, errors = started(here, "examine", "sim:onyx-32", "--only", "small-write-matrix")
    assert "inferred 16 KiB, truth 16 KiB: yes" in output
    assert "small-write-matrix on sim:onyx-32: done" in errors
    report = here / output.splitlines()[-1].removeprefix("Report: ")
    assert report.stat().st_size < 2_000_000


@pytest.mark.parametrize(
    ("job", "said"),
    [
        ("[a]\nrw=write\nbs=4k\nsize=1m\nfrobnicate=1\n", "frobnicate"),
        ("[a]\nrw=write\nbs=4k\nsize=1000g\n", "job [a] ends at"),
    ],
)
def test_a_job_file_that_cannot_be_run_is_refused_and_leaves_nothing(here: Path, job: str, said: str) -> None:
    (here / "bad.fio").write_text(job)
    before = sorted(here.iterdir())
    output, errors = flashscope(here, "run", "sim:onyx-32", "bad.fio", code=2)
    assert said in errors
    assert output == ""
    assert sorted(here.iterdir()) == before


def test_a_missing_or_truncated_part_file_is_refused(here: Path) -> None:
    (here / "half.toml").write_text('name = "half"\n[geometry]\nchannels = ')
    for part in ("sim:./half.toml", "sim:./missing.toml", "sim:nonsense"):
        flashscope(here, "examine", part, code=2)
    assert not (here / "state").exists()


def test_a_store_that_is_none_is_refused_before_anything_runs(here: Path) -> None:
    before = (here / "small.fio").read_bytes()
    _, errors = flashscope(here, "run", "sim:onyx-32", "small.fio", "--store", "small.fio", code=2)
    assert "not a store" in errors
    assert (here / "small.fio").read_bytes() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_leaves_a_valid_record_marked_interrupted(here: Path, number: signal.Signals) -> None:
    process = start(here, "run", "sim:onyx-32", "long.fio")
    wait_for_a_step(here, process)
    process.send_signal(number)
    output, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "stopping; the record is kept" in errors
    assert "Traceback" not in errors
    assert "long: interrupted" in output
    (row,) = listed(here)
    assert row["status"] == "interrupted"


def test_a_killed_run_shows_as_interrupted(here: Path) -> None:
    process = start(here, "run", "sim:onyx-32", "long.fio")
    wait_for_a_step(here, process)
    assert [row["status"] for row in listed(here)] == ["running"]
    process.kill()
    process.communicate()
    assert [row["status"] for row in listed(here)] == ["interrupted"]
    flashscope(here, "report", "last")


@needs_fio
def test_the_same_job_file_runs_on_a_file_under_fio(here: Path) -> None:
    output, errors = started(here, "run", "file:t.img", "small.fio", "--size", "16MiB", "--write-ok", "--json")
    document = json.loads(output)
    assert document["status"] == "done"
    assert document["workloads"][0]["directions"]["write"]["bytes"] == 8 * 2**20
    assert document["record"]["versions"]["fio"]
    assert "Plan for file:" in errors
    skipped = [step for step in document["record"]["steps"] if step["status"] == "skipped"]
    assert [step["kind"] for step in skipped] == ["smart", "smart"]


def test_a_file_smaller_than_the_job_is_refused_and_left_alone(here: Path) -> None:
    (here / "t.img").write_bytes(b"precious" * 2**17)
    _, errors = flashscope(here, "run", "file:t.img", "small.fio", "--write-ok", code=2)
    assert "ends at 8388608 B" in errors
    assert (here / "t.img").read_bytes() == b"precious" * 2**17


@needs_fio
def test_a_file_is_not_written_without_consent(here: Path) -> None:
    (here / "t.img").write_bytes(b"precious" * 2**21)
    _, errors = flashscope(here, "run", "file:t.img", "small.fio", code=2)
    assert "--write-ok" in errors
    assert (here / "t.img").read_bytes() == b"precious" * 2**21


def test_without_fio_a_real_run_is_refused_and_nothing_is_left(here: Path) -> None:
    (here / "empty").mkdir()
    arguments = ("run", "file:t.img", "small.fio", "--size", "16MiB", "--write-ok")
    _, errors = started(here, *arguments, code=2, PATH=str(here / "empty"))
    assert "fio" in errors
    assert not (here / "t.img").exists()
    assert listed(here) == []


@needs_fio
def test_ctrl_c_stops_fio_and_keeps_the_record(here: Path) -> None:
    process = start(here, "run", "file:t.img", "long_file.fio", "--size", "16MiB", "--write-ok")
    wait_for_a_step(here, process)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert [row["status"] for row in listed(here)] == ["interrupted"]
    assert str(here) not in subprocess.run(["ps", "axww"], capture_output=True, text=True).stdout
