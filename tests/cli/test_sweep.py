"""`flashscope sweep`, and `endure --drives` on a cluster: what is kept, what is told, what is refused."""

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.endurance.population import rows_of
from flashscope.records import Status
from flashscope.store.store import Store
from flashscope.sweeps.cluster import open_local
from tests.sweeps.conftest import SMALL, address_of

LATENCY = ("sweep", "small-write-latency", "--quick", "--part", "onyx-32")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a cluster that stands for somebody's."""
    with open_local(2) as cluster:
        yield address_of(cluster)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_a_sweep_on_an_existing_cluster_computes_what_is_missing(scheduler: str, tmp_path: Path) -> None:
    store, page, table = tmp_path / "store.sqlite", tmp_path / "page.html", tmp_path / "table.csv"
    to = ("--store", str(store), "--scheduler", scheduler)
    code, out, err = run(*LATENCY, "--set", "gc.low_water_blocks=2,4", "--seeds", "1..2", *to)
    assert code == 0, err
    assert "4 of 4 points, 0 of them were in the store already" in out
    assert "4 points: 2 gc.low_water_blocks x 2 seeds" in err
    more = ("--set", "gc.low_water_blocks=2,3,4", "--seeds", "1..2")
    code, out, err = run(*LATENCY, *more, *to, "--csv", str(table), "-o", str(page), "--json")
    assert code == 0, err
    document = json.loads(out)
    assert (document["points"], document["there"], document["failed"], document["missing"]) == (6, 4, 0, 0)
    assert [one["varied"] for one in document["outcomes"]] == [
        {"gc.low_water_blocks": value, "seed": seed} for value in "234" for seed in "12"
    ]
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert {row["gc.low_water_blocks"] for row in rows} == {"2", "3", "4"}
    assert "<svg" in page.read_text()
    assert "gc.low_water_blocks" in page.read_text()
    with Store(store) as kept:
        assert len(kept.list()) == 6
    # All is there: no cluster is asked for, so none has to be reached.
    code, out, err = run(*LATENCY, *more, "--store", str(store), "--scheduler", "tcp://127.0.0.1:1")
    assert code == 0, err
    assert "6 of 6 are in the store already" in err


def test_a_sweep_stopped_by_ctrl_c_goes_on_from_there(scheduler: str, tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    arguments = ["sweep", "endure", "--part", SMALL, "--until", "death", "--seeds", "1..14", "--store", str(store)]
    process = subprocess.Popen(
        [sys.executable, "-m", "flashscope", *arguments, "--workers", "2"],
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        while process.poll() is None and not _kept(store):
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to all processes, the workers included
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 1, err
    assert "Traceback" not in err
    assert "stopping; the points that ended are kept" in err
    before = _kept(store)
    assert 0 < before < 14
    assert f"{14 - before} points are missing; the same command computes them" in out
    code, out, err = run(*arguments, "--scheduler", scheduler, "--json")
    assert code == 0, err
    document = json.loads(out)
    assert document["there"] == before
    with Store(store) as kept:
        assert {summary.status for summary in kept.list()} == {Status.DONE}
    whole = json.loads(run(*arguments[:-1], str(tmp_path / "whole.sqlite"), "--scheduler", scheduler, "--json")[1])
    told = [[(one["address"], one["findings"]) for one in each["outcomes"]] for each in (document, whole)]
    assert told[0] == told[1]


def test_ctrl_c_while_the_workers_start_is_heard_by_the_client_alone(tmp_path: Path) -> None:
    arguments = ["sweep", "endure", "--part", SMALL, "--seeds", "1..24", "--store", str(tmp_path / "store.sqlite")]
    process = subprocess.Popen(
        [sys.executable, "-m", "flashscope", *arguments, "--workers", "2"],
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert process.stderr is not None
        while "sweep of endure" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(1.0)  # Dask is loaded, and its processes are on their way
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 1, err
    assert "KeyboardInterrupt" not in err
    assert "the same command computes them" in out


def _kept(store: Path) -> int:
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            count: int = connection.execute("SELECT count(*) FROM points").fetchone()[0]
            return count
    except sqlite3.OperationalError:  # not made yet
        return 0


def test_a_population_on_a_cluster_is_that_of_threads_and_grows_by_what_is_missing(
    scheduler: str, tmp_path: Path
) -> None:
    threads, cluster = tmp_path / "threads.sqlite", tmp_path / "cluster.sqlite"
    endure = ("endure", SMALL, "--lots", "3", "--json")
    assert run(*endure, "--drives", "6", "--store", str(threads))[0] == 0
    code, _, err = run(*endure, "--drives", "3", "--store", str(cluster), "--scheduler", scheduler)
    assert code == 0, err
    code, _, err = run("endure", SMALL, "--lots", "3", "--drives", "6", "--store", str(cluster), "--scheduler",
                         scheduler, "-o", str(tmp_path / "report.html"))  # fmt: skip
    assert code == 0, err
    assert "3 of 6 lives are in the store already" in err
    with Store(threads) as one, Store(cluster) as other:
        first, second = one.load("last"), other.load("last")
    assert rows_of(first) == rows_of(second)
    assert len(rows_of(first)) == 6
    assert first.findings == second.findings
    assert [step.parameters for step in first.steps] == [step.parameters for step in second.steps]


def test_a_population_that_is_stopped_keeps_its_lives(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    arguments = ["endure", SMALL, "--drives", "24", "--lots", "3", "--workers", "1", "--store", str(store)]
    process = subprocess.Popen(
        [sys.executable, "-m", "flashscope", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        while process.poll() is None and _kept(store) < 2:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
    assert process.returncode == 1, err
    kept = _kept(store)
    assert 2 <= kept < 24
    with Store(store) as there:
        record = there.load("last")
    assert (record.status, len(record.steps)) == (Status.INTERRUPTED, kept)
    assert f"{kept} of 24 lives are kept" in record.note
    code, _, err = run(*arguments)
    assert code == 0, err
    assert f"{kept} of 24 lives are in the store already" in err
    code, _, err = run(*arguments, "--anew")
    assert code == 0, err
    assert "there already" not in err
    assert run(*arguments[:-1], str(tmp_path / "whole.sqlite"))[0] == 0
    with Store(store) as there, Store(tmp_path / "whole.sqlite") as whole:
        assert there.load("last").findings == whole.load("last").findings


@pytest.mark.parametrize(
    ("arguments", "lesson"),
    [
        (("sweep", "stuter", "--part", "onyx-32"), 'there is no experiment "stuter"'),
        (("sweep", "stripe-scaling", "--part", "onyx-32"), "cannot take stripe-scaling"),
        (("sweep", "stutter", "--part", "onyx-32", "--until", "death"), "--until is for endure"),
        (("sweep", "endure", "--part", "onyx-32", "--quick"), "endure takes no --quick"),
        (("sweep", "endure", "--part", "wd20ears"), "does not wear out"),
        (("sweep", "endure", "--part", "onyx-32", "--until", "0 cycles"), "would write nothing"),
        (("sweep", "stutter", "--part", "onyx-32", "--seeds", "1..200000"), "--yes"),
        (("sweep", "stutter", "--part", "onyx-32", "--scheduler", "nowhere"), "--scheduler is 'nowhere'"),
        (("sweep", "stutter", "--part", "onyx-32", "--scheduler", "tcp://127.0.0.1:1"), "no Dask scheduler answers"),
        (
            ("sweep", "stutter", "--part", "onyx-32", "--scheduler", "tcp://127.0.0.1:1", "--workers", "2"),
            "one of the two options",
        ),
        (("endure", "sim:onyx-32", "--scheduler", "local"), "--scheduler is for many drives"),
        (("endure", "sim:onyx-32", "--drives", "2", "--scheduler", "tcp://127.0.0.1:1"), "no Dask scheduler answers"),
    ],
)
def test_what_makes_no_sense_is_refused_soon_and_in_words(
    arguments: tuple[str, ...], lesson: str, tmp_path: Path
) -> None:
    begun_s = time.monotonic()
    code, _, err = run(*arguments, "--store", str(tmp_path / "store.sqlite"))
    assert code == 2, err
    assert lesson in err
    assert time.monotonic() - begun_s < 30
    if (tmp_path / "store.sqlite").exists():
        with Store(tmp_path / "store.sqlite") as store:
            assert not [one for one in store.list() if one.status is Status.DONE]
