"""A checkpoint: SMART, verification, short performance figures, projection; one step of the record.

A checkpoint counts when it is in the journal, which is written after the record. After a kill in between, it is taken
again with the same number and replaces the first.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from flashscope.endurance.real.figures import Figures
from flashscope.endurance.real.smart_look import SmartLook
from flashscope.endurance.real.verification import Tally
from flashscope.records import Status, StepKind, StepRecord
from flashscope.units import format_bytes


@dataclass
class Seen:
    """The results of one checkpoint.

    workload: the load since the last one. bytes_per_second: its rate, without the time of checkpoints.
    verify: "full", "sampled" or "none". figures_failure: why there are none.
    """

    index: int
    workload: str
    host_written_bytes: int
    elapsed_ns: int
    bytes_per_second: float | None
    smart: SmartLook
    verify: str
    tally: Tally
    figures: Figures = field(default_factory=dict)
    figures_failure: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data under "checkpoint" of a step."""
        return {
            "workload": self.workload,
            "host_written_bytes": self.host_written_bytes,
            "elapsed_ns": self.elapsed_ns,
            "wall_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "bytes_per_second": self.bytes_per_second,
            "smart": dict(self.smart.numbers),
            "smart_failure": self.smart.failure,
            "verify": self.verify,
            "verification": self.tally.to_json(),
            "performance": self.figures,
            "performance_failure": self.figures_failure,
            "note": self.note,
        }

    def step(self, projection: dict[str, Any] | None, started_ns: int) -> StepRecord:
        """The step of the record."""
        return StepRecord(
            self.index,
            f"checkpoint {self.index + 1}, {format_bytes(self.host_written_bytes)} written",
            StepKind.SMART,
            status=Status.DONE,
            started_ns=started_ns,
            ended_ns=self.elapsed_ns,
            note=self.note,
            parameters={"checkpoint": self.to_json(), "projection_to_rating": projection},
            smart=self.smart.snapshot,
        )


def checkpoints_of(steps: list[StepRecord]) -> list[dict[str, Any]]:
    """The checkpoints of a record's steps, in order, each with its projection under "projection"."""
    return [
        {**step.parameters["checkpoint"], "projection": step.parameters.get("projection_to_rating"), "step": step.name}
        for step in steps
        if isinstance(step.parameters.get("checkpoint"), dict)
    ]
