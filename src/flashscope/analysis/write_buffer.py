"""The size of a write buffer, from bursts that begin with it empty: data accepted that cannot be on flash yet.

    taken |            ____----  W = A + r t      r: the rate of the flash, once the buffer is full
          |       ____/                           A: data in the buffer, on the way from host to flash
        A |..___/
          | /   W = f t                           f: the rate at which single requests are answered
          |/______________________ time

A is the buffer's size B when draining begins with the first byte. A drive that begins only when D bytes wait has
drained nothing for the time D / f, so A = B - D r / f. Requests of several sizes are answered at several rates f;
A over x = r / f is a line that meets x = 0 at B. Where the sizes of requests give too few different x, bursts with a
pause after each request give more. Some drives accept nothing until they have drained; a line through these pauses is
no measure. There A is the data accepted before the first pause, less the data drained by then.

A large buffer in front of slow flash may still be half full when the next burst begins: the data that the idle time
before it could not drain is computed, and such a burst is left out.

Assumed: single requests (queue depth 1), the flash drains at one rate, nothing is overwritten while it waits.
Left open: the time until the first page is programmed, up to 3 ms, in which nothing drains; it widens the interval.
Not modelled here: a buffer whose size depends on the request; a flash cache (pSLC) in front of the flash.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

_FIRST_PAGE_S = 3e-3
_VISIBLE_LOAD_RATIO = 0.93  # above it the flash is as fast as the host, and no data ever waits
_PROGRAM_S = 150e-6  # no flash is programmed faster: a faster answer came from memory
_STALL_SHARE = 0.1  # of the buffer drained in one pause: from here on the pause is a stall
_DRAIN_ERROR_RATIO = 0.02  # how well halves of a burst agree on the rate of the drain
_STALL_DRAIN_ERROR_RATIO = 0.03  # error of the drain rate before the first pause, taken from complete pauses
_GROWS_RATIO = 0.1  # of the buffer: rooms that differ less after all gaps show no rate
_LEFT_RATIO = 0.01  # of the buffer: a smaller rest of the burst before is ignored
_LEAST_REQUESTS = 6.0
_LEAST_ROWS = 6


@dataclass(frozen=True)
class Burst:
    """One burst into an empty buffer, at queue depth 1.

    request_bytes: of each write. interval_s: length of a row. ends_s, written_bytes: shape (rows,), the end of each
    row and the bytes answered in it. fastest_s, slowest_s: the shortest and the longest time of a request.
    pause_s: from the answer of each request to the next one. rest_s: idle time before the burst.
    """

    request_bytes: int
    interval_s: float
    ends_s: np.ndarray
    written_bytes: np.ndarray
    fastest_s: float
    slowest_s: float
    pause_s: float = 0.0
    rest_s: float = np.inf

    @property
    def fast(self) -> float:
        """The rate while every request is answered from memory [bytes/s]."""
        return self.request_bytes / (self.fastest_s + self.pause_s)


@dataclass(frozen=True)
class BurstFit:
    """What one burst shows.

    fast, slow: rates before and after the knee [bytes/s]. load_ratio: slow / fast. held_bytes: A.
    error_bytes: its standard error. knee_bytes: written when the buffer was first full. stalls: the drive then paused.
    filled: the buffer was full for long enough to know slow. pause_s: as in the burst.
    """

    request_bytes: int
    fast: float
    slow: float
    load_ratio: float
    held_bytes: float
    error_bytes: float
    knee_bytes: float
    stalls: bool
    filled: bool
    pause_s: float = 0.0


@dataclass(frozen=True)
class BufferEstimate:
    """buffer_bytes: None when none is seen; low_bytes, high_bytes around it. limit_bytes: a larger one would be seen.

    drain_rate: of the flash behind it [bytes/s]. begins_bytes: bytes that wait before draining begins, if the bursts
    show it. stalls: a full buffer accepts nothing until it has drained; None when unknown.
    keeps_up: the flash is as fast as single requests arrive, so a buffer cannot be seen.
    """

    buffer_bytes: float | None
    low_bytes: float
    high_bytes: float
    limit_bytes: float
    drain_rate: float
    begins_bytes: float
    stalls: bool | None
    keeps_up: bool
    fits: tuple[BurstFit, ...]


def fit_burst(burst: Burst) -> BurstFit | None:
    """The two rates of a burst and what it held; None with fewer than 6 rows, or when it never settled."""
    rows = np.flatnonzero(burst.written_bytes > 0)
    if len(rows) < _LEAST_ROWS:
        return None
    # The last request of a row ended somewhere within it: in the middle, on average.
    times = burst.ends_s[rows] - burst.interval_s / 2
    taken = np.cumsum(burst.written_bytes)[rows]
    fast = burst.fast
    slow, held, error = _settled(times, taken, taken[-1] / 2)
    stall_s = burst.slowest_s + burst.pause_s - burst.request_bytes / max(slow, 1.0)
    load = min(slow / fast, 1.0)
    knee = held / max(1 - load, 1e-3)
    if held > 0 and knee < taken[-1] / 4:  # a small buffer: fit the beginning again, in more detail
        near = taken <= max(8 * knee, taken[min(len(taken) - 1, 2 * _LEAST_ROWS)])
        if near.sum() >= 2 * _LEAST_ROWS and not stall_s * slow > _STALL_SHARE * max(held, 1.0):
            slow, held, error = _settled(times[near], taken[near], 1.5 * knee)
            load = min(slow / fast, 1.0)
            knee = held / max(1 - load, 1e-3)
    if slow <= 0 or held > taken[-1]:  # the burst ended on its way from one rate to another
        return None
    first_stop, cycle_rate = _stops(times, taken, fast)
    stalls = stall_s * slow > max(_STALL_SHARE * first_stop * (1 - load), 4 * burst.request_bytes)
    whole_cycles = cycle_rate is not None
    if stalls:
        slow = cycle_rate or slow
        load = min(slow / fast, 1.0)
        knee, held = first_stop, first_stop * (1 - load)
        error = burst.request_bytes + fast * burst.interval_s + _STALL_DRAIN_ERROR_RATIO * load * first_stop
    else:
        # Not counted: the request under way, half of it on average, and the data drained while it crossed the link.
        crossing = burst.fastest_s / (burst.fastest_s + burst.pause_s)
        held += burst.request_bytes * (1 + load) / 2 * crossing
        error += burst.request_bytes / 4
    return BurstFit(
        burst.request_bytes,
        float(fast),
        float(slow),
        float(load),
        float(held),
        float(error),
        float(knee),
        bool(stalls),
        bool(whole_cycles and knee < 0.8 * taken[-1]) if stalls else _is_straight(times, taken, knee),
        burst.pause_s,
    )


def _settled(times: np.ndarray, taken: np.ndarray, after_bytes: float) -> tuple[float, float, float]:
    """The line through what was taken after the first after_bytes: slope, intercept, error of the intercept."""
    late = taken > min(after_bytes, 0.7 * taken[-1])
    if late.sum() < 3:
        late = np.arange(len(taken)) >= len(taken) // 2
    x, y = times[late], taken[late].astype(float)
    slope, intercept = np.polyfit(x, y, 1)
    scatter = float(np.std(y - slope * x - intercept))
    spread = max(float(np.std(x)), 1e-12)
    error = scatter / np.sqrt(len(x)) * float(np.sqrt(1 + (x.mean() / spread) ** 2))
    return float(slope), float(intercept), error


def _is_straight(times: np.ndarray, taken: np.ndarray, knee_bytes: float) -> bool:
    """True when the knee lies in the first half, and the data after it was accepted at one rate."""
    if knee_bytes < 0.3 * taken[-1]:
        return True
    halves = [
        np.polyfit(times[part], taken[part], 1)[0] for part in np.array_split(np.flatnonzero(taken > taken[-1] / 2), 2)
    ]
    return bool(knee_bytes < 0.55 * taken[-1] and abs(halves[0] / halves[1] - 1) < _DRAIN_ERROR_RATIO)


def _stops(times: np.ndarray, taken: np.ndarray, fast: float) -> tuple[float, float | None]:
    """Data accepted before the first long wait [bytes], and the rate over complete cycles of burst and wait.

    The rate is that of the drain [bytes/s], since each cycle ends in the state in which it began; None with fewer than
    two waits.
    """
    waits = np.diff(times, prepend=0.0) - np.diff(taken, prepend=0.0) / fast
    long = np.flatnonzero(waits > 0.5 * float(waits.max()))
    long = long[long > 0]
    if not len(long):
        return float(taken[-1]), None
    rate = (taken[long[-1]] - taken[long[0]]) / (times[long[-1]] - times[long[0]]) if len(long) > 1 else None
    return float(taken[long[0] - 1]), rate


def estimate_buffer(bursts: Sequence[Burst]) -> BufferEstimate:
    """The buffer that explains bursts of several request sizes; of two bursts of one size the better one is used.

    bursts: in the order in which they were written, since data left over from one burst affects the next.
    Raises ValueError when no burst holds enough rows.
    """
    pairs = [(burst, fit) for burst in bursts if (fit := fit_burst(burst)) is not None]
    if not pairs:
        raise ValueError("no burst with enough rows")
    per_byte_s = min(burst.fastest_s / burst.request_bytes for burst in bursts)
    seen = _seen(pairs, per_byte_s)
    if len(seen) > 2:
        # One flash drains at one rate; a burst that settled at another has not settled.
        usual = float(np.median([fit.slow for fit in seen]))
        pairs = [(burst, _less_sure(fit, usual)) for burst, fit in pairs]
        seen = _seen(pairs, per_byte_s)
        seen = [fit for fit in seen if fit.stalls or abs(fit.slow / usual - 1) < _DRAIN_ERROR_RATIO] or seen
    fits = [fit for _, fit in pairs]
    seen = _into_empty(pairs, seen)
    limit = min(_visible_bytes(burst, fit, per_byte_s) for burst, fit in pairs)
    if not seen:
        slow = max(fit.slow for fit in fits)
        keeps_up = (
            min(burst.fastest_s for burst in bursts) < _PROGRAM_S
            and min(fit.load_ratio for fit in fits) > _VISIBLE_LOAD_RATIO
        )
        return BufferEstimate(None, 0.0, limit, limit, slow, 0.0, None, keeps_up, tuple(fits))
    chosen = [min(group, key=lambda fit: fit.error_bytes + fit.request_bytes) for group in _by_size(seen)]
    size, begins, error = _at_no_load(chosen)
    slow = float(np.median([fit.slow for fit in chosen]))
    stalls = sum(fit.stalls for fit in chosen) * 2 > len(chosen)
    first_page = slow * _FIRST_PAGE_S
    # A full buffer accepts the next request when a page is programmed: the longest such wait is the time of a page.
    waits = [burst.slowest_s for burst, fit in pairs if fit in chosen and not fit.stalls]
    page_s = _FIRST_PAGE_S if stalls or not waits else min(*waits, _FIRST_PAGE_S)
    least = min(chosen, key=lambda fit: fit.load_ratio)
    loose = len(chosen) == 1 or np.ptp([fit.load_ratio for fit in chosen]) < 0.08
    high = least.held_bytes / (1 - least.load_ratio) if loose else size
    return BufferEstimate(
        size + slow * page_s / 2,
        below(min(size, least.held_bytes), 2 * error),
        max(high, size) + first_page + 2 * error,
        limit,
        slow,
        begins,
        stalls,
        False,
        tuple(chosen),
    )


def below(value: float, error: float) -> float:
    """The lower end of an interval of something that is there: value - error, and never 0 or less.

    From an error of half the value on it goes on as an exponential, with the same slope at that place.
    """
    ratio = error / max(value, 1e-9)
    return value - error if ratio < 0.5 else value / 2 * math.exp(1 - 2 * ratio)


def _less_sure(fit: BurstFit, usual: float) -> BurstFit:
    """The same fit; its error grows by what another rate of the drain would have done to the knee. usual: [bytes/s]."""
    if fit.stalls or fit.load_ratio > _VISIBLE_LOAD_RATIO:
        return fit
    return replace(fit, error_bytes=fit.error_bytes + abs(fit.slow / usual - 1) * max(fit.knee_bytes, 0.0))


def _seen(pairs: Sequence[tuple[Burst, BurstFit]], per_byte_s: float) -> list[BurstFit]:
    return [fit for burst, fit in pairs if _is_seen(fit) and _is_from_memory(burst, per_byte_s)]


def _is_seen(fit: BurstFit) -> bool:
    threshold = max(_LEAST_REQUESTS * fit.request_bytes, 4 * fit.error_bytes)
    return fit.load_ratio <= _VISIBLE_LOAD_RATIO and fit.held_bytes > threshold and fit.filled


def _visible_bytes(burst: Burst, fit: BurstFit, per_byte_s: float) -> float:
    """The size from which a burst shows a buffer, even one that drains from the first byte on; infinite for no size."""
    held = _LEAST_REQUESTS * fit.request_bytes + 3 * fit.error_bytes
    if not _is_from_memory(burst, per_byte_s):
        return held  # into a buffer even the first requests would be faster
    return held / (1 - fit.load_ratio) if fit.load_ratio <= _VISIBLE_LOAD_RATIO else math.inf


def _into_empty(pairs: Sequence[tuple[Burst, BurstFit]], seen: list[BurstFit]) -> list[BurstFit]:
    """Those of `seen` that began with the buffer empty; at least one of them.

    An idle time drains at most what the flash can program in it, and a burst leaves at most what the buffer held.
    """
    if not seen:
        return seen
    drain, most = float(np.median([fit.slow for fit in seen])), max(fit.held_bytes for fit in seen)
    left_bytes, empty = 0.0, []
    for burst, fit in pairs:
        left_bytes = max(left_bytes - drain * burst.rest_s, 0.0)
        if left_bytes <= _LEFT_RATIO * most and any(fit is one for one in seen):
            empty.append(fit)
        left_bytes = min(left_bytes + float(burst.written_bytes.sum()) * max(1 - drain / burst.fast, 0.0), most)
    return empty or seen


def _is_from_memory(burst: Burst, per_byte_s: float) -> bool:
    """True when the fastest request took less, besides its data, than a page takes to be programmed.

    Where lower and upper pages take turns, or old data is read first, requests differ in time without any buffer.
    """
    return burst.fastest_s - burst.request_bytes * per_byte_s < _PROGRAM_S


def _by_size(fits: Sequence[BurstFit]) -> list[list[BurstFit]]:
    ordered = sorted(fits, key=lambda fit: (fit.request_bytes, fit.pause_s))
    return [list(group) for _, group in itertools.groupby(ordered, key=lambda fit: (fit.request_bytes, fit.pause_s))]


def _at_no_load(fits: Sequence[BurstFit]) -> tuple[float, float, float]:
    """(B, D, error of B): the line A = B - x D where the loads differ enough to draw one; else A at the least load."""
    loads = np.array([fit.load_ratio for fit in fits])
    held = np.array([fit.held_bytes for fit in fits])
    errors = np.array([fit.error_bytes for fit in fits]) + 0.01 * held
    least = int(np.argmin(loads))
    if len(fits) < 2 or np.ptp(loads) < 0.08:
        return float(held[least]), 0.0, float(errors[least])
    weights = 1 / errors
    slope, size = np.polyfit(loads, held, 1, w=weights)
    begins = float(
        np.clip(-slope, 0.0, max(size, 0.0))
    )  # no drive drains before it holds anything, or after it is full
    size = float(np.average(held + loads * begins, weights=weights**2))
    size = min(size, float(held[least] / max(1 - loads[least], 1e-3)))  # draining begins when it is full, at the latest
    middle = np.average(loads, weights=weights**2)
    lever = np.sqrt(1 + (middle / max(float(np.std(loads)), 1e-3)) ** 2)
    return size, begins, float(lever / np.sqrt((weights**2).sum()))


def _emptied_s(gaps_s: Sequence[float], rooms_bytes: Sequence[float], whole: float) -> float:
    """The shortest gap that emptied the buffer [s]; a longer one that did not was met by other work."""
    return min((gap for gap, room in zip(gaps_s, rooms_bytes, strict=True) if room >= 0.9 * whole), default=math.inf)


def gap_drain_rate(gaps_s: Sequence[float], rooms_bytes: Sequence[float], buffer_bytes: float) -> float | None:
    """Room gained per second of an idle gap [bytes/s], from gaps too short to empty the buffer; None without one.

    Gaps after which as much room is found as after any other are no measure, however little that is of the buffer.
    gaps_s: pause before each burst. rooms_bytes: data each burst then held (A of its fit).
    """
    whole = min(buffer_bytes, max(rooms_bytes, default=0.0))
    emptied_s = _emptied_s(gaps_s, rooms_bytes, whole)
    pairs = sorted((gap, room) for gap, room in zip(gaps_s, rooms_bytes, strict=True) if gap < emptied_s)
    # A request under way adds the same in all bursts, so the difference of two gaps is better than a single gap.
    points = pairs if len(pairs) > 1 else [(0.0, 0.0), *pairs]
    if len(points) < 2 or points[-1][1] - points[0][1] < _GROWS_RATIO * buffer_bytes:
        return None  # all of these gaps are long enough, or none is: they show no rate
    # The steepest part: a drive that drains to a low water mark and then waits gains nothing in longer gaps.
    return max((b[1] - a[1]) / (b[0] - a[0]) for a, b in itertools.pairwise(points) if b[0] > a[0])
