"""The benchmark programs' loads on a file by the real fio: what is kept is exactly what fio's own JSON says."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.held.held import Held
from flashscope.experiments.profiles import as_ssd, atto, hd_tune, iometer
from flashscope.experiments.profiles.access_specification import FILE_SERVER
from flashscope.experiments.profiles.crystal_disk_mark import (
    Marking,
    TestFile,
    crystal_disk_mark_3,
    crystal_disk_mark_5,
    crystal_disk_mark_8,
)
from flashscope.records import WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.engines.fio.engine import run_jobs
from flashscope.workloads.fio_text import to_fio_job_text
from flashscope.workloads.steps import Step, Workload
from tests.facts import file_facts

MIB = 1 << 20
BRIEF_NS = 50_000_000
BRIEFLY = Marking(passes=1, pass_time_ns=BRIEF_NS, preparing=False)
pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "target.img"
    path.write_bytes(os.urandom(MIB) * 32)
    return path


def moved(result: WorkloadResult) -> tuple[int, int, int, int]:
    totals = result.totals
    return totals["read_bytes"], totals["written_bytes"], totals["read_requests"], totals["write_requests"]


def by_engine(step: Workload, target: Path) -> WorkloadResult:
    with Held.take(target, os.O_RDWR) as held:
        return run_jobs(held, step.jobs, sample_interval_ns=10**8, on_progress=lambda *_: None)


def by_fio_alone(step: Workload, target: Path) -> tuple[int, int, int, int]:
    """What `fio --output-format=json` says of the same jobs, without our runner."""
    jobs = target.with_suffix(".fio")
    jobs.write_text(
        "[global]\nthread=1\nallow_file_create=0\n\n" + to_fio_job_text(step.jobs, filename=str(target), engine="psync")
    )
    command = ["fio", "--output-format=json", str(jobs)]
    text = subprocess.run(command, capture_output=True, text=True, check=True, cwd=target.parent).stdout
    found = json.loads(text[text.index("{") :])["jobs"]
    return (
        sum(job["read"]["io_bytes"] for job in found),
        sum(job["write"]["io_bytes"] for job in found),
        sum(job["read"]["total_ios"] for job in found),
        sum(job["write"]["total_ios"] for job in found),
    )


def facts() -> DriveFacts:
    return file_facts(32 * MIB)


def steps_limited_by_bytes() -> list[Workload]:
    """Loads that end with their bytes: what they move does not depend on how fast the machine is."""
    file = TestFile(0, 4 * MIB)
    mark = crystal_disk_mark_3("", file, BRIEFLY, sequential_bytes=8 * MIB)
    whole = as_ssd.as_ssd("", TestFile(0, 16 * MIB), facts(), at_most_ns=0, access_time_ns=BRIEF_NS, reads_only=False)
    chosen: list[Step] = [step for step in mark if step.name.startswith(("test file", "seq_"))]
    chosen += [step for step in whole if step.name.startswith(("seq_", "rand_write_4k"))]
    chosen += hd_tune.hd_tune("", facts(), point_count=2)
    chosen += atto.atto("", file, sizes_bytes=(64 * 1024,), at_most_ns=0)
    return [step for step in chosen if isinstance(step, Workload)]


@pytest.mark.parametrize("step", steps_limited_by_bytes(), ids=lambda step: step.name)
def test_bytes_and_requests_are_exactly_those_of_fio_itself(step: Workload, target: Path) -> None:
    result = by_engine(step, target)
    assert moved(result) == by_fio_alone(step, target)
    assert sum(moved(result)[:2]) == sum(job.io_bytes for job in step.jobs)


def steps_limited_by_time() -> list[Workload]:
    file = TestFile(8 * MIB, 8 * MIB)
    steps = crystal_disk_mark_3("3: ", file, BRIEFLY, sequential_bytes=8 * MIB)
    steps += crystal_disk_mark_5("5: ", file, BRIEFLY, interval_ns=0)
    steps += crystal_disk_mark_8("8: ", file, replace(BRIEFLY, data="zeros"), interval_ns=0)
    steps += as_ssd.access_times("", file, facts(), runtime_ns=BRIEF_NS, reads_only=False)
    steps += hd_tune.access_and_burst("", facts(), runtime_ns=4 * BRIEF_NS)
    steps.append(iometer.iometer("iometer", FILE_SERVER, file, facts(), run_ns=2 * BRIEF_NS, ramp_up_ns=BRIEF_NS))
    return [step for step in steps if isinstance(step, Workload)]


SHORT = (
    "3: : seq_read",
    "3: : rand_write_4k pass",
    "5: : rand_read_4k_qd32",
    "8: : seq_write_1m_qd8",
    "8: : test file",
)
"""What the short suite loads of CrystalDiskMark, whose generations differ little; of other programs it loads all."""


def short_or_long(step: Workload) -> object:
    is_short = not step.name.startswith(("3:", "5:", "8:")) or step.name.startswith(SHORT)
    return pytest.param(step, id=step.name, marks=() if is_short else pytest.mark.long)


@pytest.mark.parametrize("step", [short_or_long(step) for step in steps_limited_by_time()])
def test_every_load_of_every_program_can_be_said_to_fio(step: Workload, target: Path) -> None:
    result = by_engine(step, target)
    read_bytes, written_bytes, read_requests, write_requests = moved(result)
    assert (written_bytes > 0) == step.destructive
    assert (read_bytes > 0) == (step.bytes_to_read > 0)
    assert target.stat().st_size == 32 * MIB, "the file was not made longer"
    if step.name != "iometer":
        sizes = step.jobs[0].read_sizes.weighted
        assert read_bytes + written_bytes == (read_requests + write_requests) * sizes[0][0]
