"""Where the rate of a long write changes level, how far it falls, and what could not have been seen.

    rate |########.                      plateau 0: 0 .. 120 GB at 310 MB/s
         |        '################      plateau 1: 120 GB .. end at 240 MB/s
         +--------|----------------> bytes written
               change: 120 GB (low .. high)

Worked on logarithms of the rate over bins of about equal *bytes*, because a cache or a spare area is used up by
bytes, not by seconds; a stall then is one long bin, never a row without a rate.
A change below 3 % is not called one: clocks, links and the sampling itself make steps of that size, and no
cache that is worth knowing of is so weak.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from flashscope.analysis import segmentation
from flashscope.analysis.intervals import batch_standard_error, ratio_of_sums, resampled_rows
from flashscope.records import Doubt

SMALLEST_CHANGE_RATIO = 0.03
_NOISE_FLOOR = 0.002  # of the rate: below this the sampling grid itself is seen
_BINS = 400
_ROWS_LEAST = 12
_ROWS_GOOD = 40


@dataclass(frozen=True)
class Plateau:
    """A stretch of about one rate.

    from_bytes, to_bytes: written bytes at its ends. low, high: 95 % interval of the rate [bytes/s].
    """

    from_bytes: float
    to_bytes: float
    rate_bytes_per_second: float
    low: float
    high: float


@dataclass(frozen=True)
class Change:
    """Where one plateau gives way to the next [bytes written], with its interval."""

    bytes: float
    low: float
    high: float


@dataclass(frozen=True)
class Levels:
    """All plateaus of a series, in order, and the changes between them (one fewer).

    detection_limit_ratio: a fall smaller than this share of the rate, or lasting less than a tenth of the run,
    might have been missed [0..1; 1 when nothing could have been seen].
    """

    plateaus: tuple[Plateau, ...]
    changes: tuple[Change, ...]
    detection_limit_ratio: float
    doubts: tuple[Doubt, ...] = ()

    @property
    def first_fall(self) -> int | None:
        """Index of the first change after which the rate is lower; None when it never falls."""
        rates = [plateau.rate_bytes_per_second for plateau in self.plateaus]
        return next((i for i, (now, then) in enumerate(itertools.pairwise(rates)) if then < now), None)


def find_levels(elapsed_ns: np.ndarray, moved_bytes: np.ndarray) -> Levels:
    """The plateaus of a transfer.

    elapsed_ns: end of each sampling interval since the start, ascending, shape (rows,) [ns].
    moved_bytes: bytes completed within each interval, shape (rows,) [bytes].
    The last interval is left out, since it is rarely a full one. Raises ValueError when the two shapes differ.
    """
    if elapsed_ns.shape != moved_bytes.shape:
        raise ValueError(f"shapes differ: {elapsed_ns.shape} and {moved_bytes.shape}")
    seconds = np.diff(np.asarray(elapsed_ns, dtype=float), prepend=0.0) / 1e9
    amounts = np.asarray(moved_bytes, dtype=float)
    if len(seconds) >= 3:
        seconds, amounts = seconds[:-1], amounts[:-1]
    seconds, amounts = seconds[seconds > 0], amounts[seconds > 0]
    if amounts.sum() <= 0:
        return Levels((), (), 1.0, (_too_few(len(amounts)),))
    edges = _bin_edges(amounts)
    levels = np.log(np.add.reduceat(amounts, edges[:-1]) / np.add.reduceat(seconds, edges[:-1]))
    doubts = () if len(levels) >= _ROWS_GOOD else (_too_few(len(levels)),)
    written = np.concatenate(([0.0], np.cumsum(amounts)))
    if len(levels) < _ROWS_LEAST:
        return Levels((_plateau(amounts, seconds, written, 0, len(amounts)),), (), 1.0, doubts)

    samples = np.diff(edges).astype(float)
    tolerance = 4 * segmentation.noise_of(levels, samples, floor=_NOISE_FLOOR).deviation / np.sqrt(samples)
    calm = segmentation.without_hitches(levels, tolerance)
    variance = segmentation.noise_of(calm, samples, floor=_NOISE_FLOOR).long_run_variance
    cuts = segmentation.cut(
        calm,
        samples,
        variance=variance,
        shortest_rows=max(4, len(calm) // 100),
        smallest_step=-math.log(1 - SMALLEST_CHANGE_RATIO),
    )
    spans = [0, *cuts, len(calm)]
    rows = [0, *(_refined(amounts, seconds, edges, calm, spans, k) for k in range(1, len(spans) - 1)), len(amounts)]
    plateaus = tuple(_plateau(amounts, seconds, written, a, b) for a, b in itertools.pairwise(rows))
    changes = tuple(_change(calm, spans, k, edges, written, rows[k]) for k in range(1, len(spans) - 1))
    return Levels(plateaus, changes, _limit(variance, samples), (*doubts, *_trend(calm[spans[-2] :])))


def _bin_edges(amounts: np.ndarray) -> np.ndarray:
    """First rows of bins that hold at least a 400th of all bytes each, and the row count at the end."""
    share = amounts.sum() / _BINS
    edges, held = [0], 0.0
    for row, amount in enumerate(amounts):
        held += amount
        if held >= share * (1 - 1e-9):
            edges.append(row + 1)
            held = 0.0
    # What is left at the end joins the last bin.
    edges[-1] = len(amounts)
    return np.array(edges)


def _refined(
    amounts: np.ndarray, seconds: np.ndarray, edges: np.ndarray, levels: np.ndarray, spans: list[int], k: int
) -> int:
    """The row at which plateau k begins, looked for at full resolution around its bin."""
    # At most two bins, and less than half of a short plateau, so that neighbouring changes never meet.
    low = edges[spans[k] - min(2, (spans[k] - spans[k - 1] - 1) // 2)]
    high = edges[spans[k] + min(2, (spans[k + 1] - spans[k] - 1) // 2)]
    rates = np.maximum(amounts[low:high], 1e-3 * amounts.mean()) / seconds[low:high]
    before, after = levels[spans[k - 1] : spans[k]].mean(), levels[spans[k] : spans[k + 1]].mean()
    bounded = np.clip(np.log(rates), min(before, after), max(before, after))
    return int(low + segmentation.best_split(bounded, before, after))


def _plateau(amounts: np.ndarray, seconds: np.ndarray, written: np.ndarray, start: int, end: int) -> Plateau:
    rate, low, high = ratio_of_sums(amounts[start:end], seconds[start:end])
    return Plateau(float(written[start]), float(written[end]), rate, low, high)


def _change(levels: np.ndarray, spans: list[int], k: int, edges: np.ndarray, written: np.ndarray, row: int) -> Change:
    """The change before plateau k; its interval from searching it again in resampled noise."""
    left, right = levels[spans[k - 1] : spans[k]], levels[spans[k] : spans[k + 1]]
    before, after = left.mean(), right.mean()
    noise = np.concatenate([left - before, right - after])
    clean = np.concatenate([np.full(len(left), before), np.full(len(right), after)])
    places = segmentation.best_split(clean + noise[resampled_rows(len(noise), draws=200, stream=k)], before, after)
    early, late = np.quantile(places, [0.025, 0.975])
    bytes_at = written[edges]
    found = float(written[row])
    # Never closer than the rows on either side: a change inside a row cannot be placed better.
    row_before, row_after = written[max(row - 1, 0)], written[min(row + 1, len(written) - 1)]
    middle = bytes_at[spans[k]]
    low = min(found + bytes_at[spans[k - 1] + int(early)] - middle, row_before)
    high = max(found + bytes_at[spans[k - 1] + math.ceil(late)] - middle, row_after)
    return Change(found, float(max(low, 0.0)), float(high))


def _limit(variance: float, samples: np.ndarray) -> float:
    """The smallest fall that would have been seen had it lasted for a tenth of the run [ratio]."""
    error = math.sqrt(variance / samples.sum() * (1 / 0.9 + 1 / 0.1))
    return max(SMALLEST_CHANGE_RATIO, 1 - math.exp(-segmentation.significance_for(len(samples)) * error))


def _trend(last: np.ndarray) -> tuple[Doubt, ...]:
    """A doubt when the last plateau is still moving, more than its noise explains."""
    if len(last) < 8:
        return ()
    half = len(last) // 2
    move = float(last[half:].mean() - last[:half].mean())
    error = math.hypot(batch_standard_error(last[half:])[0], batch_standard_error(last[:half])[0])
    if abs(move) < max(0.02, 4 * error):
        return ()
    message = f"the rate still moves by {100 * math.expm1(move):+.0f} % between the halves of the last plateau"
    return (Doubt("NotSteady", message, "write for longer, until the rate stays level"),)


def _too_few(rows: int) -> Doubt:
    return Doubt(
        "TooFewSamples",
        f"only {rows} samples of the rate; small or short changes cannot be told from noise",
        "write more, or sample at shorter intervals",
    )
