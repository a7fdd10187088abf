"""How much an experiment may do to a drive: little, the usual, everything; with or without writing.

    examine --quick      seconds on a virtual drive, minutes on a real one: fewer repeats, shorter runs, coarser grids
    examine              the usual
    examine --full       everything, at the extents the sources of each experiment used
    examine --read-only  nothing is written; an experiment that needs writes has no steps then

An experiment reads it in `steps()` and states in its findings' doubts what a smaller extent leaves open.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

Value = TypeVar("Value")


class Extent(enum.StrEnum):
    """How far a run goes."""

    QUICK = "quick"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True)
class Effort:
    """What was asked for on the command line. read_only: no step may write, trim or erase."""

    extent: Extent = Extent.STANDARD
    read_only: bool = False

    @classmethod
    def of_plain(cls, kept: Mapping[str, Any]) -> Self:
        """The effort that was made plain for a record. Raises ValueError and the like when it is none."""
        return cls(Extent(kept["extent"]), bool(kept["read_only"]))

    def choose(self, quick: Value, standard: Value, full: Value) -> Value:
        """The value for this extent."""
        return {Extent.QUICK: quick, Extent.STANDARD: standard, Extent.FULL: full}[self.extent]


STANDARD = Effort()
"""The usual: what `run --experiment` and `examine` do without options."""
