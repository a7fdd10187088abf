"""What time costs on a drive: how long an experiment may let it work or rest.

    FREE     virtual time: an hour passes in a moment
    OWN      real time, on a drive that is used only for tests: hours are acceptable
    SHARED   real time, in a file or directory of a drive that others use meanwhile: minutes at most

Amounts that depend on it are in a `PerTimeCost`. It has no defaults, so no value can be forgotten.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


class TimeCost(enum.StrEnum):
    """What an hour on the drive costs."""

    FREE = "free"
    OWN = "own"
    SHARED = "shared"


@dataclass(frozen=True)
class PerTimeCost(Generic[Value]):
    """One value for each `TimeCost`; its fields are named as the members are."""

    free: Value
    own: Value
    shared: Value

    @classmethod
    def by_clock(cls, value: Value, *, free: Value) -> PerTimeCost[Value]:
        """The same value wherever real time passes, another one where time is free."""
        return cls(free=free, own=value, shared=value)

    def at(self, cost: TimeCost) -> Value:
        """The value for that cost."""
        match cost:
            case TimeCost.FREE:
                return self.free
            case TimeCost.OWN:
                return self.own
            case TimeCost.SHARED:
                return self.shared
