"""The bit error ratio that a virtual flash drive's wear gives it, from its configuration and its erase counts alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from flashscope.records.bounds import at_most


def inside_of_bit_errors(configuration: dict[str, Any], erase_counts: np.ndarray) -> dict[str, Any]:
    """The truth of rber and rber_growth_per_cycle; empty for a drive without bit errors, and for a drive too worn.

    Too worn: data changes while it is measured. One hour's retention (minutes when warm), or the disturbance by reading
    a block once from its first page to its last, adds more than a fiftieth of the rate.

    erase_counts: of the blocks in use, shape (blocks,). The result is the mean over blocks of fresh + a c^k: data
    that was just written has not aged.
    """
    errors = configuration.get("bit_errors")
    if errors is None or not len(erase_counts):
        return {}
    cycles = float(np.mean(erase_counts))
    hour = errors.get("retention_coefficient", 0.0) * cycles ** errors.get("retention_wear_exponent", 0.0)
    hour *= (1 / 24) ** errors.get("retention_time_exponent", 1.0)
    reads = configuration["geometry"]["pages_per_block"] / 2
    disturb = errors.get("disturb_coefficient", 0.0) * cycles ** errors.get("disturb_wear_exponent", 0.0)
    disturb *= reads ** errors.get("disturb_reads_exponent", 1.0)
    wear = errors["wear_coefficient"] * np.asarray(erase_counts, dtype=float) ** errors["wear_exponent"]
    ratio = float(errors["fresh_ratio"] + wear.mean())
    if max(hour, disturb) > ratio / 50:
        return {}
    truth: dict[str, Any] = {"rber": ratio}
    exponent = errors["wear_exponent"]
    if exponent >= 1:  # wear bends upwards, so no line between two earlier moments is steeper than the curve is now
        most = errors["wear_coefficient"] * exponent * float(np.max(erase_counts)) ** (exponent - 1)
        truth["rber_growth_per_cycle"] = at_most(most)
    return truth
