"""One point of a sweep: which experiment, on which drive, with which seed; all of it resolved.

    Point --identity--> SHA-256 of the resolved configuration and the build       found again in the store
          --task----->  plain data                                                sent to a worker

Two notations of the same drive (a key set to the value that it already has) are one point. The result of another build
of flashscope is another point (`keys.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Protocol

from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.parts.part import Part, PartValue
from flashscope.endurance.goal import Goal
from flashscope.endurance.life import Conditions
from flashscope.endurance.load import WearLoad
from flashscope.records.plain import plain
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.store.points import PointKey
from flashscope.sweeps.keys import key_of

ENDURE = "endure"
"""Used instead of an experiment's name: one drive is worn out."""


class Computable(Protocol):
    """What `collect.py` needs to know of a point."""

    @property
    def key(self) -> PointKey:
        """What it is found again by."""

    def task(self) -> dict[str, Any]:
        """What a worker needs, as plain data; `work.perform` takes it."""


@dataclass(frozen=True)
class Point:
    """One run. what: an experiment's name, or ENDURE. address: with its seed and the keys that were set.

    parts: of the drive, with those keys in them. conditions: of ENDURE alone. varied: what differs from the other
    points, as a person wrote it: "part", a part key or "seed" -> text.
    """

    what: str
    address: Address
    parts: tuple[Part, ...]
    effort: Effort = STANDARD
    conditions: Conditions | None = None
    varied: tuple[tuple[str, str], ...] = ()

    @cached_property
    def key(self) -> PointKey:
        """What it is found again by."""
        return key_of(self.configuration())

    @property
    def identity(self) -> str:
        """The hash of all that decides the result."""
        return self.key.identity

    def configuration(self) -> dict[str, Any]:
        """Everything that decides the result except the build, as plain data."""
        address = self.address
        configuration: dict[str, Any] = plain(
            {
                "what": self.what,
                "seed": address.seed,
                "effort": self.effort,
                "aged": address.aged_state,
                "modifiers": [(one.name, one.value) for one in address.modifiers],
                "stripe": _stripe(address) if address.scheme == "stripe" else None,
                "parts": [_resolved(part) for part in self.parts],
                "conditions": self.conditions,
            }
        )
        return configuration

    def task(self) -> dict[str, Any]:
        """For a worker; it reads no part file."""
        return {
            "kind": "run",
            "what": self.what,
            "address": str(self.address),
            "parts": [asdict(part) for part in self.parts],
            "effort": {"extent": self.effort.extent.value, "read_only": self.effort.read_only},
            "conditions": asdict(self.conditions) if self.conditions else None,
        }


def point_of_task(task: Mapping[str, Any]) -> Point:
    """The point whose task it is, on the worker's side."""
    return Point(
        task["what"],
        parse_address(task["address"]),
        tuple(_part(part) for part in task["parts"]),
        Effort(Extent(task["effort"]["extent"]), task["effort"]["read_only"]),
        conditions_of_task(task["conditions"]) if task["conditions"] else None,
    )


def conditions_of_task(task: Mapping[str, Any]) -> Conditions:
    """The conditions of a life, on the worker's side."""
    return Conditions(**{**task, "load": WearLoad(**task["load"]), "goal": Goal(**task["goal"])})


def _stripe(address: Address) -> dict[str, int]:
    return {
        "chunk_bytes": address.chunk_bytes,
        "host_bytes_per_second": address.host_bytes_per_second,
        "host_command_cost_ns": address.host_command_cost_ns,
        "host_command_bytes_max": address.host_command_bytes_max,
    }


def _resolved(part: Part) -> dict[str, Any]:
    return {
        "name": part.name,
        "kind": part.kind,
        "values": {name: value.value for name, value in part.values.items()},
    }


def _part(task: Mapping[str, Any]) -> Part:
    values = {name: PartValue(**value) for name, value in task["values"].items()}
    return Part(task["name"], values, task["kind"], task["title"], task["notes"])
