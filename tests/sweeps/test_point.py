"""A point's identity knows all that decides its result; its task is plain data from which the same point comes back."""

import json
from dataclasses import replace

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import parts_of
from flashscope.endurance.conditions import conditions_of, for_many
from flashscope.endurance.variation import Spread, drives_of_lots
from flashscope.runner.build import this_build
from flashscope.runner.effort import Effort, Extent
from flashscope.sweeps import keys as keys_module
from flashscope.sweeps.point import Point, point_of_task
from flashscope.sweeps.population import LifePoint
from flashscope.sweeps.work import perform, run_point


def point(address: str, what: str = "small-write-latency", effort: Effort | None = None) -> Point:
    parsed = parse_address(address)
    return Point(what, parsed, parts_of(parsed), effort or Effort(Extent.QUICK))


def test_whatever_decides_the_result_decides_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = point("sim:onyx-32")
    others = [
        point("sim:onyx-32?seed=1"),
        point("sim:onyx-32?aged=steady"),
        point("sim:onyx-32@offset=63s"),
        point("sim:onyx-32?gc.low_water_blocks=3"),
        point("sim:vertex-30"),
        point("stripe:128KiB:sim:onyx-32"),
        point("stripe:64KiB:sim:onyx-32"),
        point("sim:onyx-32", "stutter"),
        point("sim:onyx-32", effort=Effort()),
        replace(plain, conditions=conditions_of("", 5000, "death", "random", 0.0)),
        replace(plain, conditions=conditions_of("", 5000, "death", "sequential", 0.0)),
    ]
    assert len({plain.identity, *(one.identity for one in others)}) == len(others) + 1
    other = replace(this_build(), results="of another core")
    monkeypatch.setattr(keys_module, "this_build", lambda: other)
    again = point("sim:onyx-32")
    assert again.identity != plain.identity
    assert again.key.asked == plain.key.asked


def test_a_task_is_plain_data_and_gives_the_point_back() -> None:
    for one in (
        point("sim:onyx-32?seed=3&gc.low_water_blocks=3@offset=63s"),
        point("stripe:128KiB:sim:onyx-32+sim:vertex-30?host_rate=400MB/s"),
        replace(point("sim:onyx-32"), conditions=conditions_of("", 5000, "40 cycles", "mixed", 0.5)),
    ):
        there = point_of_task(json.loads(json.dumps(one.task())))
        assert there.identity == one.identity
        assert [part.to_core_json() for part in there.parts] == [part.to_core_json() for part in one.parts]


def test_a_worker_reads_no_part(monkeypatch: pytest.MonkeyPatch) -> None:
    one = point("sim:onyx-32?seed=3")
    expected = run_point(one, "")

    def no_file(*_: object, **__: object) -> None:
        raise AssertionError("a worker has only its task")

    monkeypatch.setattr("flashscope.drives.parts.part.read_part_file", no_file)
    answer = perform(one.task() | {"version": this_build().identity, "command": "typed"})
    record = answer["record"]
    assert [found.value for found in record.findings] == [found.value for found in expected.findings]
    assert record.command == "typed"
    assert record.seed == 3


def test_a_worker_of_another_version_computes_nothing() -> None:
    assert set(perform(point("sim:onyx-32").task() | {"version": "0.0.0", "command": ""})) == {"version"}


def test_what_the_drive_cannot_take_comes_back_in_words() -> None:
    task = point("sim:wd20ears", "rber-against-erase-count").task()
    answer = perform(task | {"version": this_build().identity, "command": ""})
    assert "cannot take" in answer["refused"]


def test_a_life_is_known_by_its_own_drive_not_by_how_many_there_are(small: dict[str, object]) -> None:
    conditions = for_many(conditions_of("", 30, "death", "sequential", 0.0))
    few, many = (
        [LifePoint(drive, small, conditions).identity for drive in drives_of_lots(count, 3, 5, Spread())]
        for count in (3, 6)
    )
    assert many[:3] == few
    assert len(set(many)) == 6
    other = LifePoint(drives_of_lots(1, 1, 5, Spread())[0], small, conditions_of("", 30, "death", "random", 0.0))
    assert other.identity not in many
