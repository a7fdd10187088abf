"""Does a drive hold as much as it says? From places that were written, and what came back from each.

    address   0 ----------- real end ------------------------------ announced end
    held      x  x  x   x      |
    wraps                      |  another place's data comes back: distances are multiples of the real size
    zeros                      |  o   o  o    o   o  o   o  o   o
    drops                      |  ?   ?  ?    ?   ?  ?   ?  ?   ?   old or undefined data

One place that fails shows damage, not a fake: a drive is called fake only when places fail in one of these patterns,
in several passes. Places where the drive reports an error say nothing about it, and are counted apart.
Not told apart: a drive that keeps the last of what was written beyond its end in a small area; it counts as "drops".
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

LEAST_MODULUS_BYTES = 1 << 20
_LEAST_BAD = 3  # places that must fail in the same way
_TOLERATED_RATIO = 0.02  # errors and damage among the places of a drive that is judged all the same


class Came(enum.IntEnum):
    """What came back from a place."""

    HELD = 0
    """What was written there last."""
    ANOTHERS = 1
    """What this run wrote at another address."""
    ZEROS = 2
    OTHER = 3
    """Neither of these: old or undefined data."""
    NOT_WRITTEN = 4
    """The drive reported an error for the write."""
    NOT_READ = 5
    """The drive reported an error for the read."""

    @property
    def is_error(self) -> bool:
        """The drive itself reports that it failed."""
        return self in (Came.NOT_WRITTEN, Came.NOT_READ)

    @property
    def is_bad(self) -> bool:
        """The drive acknowledged everything, and something else came back."""
        return self in (Came.ANOTHERS, Came.ZEROS, Came.OTHER)


@dataclass(frozen=True)
class Tried:
    """One place, in one pass. held_bytes: as far as it holds what was written, from its start on.

    distance_bytes: its address minus the address whose data came back; 0 unless that was another's.
    """

    pass_index: int
    address_bytes: int
    length_bytes: int
    came: Came
    held_bytes: int = 0
    distance_bytes: int = 0


class Verdict(enum.StrEnum):
    """What the places say together. The last four are no statement about a fake."""

    HONEST = "honest"
    WRAPS = "wraps"
    DROPS = "drops"
    ZEROS = "zeros"
    ENDS_IN_ERRORS = "ends in errors"
    DAMAGED = "damaged"
    FAILING = "failing"
    NOTHING = "nothing"

    @property
    def is_fake(self) -> bool:
        """The drive acknowledges writes that it does not keep."""
        return self in (Verdict.WRAPS, Verdict.DROPS, Verdict.ZEROS)


@dataclass(frozen=True)
class Judged:
    """The verdict. low_bytes, high_bytes: the real end lies between them; both 0 when it is not known."""

    verdict: Verdict
    low_bytes: int = 0
    high_bytes: int = 0


def judge(tried: Sequence[Tried]) -> Judged:
    """What the places of all passes say together."""
    errors = [each for each in tried if each.came.is_error]
    bad = [each for each in tried if each.came.is_bad]
    answered = [each for each in tried if not each.came.is_error]
    if not tried:
        return Judged(Verdict.NOTHING)
    few = max(1.0, _TOLERATED_RATIO * len(tried))
    bounds = bounds_of(tried)
    if not bad:
        if len(errors) <= few and answered and answered[-1].came is Came.HELD:
            return Judged(Verdict.HONEST)
        ends = _end_of([*errors, *bad], answered)
        return Judged(Verdict.ENDS_IN_ERRORS, *ends) if ends else Judged(Verdict.FAILING)
    modulus = modulus_of(tried)
    if modulus and _is_seen_again(bad):
        return Judged(Verdict.WRAPS, modulus, modulus)
    if bounds is not None and _is_seen_again(bad):
        zeros = sum(each.came is Came.ZEROS for each in bad)
        return Judged(Verdict.ZEROS if zeros > len(bad) / 2 else Verdict.DROPS, *bounds)
    return Judged(Verdict.FAILING if len(errors) > len(bad) else Verdict.DAMAGED)


def modulus_of(tried: Sequence[Tried]) -> int:
    """The size around which addresses wrap [bytes]; 0 when what came back is no wrapping.

    Every distance between a place and the address whose data came back is a multiple of it.
    """
    bad = [each for each in tried if each.came.is_bad]
    distances = [abs(each.distance_bytes) for each in bad if each.distance_bytes]
    modulus = gcd(*distances) if distances else 0
    explained = len(distances) >= (1 - _TOLERATED_RATIO) * len(bad)
    return modulus if modulus >= LEAST_MODULUS_BYTES and explained else 0


def bounds_of(tried: Sequence[Tried]) -> tuple[int, int] | None:
    """Between which addresses the drive ends [bytes], when every place below holds and none above does."""
    return _end_of([each for each in tried if each.came.is_bad], [each for each in tried if each.came is Came.HELD])


def _end_of(beyond: Sequence[Tried], below: Sequence[Tried]) -> tuple[int, int] | None:
    """Between the last place of `below` and the first of `beyond`, when these are apart."""
    if len({each.address_bytes for each in beyond}) < _LEAST_BAD or not below:
        return None
    first = min(beyond, key=lambda each: each.address_bytes)
    low = max(each.address_bytes + each.length_bytes for each in below)
    if low > first.address_bytes:
        return None
    if first.held_bytes:  # the end lies within it
        return first.address_bytes + first.held_bytes, first.address_bytes + first.held_bytes
    return low, first.address_bytes


def _is_seen_again(bad: Sequence[Tried]) -> bool:
    """Whether enough places failed, and in more than one pass: a disturbance passes, a fake does not."""
    return len({each.address_bytes for each in bad}) >= _LEAST_BAD and len({each.pass_index for each in bad}) > 1
