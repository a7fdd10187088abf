"""When a drive begins to work in idle time, and how fast, from the rates of bursts after longer and longer pauses.

    recovered |                ______   all of a burst, or all the room the drive ever makes
              |               /
              |              /  slope: room made ready per second of idleness
              |_____________/
              +-------------|---------- pause before the burst
                            delay

A burst of W bytes that runs at rate v has run R bytes at the recovered rate f and the rest at the tired rate r:
W / v = R / f + (W - R) / r. Bursts come in the order of their pauses, so each burst after a short pause uses up the
free room.

A few reads at the end of each pause show more: a read that arrives while blocks are collected waits for the operation
that was begun, however slowly room is made. Work began between two pauses: the first whose reads wait or whose burst
gains, and the one before it. The value is their geometric mean.

Assumed: the first pauses, four of them or those below 2 s where these are only three, are too short for any work, and
the drive is tired (without free room) when they begin.
Left open: between the last pause without work and the first with work nothing is known; that is the interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

_FIRST = 4  # pauses taken to be too short: so many,
_FEWEST, _TOO_SHORT_S = 3, 2.0  # or, where pauses grow fast, those below this, three at least
_LEAST_GAIN = 1.1  # recovered over tired rate: below it no recovery is reported
_LEAST_SHARE = 0.006  # of a burst: a smaller share cannot be told from zero
_CHANCE_MARGIN = 1.1  # a share must exceed by this factor the share that came back by chance before
_UNSEEN_SHARE = 0.02  # of a burst: room from work that has begun but has not freed its block yet
_FOOT_SHARE = 0.35
_WHOLE_SHARE = 0.9
_UNSEEN_GAIN = 1.5  # where no read ever waited: a smaller gain came by chance
_BLIND_GAIN = 1.5  # a run that could not have seen even this much tells nothing
_UNEVEN_RATIO = 0.3
_MAY_WAIT_RATIO = 1.1  # the same: above it work may have been under way
_WAITS_RATIO = 1.5  # a read at the end of a pause over the usual one: below it no work was under way


@dataclass(frozen=True)
class Recovery:
    """pauses_s, shares: the curve, share of each burst at the recovered rate [0..1].

    tired, recovered: rates [bytes/s]. delay_s: when work begins, from low_s to high_s; None when it never does.
    bytes_per_second: room made ready per second of idle time; None when nothing comes back; at_least when no
    pause ended while work was under way.
    whole_s: first pause after which nine tenths are back, None when there is none. limit_ratio: the least visible gain.
    chance: without a delay, bursts gained less than what may come by chance, but more than nothing; or even much more
    would not have been seen.
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
    chance: bool = False


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
    short = max(min(_FIRST, int((pauses < _TOO_SHORT_S).sum())), _FEWEST)
    scatter = float(np.median(np.abs(speeds[:short] / np.median(speeds[:short]) - 1)))
    top = float(np.quantile(speeds, 0.95))
    visible = limit = max(_LEAST_GAIN, 1 + 6 * scatter)
    has_reads = len(reads_s) == len(pauses)
    begun, alone = _first_wait(np.asarray(reads_s, dtype=float), speeds, limit, short) if has_reads else (None, None)
    if has_reads and begun is None:
        # Gains without work: the number of free blocks varies by itself.
        limit = max(limit, _UNSEEN_GAIN, float(speeds[: 2 * short].max() / np.median(speeds[:short])) * _LEAST_GAIN)
    # Before the work begins, some bursts meet free blocks and some do not; their mean over many is the tired rate.
    tired = float(np.median(speeds[:short]) if begun is None else begun / (1 / speeds[:begun]).sum())
    blind = begun is None and visible > _BLIND_GAIN
    if top < (limit if begun is None else _LEAST_GAIN) * tired or (blind and top < 2 * limit * tired):
        flat = tuple(0.0 for _ in pauses)
        delay, low, high = _bracket(pauses, begun, 1)
        chance = blind or (begun is None and top > visible * tired)
        least = limit if chance else visible
        return Recovery(tuple(pauses), flat, tired, top, delay, low, high, None, False, None, least, chance)
    shares = np.clip((1 / tired - 1 / speeds) / (1 / tired - 1 / top), 0.0, 1.0)
    delay, low, high, slope, at_least = _bend(pauses, shares, burst_bytes)
    if begun is not None:
        # Where bursts differ, the amount of work differs too: it may have been complete within the pause before.
        uneven = np.ptp(speeds[:begun]) > _UNEVEN_RATIO * tired
        # Reads that waited a little before that may have met work that had just begun.
        early = reads_s[begun - 1] > _MAY_WAIT_RATIO * float(np.median(reads_s[:short]))
        delay, low, high = _bracket(pauses, begun, 2 if uneven or early else 1)
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
    reads_s: np.ndarray, speeds: np.ndarray, limit_ratio: float, short: int
) -> tuple[int, None] | tuple[None, int | None]:
    """(place, None): the first pause whose reads had to wait, confirmed by another or by the bursts from then on.

    (None, place) when nothing confirms it: a hitch of any other kind would look the same.
    """
    usual = np.median(reads_s[:short])
    spread = float(np.abs(reads_s[:short] / usual - 1).max())
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
    from scipy.optimize import nnls  # takes half a second, and most commands look at no pauses

    nothing = float(np.clip(4 * np.quantile(shares[: 2 * _FIRST], 0.9), _LEAST_SHARE, 0.1))
    # A share counts when no later burst falls below it: what comes back by chance does not last.
    lasting = np.minimum.accumulate(shares[::-1])[::-1]
    first = _first_above(lasting, nothing)
    low = float(pauses[max(first - 2, 0)])
    # If some bursts met free blocks before, one may do so again just before the work: such a gain is no evidence.
    nothing = max(nothing, _CHANCE_MARGIN * float(shares[:first].max(initial=0.0)))
    first = _first_above(lasting, nothing)
    high = float(pauses[first])
    end = max(int(np.searchsorted(lasting, _FOOT_SHARE)), first + 2)
    x, y = pauses[:end], np.where(np.arange(len(shares)) < first, 0.0, shares)[:end]
    caught = np.flatnonzero((y > 0) & (y < _WHOLE_SHARE))
    if len(caught) < 2:  # everything came back within one step of the pauses
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
