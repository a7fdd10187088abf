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
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:  # the options of all commands are made of this file, and records need numpy
    from flashscope.records import Record

Value = TypeVar("Value")


class Extent(enum.StrEnum):
    """How far a run goes."""

    QUICK = "quick"
    STANDARD = "standard"
    FULL = "full"


@dataclass(frozen=True)
class Effort:
    """What was asked for on the command line. read_only: no step may write, trim or erase.

    most_bytes: what one experiment may write [bytes]; None for what it needs. An experiment that needs more takes a
    smaller span or fewer repeats where that still tells something.
    """

    extent: Extent = Extent.STANDARD
    read_only: bool = False
    most_bytes: int | None = None

    @classmethod
    def of_plain(cls, kept: Mapping[str, Any]) -> Self:
        """The effort that was made plain for a record. Raises ValueError and the like when it is none."""
        most_bytes = kept.get("most_bytes")
        return cls(Extent(kept["extent"]), bool(kept["read_only"]), None if most_bytes is None else int(most_bytes))

    def choose(self, quick: Value, standard: Value, full: Value) -> Value:
        """The value for this extent."""
        return {Extent.QUICK: quick, Extent.STANDARD: standard, Extent.FULL: full}[self.extent]

    def at_most(self, wanted_bytes: int, share_ratio: float = 1.0) -> int:
        """The wanted bytes, at most that share of what the experiment may write."""
        return wanted_bytes if self.most_bytes is None else min(wanted_bytes, int(self.most_bytes * share_ratio))


STANDARD = Effort()
"""The usual: what `run --experiment` and `examine` do without options."""


def effort_of(record: Record) -> Effort:
    """The effort that a run was made with; the usual where an old record does not say."""
    usual = {"extent": STANDARD.extent, "read_only": STANDARD.read_only}
    return Effort.of_plain(usual | record.configuration.get("effort", {}))
