"""The delay ratio: how much reading and writing slow each other down when a file is copied within a drive.

    ratio = copy / ((write - time of reading from memory) + (read - time of writing to memory))

There is one ratio for each pass. The value is the ratio of the mean times; the interval is Student's over the passes.
With two passes it is wide, as it should be; with identical passes (a virtual drive repeats itself) its width is zero.
Source: document 003 (parts/figures/published.csv, read-write-interference).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_STUDENT_95 = (0.0, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)


@dataclass(frozen=True)
class Pass:
    """Times of one pass [s]."""

    write_s: float
    read_s: float
    copy_s: float


@dataclass(frozen=True)
class DelayRatio:
    """value, low, high, ratios of the passes [ratio]; mean times [s] of the copy and of both parts apart."""

    value: float
    low: float
    high: float
    ratios: tuple[float, ...]
    copy_s: float
    apart_s: float


def delay_ratio(passes: Sequence[Pass], *, memory_read_s: float, memory_write_s: float) -> DelayRatio | None:
    """The ratio over all passes; None when there is no pass, or memory took longer than the drive."""
    apart = np.array([one.write_s - memory_read_s + one.read_s - memory_write_s for one in passes])
    copies = np.array([one.copy_s for one in passes])
    if len(passes) == 0 or apart.min() <= 0:
        return None
    ratios = copies / apart
    value = float(copies.mean() / apart.mean())
    low, high = positive_interval(ratios)
    return DelayRatio(
        value,
        min(low, value),
        max(high, value),
        tuple(float(ratio) for ratio in ratios),
        float(copies.mean()),
        float(apart.mean()),
    )


def positive_interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of a few durations or ratios, all above 0; the value itself when there is one.

    Student's interval of their logarithms, around the mean: neither end can be 0 or less, which no duration is.
    """
    mean = float(values.mean())
    if len(values) < 2:
        return mean, mean
    freedom = min(len(values) - 1, len(_STUDENT_95) - 1)
    factor = float(np.exp(_STUDENT_95[freedom] * np.log(values).std(ddof=1) / len(values) ** 0.5))
    return mean / factor, mean * factor
