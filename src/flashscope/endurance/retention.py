"""The data that a worn drive loses over months without power, from the drive's own law of errors.

Assumed: data is as old as its block when the power goes off; earlier reads have no effect; the part's law, code and
activation energy; nothing is refreshed. Empty where the part's data does not age.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flashscope import _core
from flashscope.laws.bit_errors import BitErrorLaw
from flashscope.laws.retention import MONTH_DAYS, Code, days_until_lost, equivalent_days, lost_ratio

CELSIUS = (25.0, 30.0, 40.0, 55.0)
MONTHS = (0.25, 0.5, 1, 2, 3, 4, 6, 9, 12, 18, 24, 36, 60)


def law_of(configuration: dict[str, Any]) -> BitErrorLaw:
    """The law of errors a drive was built with."""
    law = configuration["bit_errors"]
    return BitErrorLaw(
        fresh=law["fresh_ratio"],
        wear_factor=law["wear_coefficient"],
        wear_power=law["wear_exponent"],
        retention_factor=law.get("retention_coefficient", 0.0),
        retention_wear_power=law.get("retention_wear_exponent", 0.0),
        retention_time_power=law.get("retention_time_exponent", 0.0) or 1.0,
    )


def retention_of(core: _core.Drive, configuration: dict[str, Any]) -> dict[str, Any]:
    """Share of the sectors lost against months, for several temperatures; empty when the drive's data does not age.

    Keys: activation_ev, curves (celsius, months, lost_ratio: columns; months_to_first: until one sector of all is
    expected lost; months_to_percent: until 1 % are), codeword_bytes, correctable_bits.
    """
    ecc, law = configuration.get("ecc"), law_of(configuration)
    if not ecc or law.retention_factor == 0:
        return {}
    worn = core.worn()
    held = worn["valid_slots"] > 0
    if not held.any():
        return {}
    code = Code(ecc["codeword_bytes"], ecc["correctable_bits"], ecc.get("overdispersion_cv", 0.0))
    counts, weights = worn["erase_counts"][held], worn["valid_slots"][held].astype(float)
    factors = worn["block_factors"][held] if len(worn["block_factors"]) else np.ones(len(counts))
    energy = float(configuration.get("temperature", {}).get("activation_energy_ev", 1.1))
    age_days = worn["opened_ago_s"][held] / 86_400 if len(worn["opened_ago_s"]) else np.zeros(len(counts))
    sectors = float(weights.sum()) * worn["slot_bytes"] / ecc["codeword_bytes"]
    curves = []
    to_first = days_until_lost(law, code, counts, weights=weights, limit_ratio=1 / sectors, factors=factors)
    to_percent = days_until_lost(law, code, counts, weights=weights, limit_ratio=0.01, factors=factors)
    for celsius in CELSIUS:
        speed = equivalent_days(1.0, celsius, energy)
        lost = [
            lost_ratio(law, code, counts, weights=weights, days=age_days + months * MONTH_DAYS * speed, factors=factors)
            for months in MONTHS
        ]
        curves.append(
            {
                "celsius": celsius,
                "months": list(MONTHS),
                "lost_ratio": lost,
                "months_to_first": _months(to_first, speed),
                "months_to_percent": _months(to_percent, speed),
            }
        )
    return {
        "activation_ev": energy,
        "codeword_bytes": ecc["codeword_bytes"],
        "correctable_bits": ecc["correctable_bits"],
        "sectors": round(sectors),
        "curves": curves,
    }


def _months(days_at_reference: float, speed: float) -> float | None:
    return days_at_reference / speed / MONTH_DAYS if math.isfinite(days_at_reference) else None
