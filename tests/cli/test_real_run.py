"""The order of things on a real drive: the capacity check, then its speed, then what fits in the budget."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.cli.options import DriveOptions
from flashscope.cli.running import calibrated
from flashscope.cli.running.session import Course, Session, overall_status
from flashscope.cli.running.taking_part import Choice, TakingPart
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import Interrupted
from flashscope.experiments import catalogue, stutter
from flashscope.records import Record, Status, StepRecord
from flashscope.runner.asked import Asked
from flashscope.runner.budget.late import Pace, times_as_long
from flashscope.runner.budget.spent import Spent
from flashscope.runner.drive_speed import FASTEST, SLOWEST, DriveSpeed, Way
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.real_estimate import assumed_speed, expected_s
from flashscope.store.examinations import unfinished
from flashscope.store.store import Store
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle
from tests.facts import file_facts
from tests.known import known
from tests.records.make_records import small_record

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

FACTS = file_facts(2 << 30)


@pytest.fixture(autouse=True)
def short_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a file rests between loads is not what these tests are about."""
    monkeypatch.setattr(stutter, "_REST_NS", 20_000_000)


def examined(path: Path, names: Sequence[str], *, budget: tuple[str, ...] | None = None) -> list[Record]:
    """The records of a quick examination of a file. The store lies beside it."""
    options = DriveOptions(None, None, True, None, ())
    session = Session.of(f"file:{path}", options, path.parent / "s.sqlite", budget)
    experiments = [catalogue.find(name) for name in names]
    effort = Effort(Extent.QUICK)
    return session.run(
        lambda _: experiments, silent=True, quiet=True, yes=True, effort=effort, course=Course.EXAMINATION
    )


def kept(path: Path) -> list[str]:
    """The experiments whose records are in the store, in the order in which they began."""
    with Store(path.parent / "s.sqlite") as store:
        return [one.experiment for one in store.list()]


def has_speed(monkeypatch: pytest.MonkeyPatch, speed: DriveSpeed) -> None:
    """However short the examination is, the speed of the drive is measured, and is this one."""
    monkeypatch.setattr(calibrated, "_LEAST_NS", -1)
    monkeypatch.setattr("flashscope.cli.running.under_way.measured_speed", lambda *_, has_begun: speed)


def test_nothing_is_written_before_the_capacity_check_and_the_speed_is_measured_after_it(
    a_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrated, "_LEAST_NS", -1)
    records = examined(a_file, ("capacity", "stutter"))
    assert [record.experiment for record in records] == ["capacity", "stutter"]
    assert kept(a_file) == ["capacity", "calibration", "stutter"]


def test_nothing_else_is_written_to_a_fake(a_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrated, "_LEAST_NS", -1)
    monkeypatch.setattr(catalogue, "why_the_rest_is_senseless", lambda _: "it is a fake")
    examined(a_file, ("capacity", "stutter"))
    assert kept(a_file) == ["capacity"]


def test_a_stop_while_the_speed_is_measured_says_how_to_go_on(a_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(drive: object, asked: Asked, store: object, interruption: object, *, has_begun: bool) -> DriveSpeed:
        raise Interrupted("resumed" if has_begun else "nothing")

    monkeypatch.setattr(calibrated, "_LEAST_NS", -1)
    monkeypatch.setattr("flashscope.cli.running.under_way.measured_speed", stopped)
    with pytest.raises(Interrupted, match="resumed"):
        examined(a_file, ("capacity", "stutter"))
    with pytest.raises(Interrupted, match="nothing"):
        examined(a_file, ("stutter",))
    assert a_file.exists()


def test_what_does_not_fit_at_the_measured_speed_is_left_out_and_not_missed(
    a_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    way = Way(bytes_per_second=30e6, request_s=1e-3, requests_per_second=2_000, next_s=3e-4)
    has_speed(monkeypatch, DriveSpeed(way, way, start_s=1.0))
    records = examined(a_file, ("capacity", "stutter", "three-states"), budget=("24s", "3fills"))
    assert known(records[0].examination).experiments == ("capacity", "stutter", "three-states")
    assert known(records[1].examination).experiments == ("capacity", "stutter")
    assert {record.status for record in records} == {Status.DONE}
    with Store(a_file.parent / "s.sqlite") as store:
        assert unfinished(store.list(), f"file:{a_file}") is None


def spent_on(check: Experiment, speed: DriveSpeed) -> Spent:
    """What the check has cost at that speed."""
    steps = check.steps(FACTS)
    return Spent(sum(step.bytes_to_write for step in steps), expected_s(steps, speed))


def cost_s(taking_part: TakingPart, speed: DriveSpeed) -> float:
    return sum(expected_s(each.steps(FACTS), speed) for each in taking_part.experiments)


@pytest.mark.parametrize("speed", [SLOWEST, FASTEST], ids=["slow", "fast"])
def test_a_budget_of_time_is_kept_and_used_at_the_speed_that_was_measured(speed: DriveSpeed) -> None:
    choice = Choice.of(catalogue.all_experiments(), FACTS, typed=("20min", "30fills"))
    at_first = choice.made()
    check = at_first.experiments[0]
    again = choice.made(speed, [check], spent_on(check, speed))
    assert again.experiments[0] is check
    assert cost_s(again, speed) <= 1200
    if speed is SLOWEST:
        assert cost_s(at_first, speed) > 1.5 * 1200
    else:
        assert cost_s(at_first, speed) < cost_s(again, speed)


def test_no_second_choice_writes_more_than_the_budget() -> None:
    choice = Choice.of(catalogue.all_experiments(), FACTS, typed=("1fills",))
    check = choice.made().experiments[0]
    again = choice.made(FASTEST, [check], spent_on(check, FASTEST))
    steps = [step for each in again.experiments for step in each.steps(FACTS)]
    assert sum(step.bytes_to_write for step in steps) <= FACTS.user_bytes
    assert expected_s(steps, FASTEST) < expected_s(steps, assumed_speed(FACTS))


@contextlib.contextmanager
def at_load(number: int, then: Callable[[], None]) -> Iterator[None]:
    """Call something when the n-th load is about to begin."""
    left, start = number, SimulatedDrive.start

    def call_or_start(drive: SimulatedDrive, jobs: Sequence[Job], sample_interval_ns: int) -> object:
        nonlocal left
        left -= 1
        if left == 0:
            then()
        return start(drive, jobs, sample_interval_ns)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SimulatedDrive, "start", call_or_start)
        yield


def test_what_is_under_way_long_after_the_end_of_the_time_is_broken_off_and_reported(
    a_file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    over, end_at = [], Interruption.end_at

    def note(interruption: Interruption, time_s: float, why: str) -> None:
        over.append(lambda: end_at(interruption, 0.0, why))
        end_at(interruption, time_s, why)

    monkeypatch.setattr(Interruption, "end_at", note)
    with at_load(3, lambda: over[-1]()):
        records = examined(a_file, ("capacity", "stutter", "three-states"), budget=("40s", "3fills"))
    assert [record.status for record in records] == [Status.DONE, Status.OUT_OF_TIME]
    assert "the end of the time for the examination, 40 s" in records[1].note
    assert overall_status(records) is Status.DONE, "there is a report, of what was measured"
    said = capsys.readouterr().err
    assert "broken off: stutter; not begun: three-states" in said


def test_a_drive_that_becomes_slow_gets_fewer_experiments(a_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "flashscope.cli.running.under_way.times_as_long", lambda paces: 4000.0 if len(paces) > 1 else 1.0
    )
    records = examined(a_file, ("capacity", "stutter", "three-states"), budget=("40s", "3fills"))
    assert known(records[0].examination).experiments == ("capacity", "stutter", "three-states")
    assert [record.experiment for record in records] == ["capacity", "stutter"]


def test_rests_do_not_make_a_drive_slow() -> None:
    record = replace(small_record(), steps=[step("rest", 0, 60), step("load", 60, 90)])
    idle = Idle("rest", 60 * 10**9)
    assert times_as_long([Pace.of([idle], 61.0, record)]) == pytest.approx((30 + 5) / (1 + 5))
    assert times_as_long([Pace.of([idle], 90.0, record)]) == 1.0
    assert times_as_long([]) == 1.0


def step(name: str, began_s: int, ended_s: int) -> StepRecord:
    return StepRecord(0, name, "idle", started_ns=began_s * 10**9, ended_ns=ended_s * 10**9)
