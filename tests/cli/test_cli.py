"""The commands, on a virtual drive in plain Python; `test_end_to_end.py` has the real ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import COMMANDS, FAULT_EXIT_CODE, main
from flashscope.cli.texts.workload import workloads_text
from flashscope.drives.addresses.address import Address
from flashscope.experiments import catalogue
from flashscope.records import Finding, Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.experiment import Experiment
from flashscope.store.store import Store
from tests.runner.fakes import FakeDrive, FakeExperiment, FakeRun, fails, write_step

REAL_EXPERIMENTS = catalogue.all_experiments()


@dataclass
class Laboratory:
    """What stands for the catalogue and the drives; opened: the addresses that were asked for."""

    drive: Callable[[], FakeDrive] = FakeDrive
    experiments: list[Experiment] = field(default_factory=lambda: [FakeExperiment()])
    opened: list[str] = field(default_factory=list)


@pytest.fixture
def laboratory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Laboratory:
    """A current directory and state of its own; sim: drives and the catalogue are fakes that a test may change."""
    lab = Laboratory()

    def open_fake(address: Address) -> FakeDrive:
        lab.opened.append(str(address))
        return lab.drive()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("flashscope.cli.running.session.open_virtual", open_fake)
    monkeypatch.setattr("flashscope.cli.running.session.probe", lambda *_: FakeDrive().facts)
    monkeypatch.setattr("flashscope.cli.running.session.memory_needed", lambda _: 0)
    monkeypatch.setattr(catalogue, "all_experiments", lambda: tuple(lab.experiments))
    return lab


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def store_of(tmp_path: Path) -> Store:
    return Store(tmp_path / "state" / "flashscope" / "records.sqlite")


def test_help_and_version_load_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from flashscope.cli.main import main\n"
        "try:\n    main(sys.argv[1:], prog_name='flashscope')\n"
        "except SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'numpy', 'scipy', 'rich', 'jinja2', 'vl_convert', 'sqlite3', 'dask', 'distributed', 'tornado'}\n"
        "heavy &= set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    for arguments in [["--help"], *([name, "--help"] for name in COMMANDS)]:
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("Usage: flashscope")


def test_help_names_every_command_in_order() -> None:
    output = call("--help").output
    places = [output.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)


def test_the_version_is_printed() -> None:
    assert re.fullmatch(
        r"flashscope [\d.]+, core [0-9a-f]{16}, package [0-9a-f]{16}, results [0-9a-f]{16}\n", call("--version").output
    )


def test_examine_prints_findings_beside_truth_and_ends_with_the_report_s_path(
    laboratory: Laboratory, tmp_path: Path
) -> None:
    result = call("examine", "sim:fake", "--only", "fake-experiment")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert any("bytes were written." in line for line in lines)
    assert any("truth 42" in line and "no, off by" in line for line in lines)
    assert lines[-1].startswith("Report: reports/2")
    report = tmp_path / lines[-1].removeprefix("Report: ")
    assert report.read_text().lstrip().lower().startswith("<!doctype html")
    assert "fake-experiment on sim:fake: 6 steps" in result.stderr


def test_examine_json_is_one_document_and_nothing_else(laboratory: Laboratory, tmp_path: Path) -> None:
    result = call("examine", "sim:fake", "--json", "--output", "deep/down/r.html")
    assert result.stderr == ""
    document = json.loads(result.stdout)
    assert document["status"] == "done"
    assert document["records"][0]["findings"][0]["key"] == "rate_fall"
    assert document["records"][0]["truth"] == {"rate_fall": 42}
    assert Path(document["report"]) == Path("deep/down/r.html")
    assert (tmp_path / document["report"]).exists()
    with store_of(tmp_path) as store:
        assert store.load(document["records"][0]["id"]).status is Status.DONE


def test_json_never_holds_nan(laboratory: Laboratory) -> None:
    class NotANumber(FakeExperiment):
        def analyse(self, record: Record) -> list[Finding]:
            return [Finding("k", "Nothing.", float("nan"), "ratio", low=float("-inf"))]

    laboratory.experiments = [NotANumber()]
    result = call("run", "sim:fake", "--experiment", "fake-experiment", "--json")
    finding = json.loads(result.stdout, parse_constant=pytest.fail)["record"]["findings"][0]
    assert finding["value"] is None
    assert finding["low"] is None


def test_the_seed_reaches_the_drive_and_the_record(laboratory: Laboratory, tmp_path: Path) -> None:
    assert call("examine", "sim:fake", "--seed", "9", "--json").exit_code == 0
    assert laboratory.opened == ["sim:fake?seed=9"]
    with store_of(tmp_path) as store:
        assert store.load("last").seed == 9
    result = call("examine", "sim:fake?seed=3", "--seed", "9")
    assert result.exit_code == 2
    assert "give it once" in result.stderr


def test_every_experiment_of_examine_gets_a_fresh_virtual_drive(laboratory: Laboratory) -> None:
    laboratory.experiments *= 3
    assert len(json.loads(call("examine", "sim:fake", "--json").stdout)["records"]) == 3
    assert len(laboratory.opened) == 3


def test_a_failed_experiment_does_not_keep_the_next_from_running(laboratory: Laboratory) -> None:
    drives = iter([FakeDrive(fails), FakeDrive()])
    laboratory.drive, laboratory.experiments = lambda: next(drives), [FakeExperiment(), FakeExperiment()]
    result = call("examine", "sim:fake", "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert document["status"] == "failed"
    assert {record["status"] for record in document["records"]} == {"failed", "done"}, "whichever thread came first"
    assert Path(document["report"]).stat().st_size > 0


def test_an_interrupted_examine_keeps_its_record(laboratory: Laboratory, tmp_path: Path) -> None:
    import os
    import signal

    hits: list[str] = []

    def interrupt(run: FakeRun) -> None:
        if run.done and not hits:
            hits.append("once")
            os.kill(os.getpid(), signal.SIGINT)

    laboratory.drive, laboratory.experiments = lambda: FakeDrive(interrupt), [FakeExperiment(), FakeExperiment()]
    result = call("examine", "sim:fake", "--quiet")
    assert result.exit_code == 1
    assert "flashscope dossier sim:fake" in result.stdout.splitlines()[-1]
    assert "stopping; the record is kept" in result.stderr
    with store_of(tmp_path) as store:
        kept = [summary.status for summary in store.list()]
    assert Status.INTERRUPTED in kept
    assert set(kept) <= {Status.INTERRUPTED, Status.DONE}  # one that ran beside it may have been at its end
    assert call("report", "last").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["examine", "usb:stick"], "no scheme 'usb'"),
        (["examine", "sim:fake", "--only", "nonsense"], "no experiment"),
        (["examine", "sim:fake", "--size", "12"], "--size is 12"),
        (["run", "sim:fake"], "a job file or --experiment"),
        (["run", "sim:fake", "missing.fio"], "missing.fio cannot be read"),
        (["plan", "sim:fake", "a.fio", "--only", "x"], "not both"),
        (["report"], "no store at"),
        (["report", "--format", "gif"], "--format is 'gif'"),
        (["list", "records", "--store", "elsewhere.sqlite"], "no store at"),
        (["examine", "sim:fake", "--output", "."], "is a directory"),
        (["frobnicate"], "No such command"),
        (["examine"], "Missing argument"),
    ],
)
def test_wrong_use_is_told_in_words_with_exit_code_2(
    laboratory: Laboratory, tmp_path: Path, arguments: list[str], said: str
) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_fault_of_ours_is_called_that(laboratory: Laboratory) -> None:
    class Faulty(FakeExperiment):
        def analyse(self, record: Record) -> list[Finding]:
            raise ZeroDivisionError("oh")

    laboratory.experiments = [Faulty()]
    result = call("examine", "sim:fake")
    assert result.exit_code == FAULT_EXIT_CODE
    assert "this is a fault in flashscope" in result.stderr
    assert "ZeroDivisionError: oh" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Traceback" in call("--debug", "examine", "sim:fake").stderr


def test_an_experiment_that_the_drive_cannot_take_is_left_out(laboratory: Laboratory) -> None:
    impossible = FakeExperiment([])
    impossible.name = "impossible"
    laboratory.experiments = [impossible, FakeExperiment()]
    result = call("examine", "sim:fake")
    assert result.exit_code == 0
    assert "left out: impossible" in result.stderr
    laboratory.experiments = [impossible]
    result = call("examine", "sim:fake")
    assert result.exit_code == 2
    assert "cannot take impossible" in result.stderr


def test_run_sums_up_amounts_rates_and_latencies(laboratory: Laboratory, tmp_path: Path) -> None:
    laboratory.experiments = [FakeExperiment([write_step()])]
    result = call("run", "sim:fake", "--experiment", "fake-experiment", "--json")
    assert result.exit_code == 0, result.output
    numbers = json.loads(result.stdout)["workloads"][0]
    assert numbers["directions"]["write"]["bytes"] == 40 * 2**20
    assert numbers["directions"]["write"]["latency_ns"]["mean"] == 50_000
    with store_of(tmp_path) as store:
        text = workloads_text(store.load("last"))
    assert "write: done, 512 ms of virtual time" in text
    assert "41.9 MB in 10.2 thousand requests" in text
    assert text.splitlines()[2].split() == ["81.9", "MB/s", "20", "000", *["50", "us"] * 5]


def test_plan_touches_nothing(laboratory: Laboratory, tmp_path: Path) -> None:
    result = call("plan", "sim:fake")
    assert result.exit_code == 0, result.output
    assert "DESTRUCTIVE" in result.stdout
    assert "write 41.9 MB, 0.62 times the drive" in result.stdout
    document = json.loads(call("plan", "sim:fake", "--json").stdout)
    assert document["total"]["bytes_to_write"] == 40 * 2**20
    assert document["refusals"] == []
    assert list(tmp_path.iterdir()) == []


def test_report_without_a_record_takes_the_newest_of_each_experiment(laboratory: Laboratory) -> None:
    other = FakeExperiment([write_step()])
    other.name = "other"
    laboratory.experiments = [FakeExperiment(), other]
    first = json.loads(call("examine", "sim:fake", "--json").stdout)
    second = json.loads(call("examine", "sim:fake", "--only", "other", "--json").stdout)
    shown = json.loads(call("report", "--json").stdout)
    ids = {record["id"] for record in shown["records"]}
    assert ids == {first["records"][0]["id"], second["records"][0]["id"]}


def test_list_shows_records_experiments_and_parts(laboratory: Laboratory) -> None:
    empty = call("list")
    assert (empty.exit_code, empty.stdout) == (0, "")
    assert json.loads(call("list", "--json").stdout) == {"records": [], "damaged": []}
    call("examine", "sim:fake", "--quiet")
    assert "done  sim:fake" in call("list").stdout
    laboratory.experiments = list(REAL_EXPERIMENTS)
    names = [row["name"] for row in json.loads(call("list", "experiments", "--json").stdout)["experiments"]]
    assert names == [experiment.name for experiment in REAL_EXPERIMENTS]


def test_a_reader_that_goes_away_is_no_error(laboratory: Laboratory) -> None:
    command = f"{sys.executable} -m flashscope list experiments | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert done.returncode in (0, 1)
    assert done.stderr == ""


def test_facts_are_asked_before_the_store_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from flashscope.errors import WrongUse

    def missing(*_: object) -> DriveFacts:
        raise WrongUse("there is no such drive")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("flashscope.cli.running.session.probe", missing)
    result = call("examine", "file:missing.img", "--store", "s.sqlite")
    assert result.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_refusal_of_the_guard_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "x.img").write_bytes(b"\x5a" * (1 << 20))
    result = CliRunner().invoke(main, ["examine", f"file:{tmp_path}/x.img", "--store", f"{tmp_path}/s.sqlite"])
    assert result.exit_code == 2
    assert result.stderr.startswith("flashscope: error:")
