"""What the truth about a virtual drive can be: a value, none, or bounds.

    16384                                    this value
    None                                     there is none
    {"at_least": 0.5}, {"at_most": 3e8}      bounds, where the configuration limits a number and does not determine it

Plain data, so that a record keeps it as it is.
"""

from __future__ import annotations

import math
from typing import Any

_LEAST, _MOST = "at_least", "at_most"

Bounds = dict[str, float]


def at_least(least: float) -> Bounds:
    """The number is this or more."""
    return {_LEAST: float(least)}


def at_most(most: float) -> Bounds:
    """The number is this or less."""
    return {_MOST: float(most)}


def between(least: float, most: float) -> Bounds:
    """The number lies between these two, ends included."""
    return {_LEAST: float(least), _MOST: float(most)}


def ends_of(truth: Any) -> tuple[float, float] | None:
    """(least, most) of bounds, infinite where one is not stated; None for a truth that is a value or none."""
    if not isinstance(truth, dict) or not truth or not truth.keys() <= {_LEAST, _MOST}:
        return None
    return float(truth.get(_LEAST, -math.inf)), float(truth.get(_MOST, math.inf))
