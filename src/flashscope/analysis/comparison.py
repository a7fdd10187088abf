"""Two runs of one workload compared: the ratio of their rates or latencies, its interval, and the effect size.

    ratio        second / first, of a rate or of a latency quantile
    interval     from a block bootstrap of both series at once: the rhythm of a drive does not make it too narrow
    effect size  difference of the means in standard deviations of a row (Cohen's d, both runs pooled)

If the interval contains 1, no difference was seen; the interval then says how large a difference could be missed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flashscope.analysis.intervals import resampled_rows
from flashscope.analysis.warm_up import warm_up_rows
from flashscope.records import Histogram

_DRAWS = 1000
_ROWS_LEAST = 8


@dataclass(frozen=True)
class Ratio:
    """The second value over the first. low, high: 95 % interval; equal to the value when it cannot be computed.

    effect_size: in standard deviations of a row; None for a quantile, which has no rows, or with too few rows.
    dropped_rows: warm-up left out of (first, second).
    """

    value: float
    low: float
    high: float
    effect_size: float | None = None
    dropped_rows: tuple[int, int] = (0, 0)

    @property
    def differs(self) -> bool:
        """True when the interval does not contain 1."""
        return self.low < self.high and not self.low <= 1 <= self.high


def rate_ratio(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray], *, drop_warm_up: bool = True
) -> Ratio | None:
    """The ratio of two rates, from their series: (amount per row, length of the row), each of shape (rows,).

    None when one of them did nothing. Rows are of about equal length within a series; warm-up is left out.
    """
    kept, dropped = [], []
    for amounts, lengths in (first, second):
        amounts, lengths = amounts[lengths > 0].astype(float), lengths[lengths > 0].astype(float)
        if len(amounts) > 2:
            amounts, lengths = amounts[:-1], lengths[:-1]  # the last row is rarely a full one
        begin = warm_up_rows(amounts / lengths) if drop_warm_up and len(amounts) else 0
        kept.append((amounts[begin:], lengths[begin:]))
        dropped.append(begin)
    if any(amounts.sum() <= 0 for amounts, _ in kept):
        return None
    rates = [amounts.sum() / lengths.sum() for amounts, lengths in kept]
    value = float(rates[1] / rates[0])
    if min(len(amounts) for amounts, _ in kept) < _ROWS_LEAST:
        return Ratio(value, value, value, None, (dropped[0], dropped[1]))
    draws = [_resampled_rates(amounts, lengths, stream) for stream, (amounts, lengths) in enumerate(kept)]
    low, high = np.quantile(draws[1] / draws[0], [0.025, 0.975])
    rows = [amounts / lengths for amounts, lengths in kept]
    spread = float(np.sqrt((rows[0].var(ddof=1) + rows[1].var(ddof=1)) / 2))
    effect = float(rows[1].mean() - rows[0].mean()) / spread if spread > 0 else None
    return Ratio(value, min(float(low), value), max(float(high), value), effect, (dropped[0], dropped[1]))


def _resampled_rates(amounts: np.ndarray, lengths: np.ndarray, stream: int) -> np.ndarray:
    rows = resampled_rows(len(amounts), draws=_DRAWS, stream=stream)
    return np.asarray(amounts[rows].sum(axis=1) / np.maximum(lengths[rows].sum(axis=1), 1e-30))


def quantile_ratio(first: Histogram, second: Histogram, share_ratio: float) -> Ratio | None:
    """The ratio of two latency quantiles; the interval is that of order statistics of independent requests.

    Requests of one drive are not independent, so the interval is somewhat too narrow. None when one of the two is
    empty.
    """
    if not first.counts or not second.counts:
        return None
    bounds = []
    for histogram in (first, second):
        margin = 1.96 * np.sqrt(share_ratio * (1 - share_ratio) / histogram.total)
        shares = (max(share_ratio - margin, 0.0), share_ratio, min(share_ratio + margin, 1.0))
        bounds.append([histogram.percentile_ns(float(share)) for share in shares])
    (low_a, a, high_a), (low_b, b, high_b) = bounds
    if min(low_a, a) <= 0:
        return None
    value = b / a
    # Half a bucket on either side: a quantile is not known more exactly.
    bucket = 1 / 128
    return Ratio(value, min(low_b / high_a, value) * (1 - bucket), max(high_b / low_a, value) * (1 + bucket))
