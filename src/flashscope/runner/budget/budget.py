"""What an examination may write, and how long it may take: from the facts of a drive and how far it was asked to go.

                    writes at most               takes at most, at the drive's own speed
    quick           a tenth of the drive         ten minutes
    standard        three drive-fills            an hour for each terabyte, but never less than 20 minutes, nor than
                                                 a drive-fill and a quarter take
    full            what it needs                what it needs

A drive in virtual time is not worn and keeps nobody waiting: no limits, unless a budget is given. A fill and a quarter:
how a drive writes once it is full cannot be told with less, and a slow drive takes longer than an hour per terabyte.
`--budget` replaces the limit of its kind (bytes or fills, time); the other one stays.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope import units
from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.drive_speed import DriveSpeed
from flashscope.runner.effort import Extent

_QUICK_FILLS, _QUICK_S = 0.1, 600.0
_STANDARD_FILLS, _LEAST_STANDARD_S = 3.0, 1200.0
_STANDARD_S_PER_BYTE = 3600 / 1e12
_FILLS_AT_LEAST = 1.25
_FILLS = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?:drive-)?fills?")
_KEY = "--budget"


@dataclass(frozen=True)
class Budget:
    """bytes_to_write, time_s: at most so much [bytes, s]; infinite for no limit."""

    bytes_to_write: float = math.inf
    time_s: float = math.inf

    @property
    def limits(self) -> bool:
        """True when there is any limit."""
        return math.isfinite(self.bytes_to_write) or math.isfinite(self.time_s)

    def allows(self, bytes_to_write: float, time_s: float) -> bool:
        """True when so much fits."""
        return bytes_to_write <= self.bytes_to_write and time_s <= self.time_s

    def less(self, bytes_to_write: float, time_s: float) -> Budget:
        """What is left after so much."""
        return Budget(max(0.0, self.bytes_to_write - bytes_to_write), max(0.0, self.time_s - time_s))

    def share(self, ratio: float) -> Budget:
        """A share of both."""
        return Budget(self.bytes_to_write * ratio, self.time_s * ratio)

    def __str__(self) -> str:
        """For people: "300 GB, 20 min"."""
        said = []
        if math.isfinite(self.bytes_to_write):
            said.append(units.format_bytes(self.bytes_to_write))
        if math.isfinite(self.time_s):
            said.append(units.format_time(self.time_s * 1e9))
        return ", ".join(said) or "no limit"


def usual_budget(facts: DriveFacts, extent: Extent, speed: DriveSpeed) -> Budget:
    """The budget of an examination without --budget. speed: that lasts, assumed or measured."""
    if facts.in_virtual_time or extent is Extent.FULL:
        return Budget()
    if extent is Extent.QUICK:
        return Budget(_QUICK_FILLS * facts.user_bytes, _QUICK_S)
    fill_s = facts.user_bytes / speed.write.bytes_per_second
    longest_s = max(_LEAST_STANDARD_S, facts.user_bytes * _STANDARD_S_PER_BYTE, _FILLS_AT_LEAST * fill_s)
    return Budget(_STANDARD_FILLS * facts.user_bytes, longest_s)


def with_asked(budget: Budget, asked: Sequence[str], facts: DriveFacts) -> Budget:
    """The budget with what was typed after --budget instead, such as "500GB", "2fills" or "20min".

    Raises WrongUse for anything else, and for two limits of one kind.
    """
    given: dict[str, float] = {}
    for text in asked:
        kind, value = _read(text, facts)
        if kind in given:
            raise WrongUse(f"{_KEY} limits the {kind} twice", accepted="one limit for bytes or fills, one for time")
        given[kind] = value
    return replace(
        budget,
        bytes_to_write=given.get("bytes", budget.bytes_to_write),
        time_s=given.get("time", budget.time_s),
    )


def _read(text: str, facts: DriveFacts) -> tuple[str, float]:
    if fills := _FILLS.fullmatch(text.strip()):
        return "bytes", _above_nothing(float(fills["number"]), text) * facts.user_bytes
    for kind, scale in (("bytes", 1.0), ("time", 1e-9)):
        try:
            value = units.parse(text, kind, key=_KEY)
        except WrongUse:
            continue
        return kind, _above_nothing(value, text) * scale
    raise WrongUse(
        f'{_KEY} is "{text}"' + (", a number without a unit" if text.strip().isdigit() else ""),
        accepted="bytes to write (500GB), drive-fills (2fills) or a time (20min)",
        advice="give it twice to limit both the bytes and the time",
    )


def _above_nothing(value: float, text: str) -> float:
    """The value that was typed. Raises WrongUse for 0."""
    if value == 0:
        raise WrongUse(
            f"{_KEY} is {text}, which leaves nothing to run",
            accepted="an amount above 0",
            advice="--read-only runs what writes nothing",
        )
    return value
