"""The time until a given wear, from the rate so far, during a run.

rate    over the intervals between checkpoints, the newest first            confidence interval: their scatter
wear    cycles per host byte as measured, which includes write amplification and spare blocks
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from flashscope.endurance.life import Checkpoint
from flashscope.laws.distributions import student
from flashscope.laws.wear_projection import DAY_S, days_to_wear

_STRETCHES = 12


@dataclass(frozen=True)
class Projection:
    """Days from the last checkpoint until the blocks in use have `erase_count` on average; low and high at 95 %, None
    with fewer than three intervals. uncorrected_days: as the documents compute it: from the first byte, WAF 1, by
    capacity.
    """

    erase_count: int
    days: float
    days_low: float | None
    days_high: float | None
    uncorrected_days: float
    host_bytes_per_second: float
    write_amplification: float


def project(checkpoints: Sequence[Checkpoint], erase_count: int, user_bytes: int) -> Projection | None:
    """The projection; None with fewer than two checkpoints, or when there was no wear between them."""
    last = list(checkpoints)[-_STRETCHES - 1 :]
    if len(last) < 2 or last[-1].erase_count_mean <= last[0].erase_count_mean:
        return None
    pairs = [(a, b) for a, b in pairwise(last) if b.erase_count_mean > a.erase_count_mean]
    rates = np.array(
        [(b.elapsed_ns - a.elapsed_ns) / 1e9 / (b.erase_count_mean - a.erase_count_mean) for a, b in pairs]
    )
    weights = np.array([b.erase_count_mean - a.erase_count_mean for a, b in pairs])
    seconds_per_cycle = float(np.average(rates, weights=weights))
    left = max(0.0, erase_count - last[-1].erase_count_mean)
    days = left * seconds_per_cycle / DAY_S
    low = high = None
    if len(rates) >= 3:
        variance = float(np.average((rates - seconds_per_cycle) ** 2, weights=weights))
        error = math.sqrt(variance / (len(rates) - 1))
        off = student(0.975, len(rates) - 1) * error * left / DAY_S
        low, high = max(0.0, days - off), days + off
    host = last[-1].host_written_bytes - last[0].host_written_bytes
    rate = host / ((last[-1].elapsed_ns - last[0].elapsed_ns) / 1e9)
    amplification = (last[-1].nand_written_bytes - last[0].nand_written_bytes) / host
    plain = days_to_wear(erase_count, bytes_per_cycle=user_bytes, host_bytes_per_second=rate)
    return Projection(erase_count, days, low, high, plain, rate, amplification)
