"""The order of things on a real drive: the capacity check, then its speed, then what fits in the budget."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from flashscope.cli.options import DriveOptions
from flashscope.cli.running import calibrated
from flashscope.cli.running.session import Course, Session
from flashscope.cli.running.taking_part import Choice, TakingPart
from flashscope.errors import Interrupted
from flashscope.experiments import catalogue, stutter
from flashscope.records import Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.drive_speed import FASTEST, SLOWEST, DriveSpeed, Way
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.real_estimate import assumed_speed, expected_s
from flashscope.store.examinations import unfinished
from flashscope.store.store import Store
from tests.facts import file_facts
from tests.known import known

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
    monkeypatch.setattr("flashscope.cli.running.real_run.measured_speed", lambda *_, has_begun: speed)


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
    monkeypatch.setattr("flashscope.cli.running.real_run.measured_speed", stopped)
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
    records = examined(a_file, ("capacity", "stutter", "three-states"), budget=("34s", "3fills"))
    assert known(records[0].examination).experiments == ("capacity", "stutter", "three-states")
    assert known(records[1].examination).experiments == ("capacity", "stutter")
    assert {record.status for record in records} == {Status.DONE}
    with Store(a_file.parent / "s.sqlite") as store:
        assert unfinished(store.list(), f"file:{a_file}") is None


def cost_s(taking_part: TakingPart, speed: DriveSpeed) -> float:
    return sum(expected_s(each.steps(FACTS), speed) for each in taking_part.experiments)


@pytest.mark.parametrize("speed", [SLOWEST, FASTEST], ids=["slow", "fast"])
def test_a_budget_of_time_is_kept_and_used_at_the_speed_that_was_measured(speed: DriveSpeed) -> None:
    choice = Choice.of(catalogue.all_experiments(), FACTS, typed=("20min", "30fills"))
    at_first = choice.made()
    check = at_first.experiments[0]
    again = choice.made(speed, [check])
    assert again.experiments[0] is check
    assert cost_s(again, speed) <= 1200
    if speed is SLOWEST:
        assert cost_s(at_first, speed) > 1.5 * 1200
    else:
        assert cost_s(at_first, speed) < cost_s(again, speed)


def test_no_second_choice_writes_more_than_the_budget() -> None:
    choice = Choice.of(catalogue.all_experiments(), FACTS, typed=("1fills",))
    check = choice.made().experiments[0]
    steps = [step for each in choice.made(FASTEST, [check]).experiments for step in each.steps(FACTS)]
    assert sum(step.bytes_to_write for step in steps) <= FACTS.user_bytes
    assert expected_s(steps, FASTEST) < expected_s(steps, assumed_speed(FACTS))
