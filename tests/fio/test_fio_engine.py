"""fio as the engine of real drives: its own numbers come out exactly, and everything it can do wrong is explained."""

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed, FlashscopeError, Interrupted, WrongUse
from flashscope.records import WorkloadResult
from flashscope.runner.engines.fio.engine import fio_version, run_jobs
from flashscope.runner.engines.fio.output import read_result
from flashscope.workloads.job import Job
from flashscope.workloads.job_file import parse_job_file

MIB = 1 << 20
needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "target:1.img"  # a colon, which fio would take for two files
    path.write_bytes(os.urandom(8 * MIB))
    return path


def jobs(text: str, target: Path) -> list[Job]:
    return parse_job_file(text, source="test.fio", drive_bytes=target.stat().st_size)


def run(text: str, target: Path, *, interval_ns: int = 10**8) -> WorkloadResult:
    with Held.take(target, os.O_RDWR) as held:
        return run_jobs(held, jobs(text, target), sample_interval_ns=interval_ns, on_progress=lambda *_: None)


@needs_fio
def test_bytes_and_requests_are_exactly_those_of_the_job(target: Path) -> None:
    result = run("[a]\nrw=write\nbs=64k\niodepth=4\n[b]\nstonewall\nrw=randread\nbs=4k\nio_size=1m\n", target)
    assert result.totals["written_bytes"] == 8 * MIB
    assert result.totals["write_requests"] == 128
    assert (result.totals["read_bytes"], result.totals["read_requests"]) == (MIB, 256)
    assert (result.latency["write"].total, result.latency["read"].total) == (128, 256)
    for name in ("written_bytes", "read_bytes", "write_requests", "read_requests"):
        assert int(result.series[name].sum()) == result.totals[name], "the series sums up to the total"


@needs_fio
def test_the_rows_of_a_series_follow_the_rate(target: Path) -> None:
    result = run("[a]\nrw=write\nbs=4k\nrate=2m\nruntime=1\ntime_based\n", target)
    assert len(result.series) >= 9
    assert result.series["elapsed_ns"][-1] == result.duration_ns
    # fio keeps the rate on average; a busy machine may hold it up for a row or two.
    assert sorted(result.series["written_bytes"])[5] == pytest.approx(2 * MIB / 10, rel=0.2)


@needs_fio
def test_arrivals_at_random_come_at_the_rate_on_average(target: Path) -> None:
    result = run("[a]\nrw=randread\nbs=4k\nrate_iops=300\nrate_process=poisson\nruntime=2\ntime_based\n", target)
    # 600 expected, standard deviation 24: five of them, and what a busy machine holds up.
    assert 450 < result.totals["read_requests"] < 730


@needs_fio
def test_jobs_of_one_group_run_together_and_are_added(target: Path) -> None:
    result = run("[a]\nrw=randwrite\nbs=4k\nnumjobs=3\nio_size=256k\n", target)
    assert result.totals["write_requests"] == 3 * 64


@needs_fio
def test_what_progress_raises_stops_fio_and_leaves_nothing_running(
    target: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Also in the background of a shell, where SIGINT is ignored until fio has set its own handler."""
    caplog.set_level(logging.DEBUG, logger="flashscope.runner")

    def stop(_bytes: int, _elapsed: int) -> None:
        raise Interrupted("stopped by a person")

    job = jobs("[a]\nrw=write\nbs=4k\nruntime=60\ntime_based\n", target)
    was = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Held.take(target, os.O_RDWR) as held, pytest.raises(Interrupted):
            run_jobs(held, job, sample_interval_ns=10**9, on_progress=stop)
    finally:
        signal.signal(signal.SIGINT, was)
    assert "fio: ended with code" in caplog.text, "it ended by itself, and was not killed"
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert not [line for line in listed.splitlines() if line.startswith("fio") and "flashscope-fio" in line]


@needs_fio
def test_a_drive_that_is_too_small_is_fios_error_with_its_words(target: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.img"
    short.write_bytes(b"x" * MIB)
    too_long = jobs("[a]\nrw=write\nbs=4k\nsize=8m\n", target)
    with Held.take(short, os.O_RDWR) as held, pytest.raises(WrongUse, match="ends at"):
        run_jobs(held, too_long, sample_interval_ns=10**9, on_progress=lambda *_: None)
    assert short.read_bytes() == b"x" * MIB, "fio would have deleted it"


def test_a_file_takes_no_trim(target: Path) -> None:
    with pytest.raises(WrongUse, match="trims"):
        run("[a]\nrw=randtrim\nbs=4k\n", target)


@needs_fio
def test_every_block_is_written_once_whatever_the_other_kinds_sizes_are(target: Path) -> None:
    result = run("[a]\nrw=randwrite\nbs=4k,64k\n", target)
    assert result.totals["write_requests"] == 8 * MIB // 65536


@needs_fio
def test_rows_are_not_empty_at_short_intervals(target: Path) -> None:
    result = run("[a]\nrw=write\nbs=4k\nrate=4m\nruntime=2\ntime_based\n", target, interval_ns=5 * 10**7)
    rows = result.series["written_bytes"]
    assert len(rows) >= 38
    # Reading the log row by row left a quarter of them empty, each between two full ones. A file that stands still for
    # a while leaves several empty rows together, which is what happened.
    alone = (rows[1:-1] == 0) & (rows[:-2] > 0) & (rows[2:] > 0)
    assert alone.sum() <= 2


@needs_fio
def test_fio_ends_when_the_program_that_started_it_is_killed(target: Path, tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from flashscope.runner.engines.fio.engine import run_jobs\n"
        "from flashscope.drives.held.held import Held\n"
        "from flashscope.workloads.job_file import parse_job_file\n"
        "text = '[a]\\nrw=write\\nbs=4k\\nruntime=60\\ntime_based\\n'\n"
        "jobs = parse_job_file(text, source='t', drive_bytes=8 << 20)\n"
        "run_jobs(Held.take(Path(sys.argv[1]), os.O_RDWR), jobs, sample_interval_ns=10**9,\n"
        "         on_progress=lambda moved, elapsed: print(moved, flush=True))\n"
    )
    command = [sys.executable, "-c", code, str(target)]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert program.stdout is not None
    while int(program.stdout.readline()) == 0:
        pass
    program.kill()
    program.wait()
    program.stdout.close()
    for _ in range(100):
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        if not any("flashscope-fio" in line for line in listed.splitlines()):
            return
        time.sleep(0.05)
    pytest.fail("fio is still running")


def fake_fio(folder: Path, script: str) -> None:
    """A program called fio that answers --version, --enghelp and --parse-only as fio does, and then runs `script`."""
    path = folder / "fio"
    path.write_text(
        "#!/bin/sh\n"
        'case "$1" in --version) echo fio-3.33; exit 0;; --enghelp=*) exit 0;; esac\n'
        f'case "$1" in --parse-only) touch "{folder}/tried"; exit 0;; esac\n'
        'for word; do case "$word" in --output=*) output=${word#--output=};; esac; done\n' + script
    )
    path.chmod(0o755)


def outcome(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> WorkloadResult:
    fake_fio(tmp_path, script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    return run("[a]\nrw=write\nbs=4k\n", target)


ONE_JOB = {
    "io_bytes": 4096,
    "total_ios": 1,
    "runtime": 5,
    "clat_ns": {"min": 7, "max": 7, "mean": 7.0, "bins": {"7": 1}},
}
NOTHING = {"io_bytes": 0, "total_ios": 0, "runtime": 0, "clat_ns": {"min": 0, "max": 0, "mean": 0.0}}
GOOD = {"jobs": [{"jobname": "a", "error": 0, "read": NOTHING, "write": ONE_JOB, "trim": NOTHING}]}
IDLE = {"jobs": [{"jobname": "a", "error": 0, "read": NOTHING, "write": NOTHING, "trim": NOTHING}]}


def test_rubbish_before_the_json_is_passed_over(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = f"printf '%s\\n' 'libnbd: {{warning}}' 'note: {{\"not\": \"it\"}}' '{json.dumps(GOOD)}' > \"$output\"\n"
    result = outcome(tmp_path, target, monkeypatch, script)
    assert (result.totals["write_requests"], result.totals["written_bytes"]) == (1, 4096)


def test_jobs_that_fio_takes_are_not_tried_before(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome(tmp_path, target, monkeypatch, f"echo '{json.dumps(GOOD)}' > \"$output\"\n")
    assert not (tmp_path / "tried").exists()


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('echo nonsense > "$output"\n', "without a result"),
        ("exit 0\n", "without a result"),
        ("echo 'fio: engine exploded'; exit 3\n", "code 3: fio: engine exploded"),
        (
            'for at in 4096 8192; do echo "fio: no space, offset=$at"; done; exit 1\n',
            "code 1: fio: no space, offset=4096$",
        ),
        ("kill -9 $$\n", "SIGKILL"),
        (f"echo '{json.dumps(IDLE)}' > \"$output\"\n", "no request at all"),
    ],
)
def test_a_fio_that_fails_is_explained(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    with pytest.raises(DriveFailed) as failed:
        outcome(tmp_path, target, monkeypatch, script)
    assert re.search(said, failed.value.what)
    assert failed.value.advice


def test_a_fio_that_refuses_the_jobs_is_wrong_use_before_anything_is_written(
    tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_fio(tmp_path, "exit 1\n")
    script = (tmp_path / "fio").read_text().replace('/tried"; exit 0', '/tried"; echo no; exit 1')
    (tmp_path / "fio").write_text(script)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    before = target.read_bytes()
    with pytest.raises(WrongUse, match="does not accept these jobs"):
        run("[a]\nrw=write\nbs=4k\n", target)
    assert target.read_bytes() == before


@pytest.mark.parametrize("script", ["#!/bin/sh\necho hello\n", "#!/bin/sh\nexit 7\n"])
def test_a_program_that_is_not_fio_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    (tmp_path / "fio").write_text(script)
    (tmp_path / "fio").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(WrongUse, match="--version"):
        fio_version()


def test_without_fio_the_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FlashscopeError) as missing:
        fio_version()
    assert missing.value.exit_code == 2
    assert "install the package `fio`" in str(missing.value)


def test_a_log_that_says_more_than_the_total_is_cut_to_it(tmp_path: Path) -> None:
    (tmp_path / "rate_bw.log").write_text("10, 4000, 1, 0, 0\n20, 4000, 1, 0, 0\n")
    document = json.loads(json.dumps(GOOD))
    document["jobs"][0]["write"]["runtime"] = 25
    result = read_result(document, tmp_path, 10**7)
    assert len(result.series) == 3
    rows = result.series["written_bytes"].tolist()
    assert sum(rows) == 4096
    assert min(rows) >= 0


def test_what_the_log_lost_at_the_end_is_spread_over_that_time(tmp_path: Path) -> None:
    (tmp_path / "rate_bw.1.log").write_text("".join(f"{at}, 100, 1, 0, 0\n" for at in range(10, 90, 10)))
    document = json.loads(json.dumps(GOOD))
    document["jobs"][0]["write"] |= {"runtime": 101, "io_bytes": 10342}
    rows = read_result(document, tmp_path, 10**7).series["written_bytes"]
    assert len(rows) == 11
    assert rows[:10].tolist() == pytest.approx([1024] * 10, abs=2)
    assert rows[10] == pytest.approx(102, abs=2), "a row of one millisecond"
