"""From burst rates after longer and longer pauses to when work in idle time begins, and how fast it goes.

    recovered |                ______   all of a burst, or all the drive ever gets ready
              |               /
              |              /  slope: room made ready per second of idleness
              |_____________/
              +-------------|---------- pause before the burst
                            delay

A burst of W bytes that runs at rate v has run R bytes at the recovered rate f and the rest at the tired rate r:
W / v = R / f + (W - R) / r. Bursts come in the order of their pauses, so that each short one uses up what was there.

Where a few reads end each pause they tell more: a read that comes while blocks are collected waits for what was begun,
however slowly room is made. The first pause whose reads wait, or whose burst gains, ends the stretch in which work
began; the pause before it begins that stretch, and the value is its geometric middle.

Assumed: the first pauses are too short for any work, and the drive is tired when they begin.
Left open: between the last pause without and the first with work nothing is known; that is the interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

_FIRST = 4  # pauses taken to be too short
_LEAST_GAIN = 1.1  # recovered over tired rate: below it nothing is said to come back
_LEAST_SHARE = 0.006  # of a burst: less is never told from nothing
_CHANCE_MARGIN = 1.1  # a share must exceed what came back by chance before by this factor
_UNSEEN_SHARE = 0.02  # of a burst: work that has begun, on blocks that are not free yet
_FOOT_SHARE = 0.35
_WHOLE_SHARE = 0.9
_UNSEEN_GAIN = 1.5  # where no read ever waited: what is less came by chance
_UNEVEN_RATIO = 0.3
_WAITS_RATIO = 1.5  # a read at the end of a pause against the usual one: below it nothing was under way


@dataclass(frozen=True)
class Recovery:
    """pauses_s, shares: the curve, share of each burst at the recovered rate [0..1].

    tired, recovered: rates [bytes/s]. delay_s: when work begins, from low_s to high_s; None when it never does.
    bytes_per_second: room made ready per second of idleness; None when nothing comes back; at_least when no
    pause was seen in mid-work.
    whole_s: first pause after which nine tenths are back, None when there is none. limit_ratio: the least gain seen.
    """

    pauses_s: tuple[float, ...]
    shares: tuple[float, ...]
    tired: float
    recovered: float
    delay_s: float | None
    low_s: float
    high_s: float
    bytes_per_second: float | None
    at_least: bool
    whole_s: float | None
    limit_ratio: float


def recovery(
    pauses_s: Sequence[float], rates: Sequence[float], burst_bytes: float, reads_s: Sequence[float] = ()
) -> Recovery:
    """The curve and its bend. pauses_s: ascending. rates: of the burst after each [bytes/s], shape as pauses_s.

    reads_s: mean time of the reads that ended each pause [s], shape as pauses_s; empty when there were none.
    Raises ValueError with fewer than 6 bursts.
    """
    pauses, speeds = np.asarray(pauses_s, dtype=float), np.asarray(rates, dtype=float)
    if len(pauses) < _FIRST + 2:
        raise ValueError("six bursts at least: four tired ones and two after longer pauses")
    scatter = float(np.median(np.abs(speeds[:_FIRST] / np.median(speeds[:_FIRST]) - 1)))
    top = float(np.quantile(speeds, 0.95))
    limit = max(_LEAST_GAIN, 1 + 6 * scatter)
    has_reads = len(reads_s) == len(pauses)
    begun, alone = _first_wait(np.asarray(reads_s, dtype=float), speeds, limit) if has_reads else (None, None)
    if has_reads and begun is None:
        # Gains without work: free blocks that come and go.
        limit = max(limit, _UNSEEN_GAIN, float(speeds[: 2 * _FIRST].max() / np.median(speeds[:_FIRST])) * _LEAST_GAIN)
    # Bursts that take turns at free blocks and at collected ones are alike on the mean over many, all before the work.
    tired = float(np.median(speeds[:_FIRST]) if begun is None else begun / (1 / speeds[:begun]).sum())
    if top < (limit if begun is None else _LEAST_GAIN) * tired:
        flat = tuple(0.0 for _ in pauses)
        delay, low, high = _bracket(pauses, begun, 1)
        return Recovery(tuple(pauses), flat, tired, top, delay, low, high, None, False, None, limit)
    shares = np.clip((1 / tired - 1 / speeds) / (1 / tired - 1 / top), 0.0, 1.0)
    delay, low, high, slope, at_least = _bend(pauses, shares, burst_bytes)
    if begun is not None:
        # Where bursts differ, so does what there is to do: all may have been done before the pause before was over.
        uneven = np.ptp(speeds[:begun]) > _UNEVEN_RATIO * tired
        delay, low, high = _bracket(pauses, begun, 2 if uneven else 1)
    elif alone is not None:
        low = min(low, float(pauses[alone - 1]))
    whole = np.flatnonzero(shares >= _WHOLE_SHARE)
    return Recovery(
        tuple(pauses),
        tuple(float(share) for share in shares),
        tired,
        top,
        delay,
        low,
        high,
        slope,
        at_least,
        float(pauses[whole[0]]) if len(whole) else None,
        limit,
    )


def _first_wait(
    reads_s: np.ndarray, speeds: np.ndarray, limit_ratio: float
) -> tuple[int, None] | tuple[None, int | None]:
    """(place, None): the first pause whose reads had to wait, borne out by another or by the bursts from then on.

    (None, place) when nothing bears it out: a hitch of any other kind would look the same.
    """
    usual = np.median(reads_s[:_FIRST])
    spread = float(np.abs(reads_s[:_FIRST] / usual - 1).max())
    waits = np.flatnonzero(reads_s > usual * max(_WAITS_RATIO, 1 + 10 * spread))
    if not len(waits) or waits[0] == 0:
        return None, None
    first = int(waits[0])
    gains = np.median(speeds[first : first + 6]) > limit_ratio * np.median(speeds[:first])
    return (first, None) if len(waits) > 1 or gains else (None, first)


def _bracket(pauses: np.ndarray, begun: int | None, back: int) -> tuple[float | None, float, float]:
    """(delay, low, high) when work began in the last `back` steps to a pause; None, and the longest, when never."""
    if begun is None:
        return None, float(pauses[-1]), float("inf")
    low, high = float(pauses[max(begun - back, 0)]), float(pauses[begun])
    return math.sqrt(float(pauses[begun - 1]) * high), low, high


def _bend(pauses: np.ndarray, shares: np.ndarray, burst_bytes: float) -> tuple[float, float, float, float, bool]:
    """(delay, low, high, slope [bytes/s], at least): the bend that fits the foot of the curve best.

    The foot may be curved, since a few blocks help less than many: a (t - d) + b (t - d)^2 with a, b >= 0. A gain below
    `nothing` is not seen, so work began a little before the bend: half the time that takes is allowed for.
    """
    nothing = float(np.clip(4 * np.quantile(shares[: 2 * _FIRST], 0.9), _LEAST_SHARE, 0.1))
    # A share counts when no later burst falls below it: what comes back by chance does not last.
    lasting = np.minimum.accumulate(shares[::-1])[::-1]
    first = _first_above(lasting, nothing)
    low = float(pauses[max(first - 2, 0)])
    # Bursts that took turns at free blocks before may do so once more just before the work: that much is no evidence.
    nothing = max(nothing, _CHANCE_MARGIN * float(shares[:first].max(initial=0.0)))
    first = _first_above(lasting, nothing)
    high = float(pauses[first])
    end = max(int(np.searchsorted(lasting, _FOOT_SHARE)), first + 2)
    x, y = pauses[:end], np.where(np.arange(len(shares)) < first, 0.0, shares)[:end]
    caught = np.flatnonzero((y > 0) & (y < _WHOLE_SHARE))
    if len(caught) < 2:  # back whole within one step of the pauses
        before = float(pauses[max(first - 1, 0)])
        return (before + high) / 2, low, high, float(shares[first] * burst_bytes / max(high - before, 1e-9)), True
    weight = 1 / (nothing + y)
    delays = np.geomspace(low, high, 200)
    misfits, rises = np.empty(len(delays)), np.empty(len(delays))
    for index, delay in enumerate(delays):
        late = np.maximum(x - delay, 0.0)
        factors, misfits[index] = nnls(np.stack([late, late**2], axis=1) * weight[:, None], y * weight)
        rises[index] = factors[0] + factors[1] * late.max()
    alike = misfits <= misfits.min() * 1.05 + 1e-3
    delay, rise = float(delays[alike].mean()), float(rises[alike].mean())
    rise_at_first = float(shares[first] / max(pauses[first] - delay, 1e-9))
    unseen_s = min(_UNSEEN_SHARE / max(rise_at_first, 1e-12), delay / 2)
    return delay - unseen_s / 2, min(low, delay - 1.5 * unseen_s), high, rise * burst_bytes, False


def _first_above(lasting: np.ndarray, nothing: float) -> int:
    """Place of the first share above nothing; the last place when there is none."""
    risen = np.flatnonzero(lasting > nothing)
    return int(risen[0]) if len(risen) else len(lasting) - 1
