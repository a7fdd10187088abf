"""Every experiment takes a file, a directory or a block device as it takes a virtual drive: the same steps, by fio.

In `make test`: all of their steps are checked, all of their jobs are read by fio, and the shortest are run. In
`make test-long`: all are run. Runs and pauses are cut short (`Hurried`), everything else is that of --quick.
"""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.drive import Drive
from flashscope.drives.guard.consent import Consent
from flashscope.drives.held.held import Held
from flashscope.drives.open import open_drive
from flashscope.experiments.catalogue import all_experiments, find
from flashscope.experiments.copy_within_drive import CopyWithinDrive
from flashscope.records import Record, Status
from flashscope.records.capability import Capability
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.engines.fio import process as fio_process
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import check_steps, run_experiment
from flashscope.store.store import Store
from flashscope.workloads.fio_text import to_fio_job_text
from flashscope.workloads.steps import Trim, Workload
from tests.drives.bench import MIB, Bench
from tests.facts import device_facts, directory_facts, facts_of, file_facts
from tests.runner.hurried import Hurried

FILE_BYTES = 64 * MIB
QUICK = Effort(Extent.QUICK)
FILE = file_facts(FILE_BYTES, address="file:x")
SHORT = {"iometer", "compressibility", "small-write-latency", "sustained-sequential-write"}
ON_A_FILE = [experiment for experiment in all_experiments() if experiment.steps(FILE, QUICK)]
ON_FILES = ["archives", "copy-within-drive"]
needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def run(experiment: Experiment, drive: Drive, folder: Path, effort: Effort = QUICK) -> Record:
    try:
        with Store(folder / "s.sqlite") as store:
            return run_experiment(
                Hurried(experiment), drive, Asked(seed=5, command="test", effort=effort), store=store, progress=Silent()
            )
    finally:
        drive.close()


def check(record: Record) -> None:
    """Done, with findings that have a sentence, and doubts that have a kind and a way round."""
    assert (record.status, record.note) == (Status.DONE, "")
    assert record.findings
    assert all(finding.statement.endswith(".") for finding in record.findings)
    doubts = [doubt for finding in record.findings for doubt in finding.doubts]
    assert doubts, "a file in a file system leaves something open, always"
    assert all(doubt.kind and doubt.message and doubt.advice for doubt in doubts)
    assert all(doubt.kind and doubt.message for doubt in record.doubts)
    assert not [doubt for doubt in record.doubts if doubt.kind == "NotAnalysed"]


def sizes_of(kind: str) -> list[int]:
    return [MIB, 16 * MIB, FILE_BYTES, 256 * MIB, 1_000_204_886_016] if kind != "virtual" else [FILE_BYTES]


@pytest.mark.parametrize("kind", ["file", "directory", "block device"])
@pytest.mark.parametrize("experiment", all_experiments(), ids=lambda experiment: experiment.name)
def test_steps_fit_every_size_and_kind_of_drive(experiment: Experiment, kind: str) -> None:
    for size_bytes in sizes_of(kind):
        for can_trim in (False, True) if size_bytes == FILE_BYTES else (True,):
            more = (Capability.TRIM, Capability.SMART_ATTRIBUTES, Capability.ERROR_BITS) if can_trim else ()
            facts = facts_of(kind, size_bytes, *more)
            for extent in Extent:
                steps = experiment.steps(facts, Effort(extent))
                check_steps(steps, facts)
                for step in steps:
                    if isinstance(step, Workload):
                        assert all(job.size_bytes > 0 and job.offset_bytes % 512 == 0 for job in step.jobs), step.name
                    elif isinstance(step, Trim):
                        assert step.length_bytes > 0
                        assert (step.length_bytes % 512, step.offset_bytes % 512) == (0, 0), step.name
                unwritten = experiment.steps(facts, Effort(extent, read_only=True))
                assert not any(step.destructive or step.bytes_to_write for step in unwritten)


@needs_fio
@pytest.mark.parametrize("extent", Extent)
def test_fio_reads_every_job_of_every_experiment(extent: Extent, tmp_path: Path) -> None:
    jobs = [
        replace(job, name=f"{experiment.name}-{number}-{job.name}".replace(" ", "-"))
        for experiment in all_experiments()
        for number, step in enumerate(experiment.steps(replace(FILE, user_bytes=256 * MIB), Effort(extent)))
        if isinstance(step, Workload)
        for job in step.jobs
    ]
    (tmp_path / "x").touch()
    with Held.take(tmp_path / "x", os.O_RDWR) as held:
        for begin in range(0, len(jobs), 400):
            job_file = tmp_path / f"{begin}.fio"
            job_file.write_text(to_fio_job_text(jobs[begin : begin + 400], filename=str(held.path), engine="psync"))
            fio_process.try_jobs(job_file, held)
    assert len(jobs) > 200
    assert (tmp_path / "x").stat().st_size == 0


@needs_fio
@pytest.mark.parametrize(
    "experiment",
    [
        pytest.param(one, marks=() if one.name in SHORT else pytest.mark.long, id=one.name)
        for one in [*ON_A_FILE, find("hd-tune")]
    ],
)
def test_every_experiment_runs_on_a_file(experiment: Experiment, tmp_path: Path) -> None:
    consent = Consent(write_ok=True, create_bytes=FILE_BYTES)
    drive = open_drive(parse_address(f"file:{tmp_path / 'target.img'}"), destructive=True, consent=consent)
    check(run(experiment, drive, tmp_path))


@needs_fio
@pytest.mark.parametrize("name", ["sustained-sequential-write", pytest.param("three-states", marks=pytest.mark.long)])
def test_an_experiment_runs_on_a_block_device(name: str, bench: Bench, tmp_path: Path) -> None:
    image = bench.image(size_bytes=FILE_BYTES)
    drive = open_drive(parse_address(bench.loop(image)), destructive=True, consent=Consent(serial=str(image)))
    check(run(find(name), drive, tmp_path))


@needs_fio
@pytest.mark.parametrize(
    "experiment",
    [pytest.param(find("archives"), marks=pytest.mark.long), CopyWithinDrive(16 * MIB)],
    ids=lambda experiment: experiment.name,
)
def test_an_experiment_on_files_runs_on_a_mounted_file_system(
    experiment: Experiment, bench: Bench, tmp_path: Path
) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=400 * MIB)), mounted_on="mounted")
    before = sorted(point.iterdir())
    drive = open_drive(parse_address(f"dir:{point}"), destructive=True, consent=Consent(write_ok=True))
    record = run(experiment, drive, tmp_path)
    check(record)
    assert all(finding.value is not None for finding in record.findings)
    assert sorted(point.iterdir()) == before, "what the run made is gone"


def test_a_directory_takes_all_that_works_on_files_and_sectors_only_where_volumes_can_be_made() -> None:
    facts = directory_facts(1 << 30)
    takes = {experiment.name for experiment in all_experiments() if experiment.steps(facts, QUICK)}
    assert set(ON_FILES) <= takes
    assert {each.name for each in ON_A_FILE} - takes == {"capacity"}  # whose places cannot be chosen in a directory
    assert "sector-emulation-copy" in takes
    without = replace(facts, capabilities=facts.capabilities - {Capability.VOLUMES})
    left = {experiment.name for experiment in all_experiments() if experiment.steps(without, QUICK)}
    assert takes - left == {"sector-emulation-copy"}


def test_quick_leaves_a_large_drive_what_takes_hours_and_says_how_to_run_it() -> None:
    from flashscope.cli.running.taking_part import left_out_of

    facts = device_facts(256_060_514_304, Capability.SMART_ATTRIBUTES, Capability.ERROR_BITS)
    left_out = left_out_of(all_experiments(), facts, QUICK)
    for name in ("three-states", "idle-recovery", "fill-and-recovery", "smart-inference"):
        assert "without --quick" in left_out[name]
    assert "with --full" in left_out["ageing-diary"]
    assert "three-states" not in left_out_of(all_experiments(), facts, Effort())


def examine(address: str, folder: Path, *more: str) -> str:
    arguments = ["examine", address, "--quick", "--read-only", "--store", str(folder / "s.sqlite")]
    done = CliRunner().invoke(main, [*arguments, "-o", str(folder / "report.html"), *more])
    assert done.exit_code == 0, done.output
    return done.output


def test_read_only_on_a_virtual_drive_says_what_stays_open(tmp_path: Path) -> None:
    pytest.importorskip("flashscope._core")
    said = examine("sim:onyx-32", tmp_path)
    with Store(tmp_path / "s.sqlite", create=False) as store:
        records = [store.load(summary.id) for summary in store.list()]
    assert len(records) >= 4
    for record in records:
        assert record.status is Status.DONE
        assert all(step.workload is None or not step.workload.totals.get("written_bytes") for step in record.steps)
        assert not {"trim", "secure erase", "file work"} & {step.kind for step in record.steps}
    question = find("sustained-sequential-write").question
    assert f"left out: sustained-sequential-write, because it writes, so this question stays open: {question}" in said


@needs_fio
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)])
def test_read_only_leaves_a_file_as_it_was(whole: bool, tmp_path: Path) -> None:
    path = tmp_path / "x.img"
    path.write_bytes(bytes(range(251)) * (FILE_BYTES // 251))
    path.chmod(0o444)
    before, stamp = path.read_bytes(), path.stat().st_mtime_ns
    only = [] if whole else ["--only", "small-write-latency", "--only", "three-states"]
    said = examine(f"file:{path}", tmp_path, *only)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, stamp)
    assert "left out: three-states, because it writes, so this question stays open:" in said


@needs_fio
def test_read_only_leaves_a_block_device_as_it_was(bench: Bench, tmp_path: Path) -> None:
    image = bench.image(size_bytes=FILE_BYTES)
    image.write_bytes(bytes(range(256)) * (FILE_BYTES // 256))
    before = image.read_bytes()
    examine(bench.loop(image, "--read-only"), tmp_path, "--only", "small-write-latency", "--only", "three-states")
    assert image.read_bytes() == before
