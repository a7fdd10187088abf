"""The lives of a population as points: each is found again, and each can be lived on any worker.

    DriveOfLot + configuration + conditions --identity--> a step of the population's record

A life is a function of seed, lot and number, so a population of 40 takes over the 31 lives that are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from flashscope.endurance.life import Conditions
from flashscope.endurance.population import Row
from flashscope.endurance.variation import DriveOfLot
from flashscope.records import Status, StepRecord
from flashscope.records.plain import fingerprint, plain
from flashscope.records.store import Store
from flashscope.runner.host import flashscope_version


@dataclass(frozen=True)
class LifePoint:
    """One life of a population. configuration: of the part; the drive's own follows from it."""

    drive: DriveOfLot
    configuration: dict[str, Any]
    conditions: Conditions

    @cached_property
    def identity(self) -> str:
        """The hash of all that decides the life."""
        return fingerprint(
            {
                "what": "life",
                "drive": self.drive,
                "configuration": self.drive.applied_to(self.configuration),
                "conditions": self.conditions,
                "version": flashscope_version(),
            }
        )

    def task(self) -> dict[str, Any]:
        """For a worker."""
        return {
            "kind": "life",
            "drive": asdict(self.drive),
            "configuration": self.configuration,
            "conditions": asdict(self.conditions),
        }


def lives_there(store: Store, lives: Iterable[LifePoint]) -> dict[int, Row]:
    """Those lives that the store has, by number of the drive."""
    by_identity = {life.identity: life for life in lives}
    return {
        by_identity[identity].drive.number: row_of(store.step_parameters(place)["row"])
        for identity, place in store.points(by_identity).items()
    }


def keep_life(store: Store, record_id: str, life: LifePoint, row: Row) -> StepRecord:
    """Keep a life as a step of the population's record; durable on return. Returns the step."""
    step = StepRecord(
        row.number, f"drive {row.number + 1} of lot {row.lot + 1}", "life",
        status=Status.DONE, ended_ns=row.elapsed_ns, parameters=plain({"row": asdict(row)}),
    )  # fmt: skip
    store.save_step(record_id, step, point=life.identity)
    return step


def row_of(values: Mapping[str, Any]) -> Row:
    """A life from its plain form."""
    return Row(**values)
