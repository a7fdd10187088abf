"""The lives of a population as points: each is found again, and each can be computed on any worker.

    DriveOfLot + configuration + conditions --identity--> a step of the population's record

A life depends only on seed, lot and number, so a population of 40 reuses the 31 lives that exist.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from flashscope.endurance.life import Conditions
from flashscope.endurance.population import Row
from flashscope.endurance.variation import DriveOfLot
from flashscope.records import Status, StepKind, StepRecord
from flashscope.records.plain import plain
from flashscope.store.points import PointKey
from flashscope.store.store import Store
from flashscope.sweeps.keys import key_of, say_other_builds


@dataclass(frozen=True)
class LifePoint:
    """One life of a population. configuration: of the part; the drive's own follows from it."""

    drive: DriveOfLot
    configuration: dict[str, Any]
    conditions: Conditions

    @cached_property
    def key(self) -> PointKey:
        """What it is found again by."""
        return key_of(
            {
                "what": "life",
                "drive": self.drive,
                "configuration": self.drive.applied_to(self.configuration),
                "conditions": self.conditions,
            }
        )

    @property
    def identity(self) -> str:
        """The hash of all that decides the life."""
        return self.key.identity

    def task(self) -> dict[str, Any]:
        """For a worker."""
        return {
            "kind": "life",
            "drive": asdict(self.drive),
            "configuration": self.configuration,
            "conditions": asdict(self.conditions),
        }


def lives_there(store: Store, lives: Iterable[LifePoint]) -> dict[int, Row]:
    """Those lives that the store has, by number of the drive; without those of damaged records (`Store.damaged`)."""
    by_identity = {life.identity: life for life in lives}
    found: dict[int, Row] = {}
    for identity, place in store.points(by_identity).items():
        with store.noting_damage(place.record_id):
            found[by_identity[identity].drive.number] = row_of(store.step_parameters(place)["row"])
    return found


def say_lives_of_other_builds(store: Store, lives: Sequence[LifePoint], there: Collection[int]) -> str:
    """A line about lives that only other builds have computed; empty without any. there: numbers this build has."""
    keys = [life.key for life in lives]
    ours = {life.identity for life in lives if life.drive.number in there}
    return say_other_builds(keys, ours, store.points_of_other_builds(keys), "lives")


def keep_life(store: Store, record_id: str, life: LifePoint, row: Row) -> StepRecord:
    """Keep a life as a step of the population's record; durable on return. Returns the step."""
    step = StepRecord(
        row.number, f"drive {row.number + 1} of lot {row.lot + 1}", StepKind.LIFE,
        status=Status.DONE, ended_ns=row.elapsed_ns, parameters=plain({"row": asdict(row)}),
    )  # fmt: skip
    store.save_step(record_id, step, point=life.key)
    return step


def row_of(values: Mapping[str, Any]) -> Row:
    """A life from its plain form."""
    return Row(**values)
