"""Answers are kept as they come, in whatever order; a worker that dies loses nothing. Without Dask, in this process."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from flashscope.errors import Interrupted, WrongUse
from flashscope.records import Status
from flashscope.runner.build import this_build
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.pace_of_many import Pace
from flashscope.runner.progress.progress import Silent
from flashscope.store.store import Store
from flashscope.sweeps.collect import collect
from flashscope.sweeps.exchange import Ended, check_versions
from flashscope.sweeps.grid import Grid
from flashscope.sweeps.outcome import Outcome, chosen_findings, to_csv
from flashscope.sweeps.point import Point
from flashscope.sweeps.sweep import sweep
from flashscope.sweeps.work import perform


@dataclass
class Here:
    """A cluster in this process, newest task first. kills: identity -> how often its worker dies of it."""

    worker_count: int = 2
    lost_workers: int = 0
    has_workers: bool = True
    kills: dict[str, int] = field(default_factory=dict)
    version: str = ""
    tasks: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    computed: list[str] = field(default_factory=list)
    most_at_once: int = 0

    def submit(self, key: str, task: Mapping[str, Any]) -> None:
        self.tasks.append((key, task))
        self.most_at_once = max(self.most_at_once, len(self.tasks))

    def next(self, timeout_s: float) -> Ended | None:
        key, task = self.tasks.pop()
        identity = key.split("-")[1]
        if self.kills.get(identity, 0) > 0:
            self.kills[identity] -= 1
            self.lost_workers += 1
            return Ended(key, died=True)
        self.computed.append(identity)
        return Ended(key, answer=perform({**task, "version": self.version or this_build().identity}))

    def drop_all(self) -> None:
        self.tasks.clear()

    def __enter__(self) -> "Here":
        return self

    def __exit__(self, *_: object) -> None:
        self.drop_all()


def points(seeds: str = "1..3", low_water: str = "3,4") -> list[Point]:
    grid = Grid.of(["onyx-32"], [f"gc.low_water_blocks={low_water}"], seeds)
    return grid.points(lambda address, parts: Point("small-write-latency", address, parts, Effort(Extent.QUICK)))


def run(store: Store, wanted: list[Point], cluster: Here, said: list[str] | None = None, **more: Any) -> list[Outcome]:
    interruption = more.pop("interruption", Interruption())
    return sweep(
        wanted, store, lambda count: cluster, command="typed", progress=Silent(),
        interruption=interruption, say=(said if said is not None else []).append, **more,
    )  # fmt: skip


def concluded(outcomes: list[Outcome]) -> list[tuple[object, ...]]:
    return [(one.address, one.status, one.findings) for one in outcomes]


def test_only_what_is_missing_is_computed_again(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        first, said = Here(), list[str]()
        outcomes = run(store, points(), first)
        assert len(first.computed) == len(outcomes) == 6
        assert first.most_at_once <= 4, "a few ahead of the workers, not all at once"
        assert [one.varied for one in outcomes] == [point.varied for point in points()], "in the order of the points"
        more = Here()
        again = run(store, points("1..4"), more, said)
        assert len(more.computed) == 2
        assert said == ["6 of 8 are in the store already"]
        assert [one.was_there for one in again] == [True, True, True, False] * 2
        assert concluded([one for one in again if one.was_there]) == concluded(outcomes), "the store gives them back"
        none = Here()
        assert len(run(store, points("2..3"), none)) == 4
        assert not none.computed
        run(store, points("2..3"), none, anew=True)
        assert len(none.computed) == 4
        record = store.load(outcomes[0].record_id)
        assert record.command == "typed"
        assert record.drive == "sim:onyx-32?gc.low_water_blocks=3"


def test_a_point_whose_steps_are_damaged_cannot_be_judged_and_is_computed_again(tmp_path: Path) -> None:
    path, said = tmp_path / "store.sqlite", list[str]()
    with Store(path) as store:
        (outcome,) = run(store, points("1", "3"), Here())
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE steps SET name = 'other' WHERE step_index = 0")
    connection.close()
    with Store(path) as store:
        again = Here()
        (computed,) = run(store, points("1", "3"), again, said)
        assert len(again.computed) == 1
        assert computed.findings == outcome.findings
        assert any("its points are computed again" in line for line in said)


def test_a_sweep_that_is_stopped_keeps_what_is_done_and_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(Store(tmp_path / "whole.sqlite"), points(), Here())
    with Store(tmp_path / "store.sqlite") as store:
        interruption, cluster = Interruption(), Here()
        take = cluster.next

        def stop_after_two(timeout_s: float) -> Ended | None:
            if len(cluster.computed) == 1:
                interruption.request("a test")
            return take(timeout_s)

        monkeypatch.setattr(cluster, "next", stop_after_two)
        stopped = run(store, points(), cluster, interruption=interruption)
        assert len(stopped) == 2
        rest = Here()
        assert concluded(run(store, points(), rest)) == concluded(whole)
        assert len(rest.computed) == 4


def test_a_killed_client_keeps_what_it_had_taken_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Here()
    take = cluster.next

    def die_after_three(timeout_s: float) -> Ended | None:
        if len(cluster.computed) == 3:
            raise KeyboardInterrupt
        return take(timeout_s)

    monkeypatch.setattr(cluster, "next", die_after_three)
    with Store(tmp_path / "store.sqlite") as store, pytest.raises(KeyboardInterrupt):
        run(store, points(), cluster)
    with Store(tmp_path / "store.sqlite") as store:
        assert len(store.points([point.identity for point in points()])) == 3


def test_a_task_that_kills_its_workers_is_failed_alone_and_the_others_go_on(tmp_path: Path) -> None:
    guilty, innocent, *_ = points()
    cluster, said = Here(kills={guilty.identity: 2, innocent.identity: 1}), list[str]()
    with Store(tmp_path / "store.sqlite") as store:
        outcomes = run(store, points(), cluster, said)
        assert [one.status for one in outcomes] == [Status.FAILED] + [Status.DONE] * 5
        assert "each worker that computed it died" in outcomes[0].note
        assert "3 workers lost so far; their points go to the others" in said
        kept = store.load(outcomes[0].record_id)
        assert (kept.status, kept.drive) == (Status.FAILED, str(guilty.address))
        again = Here()
        healed = run(store, points(), again)
        assert again.computed == [guilty.identity], "what failed so is tried again"
        assert all(one.status is Status.DONE for one in healed)


def test_a_point_its_worker_refuses_is_failed_in_words(tmp_path: Path) -> None:
    grid = Grid.of(["onyx-32"], [], "1..2")
    wanted = grid.points(lambda address, parts: Point("stripe-scaling", address, parts))
    with Store(tmp_path / "store.sqlite") as store:
        outcomes = run(store, wanted, Here())
    assert [one.status for one in outcomes] == [Status.FAILED, Status.FAILED]
    assert "cannot take stripe-scaling" in outcomes[0].note


def test_another_version_among_the_workers_is_named() -> None:
    (one,) = points("1", "4")
    with pytest.raises(WrongUse, match="a worker has flashscope"):
        collect([one], _Old(), command="", keep=lambda *_: None, fail=lambda *_: None)
    check_versions({"tcp://a:1": this_build().identity})
    with pytest.raises(WrongUse, match=r"the worker at tcp://b:2 has flashscope 0\.0\.1"):
        check_versions({"tcp://a:1": this_build().identity, "tcp://b:2": "0.0.1"})
    with pytest.raises(WrongUse, match="has a flashscope that cannot sweep"):
        check_versions({"tcp://a:1": ModuleNotFoundError("No module named 'flashscope'")})


class _Old(Here):
    def next(self, timeout_s: float) -> Ended | None:
        key, _ = self.tasks.pop()
        return Ended(key, answer={"version": "0.0.1"})


def test_a_stop_before_anything_ended_computes_nothing() -> None:
    def stop() -> None:
        raise Interrupted("stopped by a test")

    cluster = Here()
    with pytest.raises(Interrupted):
        collect(points(), cluster, command="", keep=lambda *_: None, fail=lambda *_: None, check=stop)
    assert not cluster.tasks
    assert not cluster.computed


def test_a_cluster_without_workers_is_waited_for_and_that_is_said_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster, said = Here(has_workers=False), list[str]()
    take, asked = cluster.next, list[float]()

    def nobody_at_first(timeout_s: float) -> Ended | None:
        asked.append(timeout_s)
        cluster.has_workers = len(asked) > 5
        return take(timeout_s) if cluster.has_workers else None

    monkeypatch.setattr(cluster, "next", nobody_at_first)
    with Store(tmp_path / "store.sqlite") as store:
        assert len(run(store, points("1", "4"), cluster, said)) == 1
    assert said == ["no worker is there; waiting for one"]


def test_progress_never_goes_back_and_says_nothing_before_it_knows() -> None:
    now = [0.0]
    pace = Pace(10, clock=lambda: now[0])
    shown = []
    for second in range(100):
        now[0] = float(second)
        if second and second % 10 == 0:
            pace.ended(10.0)
        shown.append(pace.share(1))
    assert shown[9] == 0.0
    assert shown == sorted(shown)
    assert shown[15] == pytest.approx(0.15)
    assert shown[99] < 1.0


def test_findings_become_rows(tmp_path: Path) -> None:
    with Store(tmp_path / "store.sqlite") as store:
        outcomes = run(store, points("1..2", "4"), Here())
    keys = chosen_findings(outcomes, ())
    assert keys[0] == "access_time_write_ns"
    with pytest.raises(WrongUse, match="no point of this sweep has a finding nonsense"):
        chosen_findings(outcomes, ["nonsense"])
    header, *rows = to_csv(outcomes).splitlines()
    assert header == "address,seed,status,record,finding,value,unit,low,high,confidence_ratio"
    assert len(rows) == sum(len(one.findings) for one in outcomes)
