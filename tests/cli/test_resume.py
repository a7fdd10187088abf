"""`examine --resume`: an examination that was stopped anywhere ends with the same records as one that was not."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flashscope.cli.options import DriveOptions
from flashscope.cli.running.resume import Typed, say_taken_up, take_up
from flashscope.cli.running.session import Course, Session
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue, stutter
from flashscope.records import Record, Status
from flashscope.records.plain import plain
from flashscope.runner.budget.spent import spent_by
from flashscope.runner.drive_speed import DriveSpeed, Way
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.hands.places.check import PlaceCheck
from flashscope.store.store import Store
from flashscope.workloads.job import Job
from tests.known import known
from tests.own_data import own_data

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

QUICK = Effort(Extent.QUICK)
NAMES = ("command-gathering", "crystaldiskmark-8", "queue-depth")
"""The cheapest."""
WITHOUT_REST = ("compressibility", "stutter")
NOWHERE = 10**9
NO_OPTIONS = DriveOptions(None, None, True, None, ())


@pytest.fixture(autouse=True)
def short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a file rests between loads is not what these tests are about."""
    monkeypatch.setattr(stutter, "_REST_NS", 20_000_000)


@contextlib.contextmanager
def stopped_at(load: int) -> Iterator[None]:
    """Send a signal to this process when the n-th load of a virtual drive is about to begin."""
    left, start = load, SimulatedDrive.start

    def stop_or_start(drive: SimulatedDrive, jobs: Sequence[Job], sample_interval_ns: int) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(0.05)  # the main thread hears it meanwhile
        return start(drive, jobs, sample_interval_ns)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SimulatedDrive, "start", stop_or_start)
        yield


def examined(
    session: Session,
    *,
    stop_at: int = NOWHERE,
    resume: bool = False,
    names: Sequence[str] = NAMES,
    effort: Effort = QUICK,
    budget: tuple[str, ...] | None = None,
) -> list[Record]:
    """The records of an examination with these experiments. stop_at: the load that brings a signal."""
    chosen: list[Experiment] = [catalogue.find(name) for name in names]
    course = Course.RESUMED if resume else Course.EXAMINATION
    with stopped_at(stop_at):
        return replace(session, budget=budget).run(
            lambda _: chosen, silent=True, quiet=True, yes=True, effort=effort, course=course, named=not resume
        )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """The records of an examination that nobody stopped."""
    store_path = tmp_path_factory.mktemp("whole") / "s.sqlite"
    return examined(Session.of("sim:onyx-32", NO_OPTIONS, store_path))


@pytest.mark.parametrize("stop_at", [1, 9, 20])
def test_a_virtual_drive_is_examined_to_the_end_wherever_it_was_stopped(
    stop_at: int, whole: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("flashscope.runner.run_many.workers_for", lambda count, drive_bytes: 1)
    stopped = Session.of("sim:onyx-32", NO_OPTIONS, tmp_path / "stopped.sqlite")
    before = examined(stopped, stop_at=stop_at)
    kept = [record.id for record in before if record.status is Status.DONE]
    assert len(kept) < len(NAMES)
    after = examined(stopped, resume=True, names=[each.name for each in catalogue.all_experiments()])
    assert [record.experiment for record in after] == list(NAMES)
    assert {record.status for record in after} == {Status.DONE}
    assert all(record.examination is not None and record.examination.named for record in after), "they end in full"
    assert {record.id for record in after} >= set(kept)
    for first, second in zip(whole, after, strict=True):
        assert plain(first.findings) == plain(second.findings)
        assert first.configuration_hash == second.configuration_hash
        assert second.doubts == first.doubts
    with pytest.raises(WrongUse, match="is complete: `flashscope dossier sim:onyx-32` shows it"):
        examined(stopped, resume=True)


@pytest.mark.parametrize("stop_at", [1, 5, 6])
def test_a_file_is_examined_to_the_end_and_what_was_begun_again_says_so(
    stop_at: int, a_file: Path, tmp_path: Path
) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    names = WITHOUT_REST
    before = examined(session, stop_at=stop_at, names=names)
    done = {record.experiment: record.id for record in before if record.status is Status.DONE}
    begun = [record.experiment for record in before if record.status is not Status.DONE]
    assert len(done) < len(names)
    after = examined(session, resume=True, names=names)
    assert [record.experiment for record in after] == list(names)
    assert {record.status for record in after} == {Status.DONE}
    for record in after:
        kinds = {doubt.kind for doubt in record.doubts}
        assert ("AfterInterruption" in kinds) == (record.experiment in begun)
    assert done.items() <= {record.experiment: record.id for record in after}.items()


def test_what_a_budget_allotted_is_kept(a_file: Path, tmp_path: Path) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    examined(session, stop_at=1, names=("stutter",), budget=("200MB",))
    with pytest.raises(WrongUse, match=r"--budget differs.* 200MB"):
        examined(session, resume=True, names=("stutter",), budget=("1fills",))
    (record,) = examined(session, resume=True, names=("stutter",))
    assert record.status is Status.DONE
    assert record.configuration["effort"]["most_bytes"] <= 200 * 10**6
    assert sum(step.workload.totals["written_bytes"] for step in record.steps if step.workload) <= 200 * 10**6


def test_what_fits_is_chosen_again_as_in_an_examination_that_nobody_stopped(
    a_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped in the capacity check, before the speed was measured; the rest is chosen by the speed as it is then."""
    names, budget = ("capacity", "stutter", "three-states"), ("24s", "3fills")
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    check = PlaceCheck.run

    def stopped_check(self: PlaceCheck) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        check(self)

    with monkeypatch.context() as patch:
        patch.setattr(PlaceCheck, "run", stopped_check)
        (stopped,) = examined(session, names=names, budget=budget)
    assert known(stopped.examination).experiments == names
    assert known(stopped.examination).candidates == names
    way = Way(bytes_per_second=30e6, request_s=1e-3, requests_per_second=2_000, next_s=3e-4)
    monkeypatch.setattr("flashscope.cli.running.calibrated._LEAST_NS", -1)
    slow = DriveSpeed(way, way, start_s=1.0)
    monkeypatch.setattr("flashscope.cli.running.under_way.measured_speed", lambda *_, has_begun: slow)
    records = examined(session, resume=True, names=[each.name for each in catalogue.all_experiments()])
    assert [record.experiment for record in records] == ["capacity", "stutter"]
    assert {record.status for record in records} == {Status.DONE}
    with pytest.raises(WrongUse, match="is complete"):
        examined(session, resume=True)


def test_what_was_spent_before_counts(a_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    before = examined(session, stop_at=2, names=("capacity", "stutter"), budget=("3fills",))
    assert [record.status for record in before] == [Status.DONE, Status.INTERRUPTED]
    facts = before[0].drive_facts
    taken = take_up(session.store_path, facts, Typed(None, QUICK, None, glass=False))
    assert taken.spent.written_bytes == spent_by(before).written_bytes
    check = before[0].steps[0].parameters["region_bytes"]
    assert taken.spent.written_bytes > check, "the broken-off experiment has written, too"


def test_another_choice_effort_seed_drive_or_build_is_refused_with_its_reason(
    a_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    with pytest.raises(WrongUse, match="has no examination of"):
        examined(session, resume=True)
    examined(session, stop_at=2, names=WITHOUT_REST)
    with pytest.raises(WrongUse, match=r"--only differs.* compressibility and 1 more"):
        examined(session, resume=True, names=NAMES)
    with pytest.raises(WrongUse, match=r"--quick, --full or --read-only differs.* has --quick"):
        examined(session, resume=True, names=WITHOUT_REST, effort=Effort(Extent.FULL))
    other_seed = Session.of(f"file:{a_file}", DriveOptions(7, None, True, None, ()), session.store_path)
    with pytest.raises(WrongUse, match=r"--seed differs.* seed 0"):
        examined(other_seed, resume=True, names=WITHOUT_REST)
    with monkeypatch.context() as patch:
        patch.setattr(
            "flashscope.cli.running.resume.this_build", lambda: type("Other", (), {"identity": "0.2.0+def"})()
        )
        with pytest.raises(WrongUse, match=r"another build.* this is 0\.2\.0\+def"):
            examined(session, resume=True, names=WITHOUT_REST)
    os.truncate(a_file, 512 << 20)
    with pytest.raises(WrongUse, match="not the drive of the interrupted examination: its size is 537 MB"):
        examined(session, resume=True, names=WITHOUT_REST, effort=STANDARD)


def test_another_file_of_the_same_name_and_size_is_refused(a_file: Path, tmp_path: Path) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    (first, _) = examined(session, stop_at=6, names=WITHOUT_REST)
    assert first.status is Status.DONE
    a_file.rename(tmp_path / "kept.img")
    again = Session.of(f"file:{a_file}", DriveOptions(None, "256MiB", True, None, ()), session.store_path)
    with pytest.raises(WrongUse, match=r"not the file of the interrupted examination: it is gone, and was inode \d+"):
        examined(again, resume=True, names=WITHOUT_REST)
    shutil.copy(tmp_path / "kept.img", a_file)
    with pytest.raises(WrongUse, match=r"not the file of the interrupted examination: it is inode \d+"):
        examined(session, resume=True, names=WITHOUT_REST)
    elsewhere = Session.of("sim:onyx-32", NO_OPTIONS, session.store_path)
    with pytest.raises(WrongUse, match=f"unfinished ones there: file:{a_file}"):
        examined(elsewhere, resume=True)


def test_a_drive_that_dies_on_the_way_ends_in_what_was_measured(
    a_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    start = SimulatedDrive.start

    def shorten_or_start(drive: SimulatedDrive, jobs: Sequence[Job], sample_interval_ns: int) -> Any:
        if jobs[0].name == "prefill":  # of the second experiment; how many loads come before depends on the machine
            os.truncate(a_file, 1 << 20)
        return start(drive, jobs, sample_interval_ns)

    monkeypatch.setattr(SimulatedDrive, "start", shorten_or_start)
    names = (*WITHOUT_REST, "command-gathering", "queue-depth")
    first, second = examined(session, names=names)
    assert (first.status, second.status) == (Status.DONE, Status.FAILED)
    said = capsys.readouterr().err
    assert "not begun: 2 more experiments, because" in said
    assert "has 1048576 bytes now and had 268435456" in said
    assert "--resume" in said


def test_what_goes_on_and_what_it_takes_up_is_said(a_file: Path, tmp_path: Path) -> None:
    session = Session.of(f"file:{a_file}", NO_OPTIONS, tmp_path / "s.sqlite")
    examined(session, stop_at=6, names=WITHOUT_REST, budget=("1fills",))
    taken = take_up(session.store_path, session.facts(), Typed(None, STANDARD, None, False))
    assert re.fullmatch(
        r"the examination begun [-0-9]{10} [0-9:]{5} UTC \(--quick, --budget 1fills\) goes on: "
        r"1 of 2 experiments are done, the next is stutter again",
        say_taken_up(taken),
    )


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("address", ["sim:onyx-32", "file:drive.img"])
def test_a_signal_or_a_kill_ends_a_process_and_another_one_goes_on(
    address: str, number: signal.Signals, tmp_path: Path
) -> None:
    if address.startswith("file:") and shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    (tmp_path / "drive.img").write_bytes(own_data(64 << 20))
    names = WITHOUT_REST if address.startswith("file:") else NAMES
    only = [word for name in names for word in ("--only", name)]
    command = [sys.executable, "-m", "flashscope", "examine", address, "--quick", "--write-ok", "--store", "s.sqlite"]
    process = subprocess.Popen([*command, *only], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    _wait_for_a_step(tmp_path / "s.sqlite", process)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode != 0
    resumed = subprocess.run([*command, "--resume"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert resumed.returncode == 0, resumed.stderr
    assert "Traceback" not in resumed.stderr
    assert "goes on:" in resumed.stderr
    assert "Report: " in resumed.stdout
    with Store(tmp_path / "s.sqlite") as store:
        done = [one.experiment for one in store.list() if one.status is Status.DONE]
    assert sorted(done) == sorted(names)


def _wait_for_a_step(path: Path, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None, process.communicate()
        if path.exists():
            with Store(path) as store:
                if any(one.step_count for one in store.list()):
                    return
        time.sleep(0.05)
    pytest.fail("the examination did not begin")
