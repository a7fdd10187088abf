"""Rounds go on until the rate has settled, leave one result, and SMART is read on the way."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.experiments.streams import random_writes
from flashscope.records import Finding, Record, Status, Table, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.asked import Asked
from flashscope.runner.build import this_build
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.hands.rounds import jobs_of_round, joined, run_rounds
from flashscope.runner.host import program_versions
from flashscope.runner.needs import Needs
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.checksums import seal_anew
from flashscope.store.store import Store
from flashscope.workloads.steps import Step, UntilSteady, Workload

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

MIB = 1 << 20


def result(written_bytes: int) -> WorkloadResult:
    table = Table.of(
        elapsed_ns=("ns", np.array([500, 1000])), written_bytes=("bytes", np.array([1, written_bytes - 1]))
    )
    return WorkloadResult(1000, table, {}, {"written_bytes": written_bytes})


def test_rounds_end_when_five_are_steady() -> None:
    rates = [1000, 500, 300, 200, 150, 140, 145, 142, 141, 139, 138, 137]
    whole = run_rounds(UntilSteady(), lambda number: (result(rates[number]), True))
    assert whole.totals["steady_rounds"] == 5
    assert whole.totals["rounds"] == 9
    assert whole.duration_ns == 9000


def test_rounds_are_given_up_and_say_so() -> None:
    whole = run_rounds(UntilSteady(most_rounds=7), lambda number: (result(1000 >> number), True))
    assert (whole.totals["rounds"], whole.totals["steady_rounds"]) == (7, 0)


def test_a_round_that_must_be_the_last_is_the_last() -> None:
    whole = run_rounds(UntilSteady(), lambda number: (result(100), number < 2))
    assert whole.totals["rounds"] == 3


def test_time_goes_on_from_round_to_round() -> None:
    assert joined([result(10), result(20)]).series["elapsed_ns"].tolist() == [500, 1000, 1500, 2000]


class RandomWrites:
    """4 KiB random writes in rounds, SMART on the way."""

    name, title, question = "random-writes", "Random writes", "Does it settle?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        size = 16 * MIB
        job = random_writes("w", request_bytes=4096, grid_bytes=4096, size_bytes=256 * MIB, io_bytes=size)
        until = UntilSteady(most_rounds=8)
        return [Workload("write", (job,), 10**8, 8 * size, 0, until=until, smart_every_bytes=4 * MIB)]

    def analyse(self, record: Record) -> list[Finding]:
        return []


def run(folder: Path) -> Record:
    drive = open_drive(parse_address("sim:onyx-32"), destructive=True)
    with Store(folder / "s.sqlite") as store:
        record = run_experiment(RandomWrites(), drive, Asked(seed=0, command="test"), store=store, progress=Silent())
        return store.load(record.id)


def test_a_virtual_drive_runs_rounds_and_shows_smart_on_their_axis(tmp_path: Path) -> None:
    record = run(tmp_path)
    (step,) = record.steps
    assert record.status is Status.DONE
    assert step.workload is not None
    assert step.smart_series is not None
    rounds = step.workload.totals["rounds"]
    assert step.workload.totals["written_bytes"] == rounds * 16 * MIB
    elapsed = step.smart_series["elapsed_ns"]
    assert len(elapsed) >= 4 * rounds - 1
    assert np.all(np.diff(elapsed) > 0)
    assert elapsed[-1] <= step.workload.duration_ns
    written = step.smart_series["199_raw"].astype(np.int64)
    assert np.all(np.diff(written) >= 0)
    again = run(tmp_path)
    assert again.steps[0].smart_series is not None
    assert np.array_equal(again.steps[0].smart_series["199_raw"], step.smart_series["199_raw"])


def test_every_round_writes_elsewhere() -> None:
    job = random_writes("w", request_bytes=4096, grid_bytes=4096, size_bytes=MIB, io_bytes=MIB, seed=2**64 - 1)
    seeds = {jobs_of_round([job], number)[0].seed for number in range(25)}
    assert len(seeds) == 25


def test_two_runs_of_one_experiment_are_compared(tmp_path: Path) -> None:
    from flashscope.cli.main import main

    store = str(tmp_path / "s.sqlite")
    first, second = run(tmp_path).id, run(tmp_path).id
    told = CliRunner().invoke(main, ["compare", first, second, "--store", store])
    assert told.exit_code == 0, told.output
    assert "same configuration" in told.stdout
    assert "0 of" in told.stdout
    document = json.loads(CliRunner().invoke(main, ["compare", first, second, "--store", store, "--json"]).stdout)
    assert {row["measure"] for row in document["steps"]} == {"write rate", "write p50", "write p99", "write p99.9"}
    missing = CliRunner().invoke(main, ["compare", first, "2019", "--store", store])
    assert missing.exit_code == 2


def test_records_of_different_builds_are_said_to_be_that(tmp_path: Path) -> None:
    from flashscope.cli.main import main

    path = tmp_path / "s.sqlite"
    first, second = run(tmp_path).id, run(tmp_path).id

    def compared(*more: str) -> str:
        told = CliRunner().invoke(main, ["compare", first, second, "--store", str(path), *more])
        assert told.exit_code == 0, told.output
        return told.stdout

    def set_versions(record_id: str, versions: dict[str, str]) -> None:
        with contextlib.closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE records SET versions_json = ? WHERE id = ?", (json.dumps(versions), record_id))
            seal_anew(connection, record_id)

    ours, before = program_versions(), {"flashscope": "0.1.0", "core": "0.1.0"}
    assert "build" not in compared()
    set_versions(second, {**ours, "package": "shows it otherwise"})
    assert "build" not in compared(), "what only shows results decides none"
    set_versions(second, {**ours, "core": "0123456789abcdef", "results": "fedcba9876543210"})
    assert f"different builds of flashscope (build {this_build().identity}; build " in compared()
    assert json.loads(compared("--json"))["builds"] == [
        f"build {this_build().identity}",
        f"build {ours['flashscope']}+fedcba9876543210",
    ]
    set_versions(second, before)
    assert f"(build {this_build().identity}; build unknown)" in compared()
    set_versions(first, before)
    assert "the builds of flashscope that made them are unknown" in compared()
