"""How drives of one part differ: each lot has its own flash, and each drive of a lot differs a little again.

    life of a drive's blocks  =  the part's  x  lot factor  x  drive factor          log-normal, mean 1
    error rates of a drive    =  the part's  x  lot factor  x  drive factor

All four spreads are assumed: nobody publishes how much lots differ. They are options, and are kept in every record.
Blocks within a drive differ as the part says, by the drive's own seed.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

_STREAM_LOTS, _STREAM_DRIVES = 1, 2


@dataclass(frozen=True)
class Spread:
    """Standard deviation over mean of the factors [ratio]; assumed."""

    lot_life_cv: float = 0.10
    drive_life_cv: float = 0.04
    lot_errors_cv: float = 0.25
    drive_errors_cv: float = 0.10


@dataclass(frozen=True)
class DriveOfLot:
    """One drive of a population. life_factor, error_factor: they multiply its part's constants."""

    number: int
    lot: int
    seed: int
    life_factor: float
    error_factor: float

    def applied_to(self, configuration: dict[str, Any]) -> dict[str, Any]:
        """The configuration of this drive."""
        changed = copy.deepcopy(configuration)
        if changed.get("endurance"):
            changed["endurance"]["characteristic_cycles"] *= self.life_factor
        for key in ("fresh_ratio", "wear_coefficient", "retention_coefficient", "disturb_coefficient"):
            if key in changed["bit_errors"]:
                changed["bit_errors"][key] *= self.error_factor
        return changed


def drives_of_lots(count: int, lots: int, seed: int, spread: Spread) -> list[DriveOfLot]:
    """`count` drives, assigned to the lots in turn. Each depends only on seed, lot and number, not on how many drives
    there are or which process computes them."""
    drives = []
    for number in range(count):
        lot = number % lots
        of_lot = np.random.default_rng([seed, _STREAM_LOTS, lot]).standard_normal(2)
        of_drive = np.random.default_rng([seed, _STREAM_DRIVES, number]).standard_normal(2)
        life = _factor(of_lot[0], spread.lot_life_cv) * _factor(of_drive[0], spread.drive_life_cv)
        errors = _factor(of_lot[1], spread.lot_errors_cv) * _factor(of_drive[1], spread.drive_errors_cv)
        drives.append(DriveOfLot(number, lot, seed * 1_000_003 + number, life, errors))
    return drives


def _factor(normal: float, cv: float) -> float:
    sigma = math.sqrt(math.log1p(cv * cv))
    return math.exp(sigma * float(normal) - sigma * sigma / 2)
