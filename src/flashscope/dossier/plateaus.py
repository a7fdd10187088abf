"""The stretches of a long write with one rate each, as the finding `rate_fall` keeps them.

    3.5 GB/s ______
                   |____ 2.1 GB/s
                        |____________ 963 MB/s      the lowest that is long enough for a user to meet

Not kept here: stretches below 2 % of all that was written count as none; a pause that short is a freeze.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.records import Finding

_LONG_ENOUGH_RATIO = 0.02


@dataclass(frozen=True)
class Plateau:
    """from_bytes, to_bytes: written since the beginning, where it begins and ends. rate, low, high [bytes/s]."""

    from_bytes: float
    to_bytes: float
    rate: float
    low: float | None
    high: float | None


def plateaus_of(fall: Finding | None) -> list[Plateau]:
    """All of them in order; none where the finding is missing or was withdrawn."""
    kept = () if fall is None else fall.details.get("plateaus", ())
    return [
        Plateau(
            float(each["from_bytes"]),
            float(each["to_bytes"]),
            float(each["rate_bytes_per_second"]),
            each.get("low"),
            each.get("high"),
        )
        for each in kept
    ]


def lowest(plateaus: Sequence[Plateau]) -> Plateau | None:
    """The slowest one that is long enough to matter; None without any."""
    whole = max((each.to_bytes for each in plateaus), default=0.0)
    long = [each for each in plateaus if each.to_bytes - each.from_bytes >= _LONG_ENOUGH_RATIO * whole]
    return min(long, key=lambda each: each.rate, default=None)


def since(plateaus: Sequence[Plateau], fall_bytes: float) -> list[Plateau]:
    """The one that begins with a fall, and all after it.

    A change point lies within an interval, and a plateau begins at a row of the series: the nearest beginning is it.
    """
    first = min(range(1, len(plateaus)), key=lambda index: abs(plateaus[index].from_bytes - fall_bytes), default=None)
    return [] if first is None else list(plateaus[first:])
