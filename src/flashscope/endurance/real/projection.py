"""The time to the rated wear, from the rate so far, during a run.

    used share of the rated life at each checkpoint   --slope over time at work-->   days left, with interval

The share is the first of these that is known: bytes written by this run over the maker's promise; average erase count
over rated cycles, which includes the measured write amplification; the drive's own per cent used. The first needs no
SMART. The interval is the scatter between checkpoints; a drive that becomes slower late is not foreseen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from flashscope.laws.distributions import student

_DAY_NS = 86_400 * 10**9
_STRETCHES = 12


@dataclass(frozen=True)
class Projection:
    """days: of work until the rating is reached; low and high at 95 %, None with fewer than three stretches.

    basis: source of the share. used_ratio: at the last checkpoint. host_bytes_per_second: over the stretches.
    write_amplification: by SMART over them, None when the drive does not tell.
    """

    basis: str
    used_ratio: float
    days: float
    days_low: float | None
    days_high: float | None
    host_bytes_per_second: float
    write_amplification: float | None


def project(checkpoints: Sequence[dict[str, Any]], rated_written_bytes: int) -> Projection | None:
    """The projection; None with fewer than two checkpoints, or when no share grew."""
    for basis, shares in _bases(checkpoints, rated_written_bytes):
        if len(shares) >= 2 and shares[-1][1] > shares[0][1] and shares[-1][0] > shares[0][0]:
            return _of(basis, shares[-_STRETCHES - 1 :], checkpoints[-_STRETCHES - 1 :])
    return None


def _bases(seen: Sequence[dict[str, Any]], rated_bytes: int) -> list[tuple[str, list[tuple[int, float]]]]:
    """(basis, (elapsed ns, used share) of each checkpoint that tells it)."""
    written = [(one["elapsed_ns"], one["host_written_bytes"] / rated_bytes) for one in seen] if rated_bytes else []
    erased, claimed = [], []
    for one in seen:
        smart = one["smart"]
        if "erase_count_average" in smart and smart.get("rated_pe_cycles"):
            erased.append((one["elapsed_ns"], smart["erase_count_average"] / smart["rated_pe_cycles"]))
        if "life_used_percent" in smart:
            claimed.append((one["elapsed_ns"], smart["life_used_percent"] / 100))
    return [("rated bytes", written), ("erase count", erased), ("the drive's per cent used", claimed)]


def _of(basis: str, shares: Sequence[tuple[int, float]], seen: Sequence[dict[str, Any]]) -> Projection:
    pairs = [(a, b) for a, b in pairwise(shares) if b[0] > a[0]]
    times = np.array([b[0] - a[0] for a, b in pairs], dtype=float)
    growth = np.array([b[1] - a[1] for a, b in pairs])
    rate = float(growth.sum() / times.sum())  # share per ns
    left = max(0.0, 1.0 - shares[-1][1])
    days = left / rate / _DAY_NS
    low = high = None
    if len(pairs) >= 3:
        rates = growth / times
        variance = float(np.average((rates - rate) ** 2, weights=times))
        off = student(0.975, len(rates) - 1) * math.sqrt(variance / (len(rates) - 1))
        low = left / (rate + off) / _DAY_NS
        high = left / (rate - off) / _DAY_NS if rate > off else None
    first, last = seen[0], seen[-1]
    host = last["host_written_bytes"] - first["host_written_bytes"]
    elapsed_s = max(last["elapsed_ns"] - first["elapsed_ns"], 1) / 1e9
    return Projection(basis, shares[-1][1], days, low, high, host / elapsed_s, _amplification(first, last, host))


def _amplification(first: dict[str, Any], last: dict[str, Any], host_bytes: int) -> float | None:
    """NAND bytes over host bytes between two checkpoints; None when the drive does not count its own."""
    key = "nand_written_bytes"
    if key not in first["smart"] or key not in last["smart"] or host_bytes <= 0:
        return None
    return float(last["smart"][key] - first["smart"][key]) / host_bytes
