"""fio's jobs, trims and SMART on a directory, and a whole run from the command line."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.records import Status
from flashscope.workloads.job import Job
from flashscope.workloads.steps import ReadSmart, Trim, Workload
from tests.known import known

from ..drives.bench import MIB
from .conftest import OpenHands

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def quiet(bytes_done: int, elapsed_ns: int) -> None:
    """A progress callback that lets the run go on."""


def jobs(*some: Job) -> Workload:
    return Workload("jobs", some, 10**8, 0, 0)


def test_jobs_run_on_a_file_of_their_span_and_what_is_read_was_written_before(
    tmp_path: Path, hands_on: OpenHands
) -> None:
    hands = hands_on(tmp_path)
    wrote = known(hands.perform(jobs(Job("w", "write", size_bytes=2 * MIB, seed=1)), quiet).workload)
    assert (wrote.totals["written_bytes"], wrote.totals["laid_out_bytes"]) == (2 * MIB, 0)
    read = known(hands.perform(jobs(Job("r", "randread", offset_bytes=MIB, size_bytes=3 * MIB)), quiet).workload)
    assert (read.totals["read_bytes"], read.totals["laid_out_bytes"]) == (3 * MIB, 2 * MIB)
    (path,) = tmp_path.glob("flashscope-*/test-file")
    assert path.stat().st_size == 4 * MIB
    assert path.stat().st_blocks * 512 == 4 * MIB


def test_a_job_without_a_size_takes_all_the_room_that_may_be_used(tmp_path: Path, hands_on: OpenHands) -> None:
    wrote = known(hands_on(tmp_path, 4 * MIB).perform(jobs(Job("w", "write", offset_bytes=MIB)), quiet).workload)
    assert wrote.totals["written_bytes"] == 3 * MIB
    (path,) = tmp_path.glob("flashscope-*/test-file")
    assert path.stat().st_size == 4 * MIB


def test_a_trim_punches_a_hole_when_that_reaches_the_drive_and_is_skipped_else(
    tmp_path: Path, hands_on: OpenHands
) -> None:
    hands = hands_on(tmp_path)
    outcome = hands.perform(Trim("t", 0, MIB), quiet)
    assert (outcome.status, "no test file" in outcome.note) == (Status.SKIPPED, True)
    hands.perform(jobs(Job("w", "write", size_bytes=4 * MIB)), quiet)
    outcome = hands.perform(Trim("t", MIB, MIB), quiet)
    (path,) = tmp_path.glob("flashscope-*/test-file")
    if hands._directory.facts.can_trim:
        assert outcome.status is Status.DONE
        assert path.stat().st_blocks * 512 == 3 * MIB
    else:
        assert (outcome.status, "discard" in outcome.note) == (Status.SKIPPED, True)
        assert path.stat().st_blocks * 512 == 4 * MIB


def test_smart_is_skipped_where_no_single_drive_lies_below(tmp_path: Path, hands_on: OpenHands) -> None:
    hands = hands_on(tmp_path)
    if not hands._directory.facts.has_smart:
        assert hands.perform(ReadSmart("s"), quiet).status is Status.SKIPPED


def test_a_job_file_runs_in_a_directory_and_leaves_it_as_it_was(tmp_path: Path) -> None:
    place, store = tmp_path / "place", tmp_path / "records.sqlite"
    place.mkdir()
    job_file = tmp_path / "job.fio"
    job_file.write_text("[w]\nrw=write\nbs=64k\nsize=2m\n[r]\nstonewall\nrw=randread\nbs=4k\nsize=1m\n")
    command = ["run", f"dir:{place}", str(job_file), "--size", "8MiB", "--store", str(store), "--json"]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    assert "write-ok" in refused.output
    assert list(place.iterdir()) == []
    done = CliRunner().invoke(main, [*command, "--write-ok"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["status"] == "done"
    assert list(place.iterdir()) == []


def test_a_reading_job_without_write_ok_is_skipped_and_says_what_it_needs(tmp_path: Path) -> None:
    place, store = tmp_path / "place", tmp_path / "records.sqlite"
    place.mkdir()
    job_file = tmp_path / "job.fio"
    job_file.write_text("[r]\nrw=randread\nbs=4k\nsize=1m\n")
    done = CliRunner().invoke(main, ["run", f"dir:{place}", str(job_file), "--store", str(store), "--json"])
    assert done.exit_code == 0, done.output
    steps = json.loads(done.stdout)["record"]["steps"]
    assert any(each["status"] == "skipped" and "--write-ok" in each["note"] for each in steps)
    assert list(place.iterdir()) == []
