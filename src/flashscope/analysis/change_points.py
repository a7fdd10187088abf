"""Where the rate of a long write changes level, how far it falls, and which falls would be too small to be seen.

    rate |########.                      plateau 0: 0 .. 120 GB at 310 MB/s
         |        '################      plateau 1: 120 GB .. end at 240 MB/s
         +--------|----------------> bytes written
               change: 120 GB (low .. high)

A drive that collects a whole block at once does not run slower: it stops now and then, for seconds. Its mean rate
says little; the place where the stops begin is the result:

    rate |########## ## # ## # ##      calm up to here, then stops: their share of the rows changes once
         +---------|------------->

Worked on logarithms of the rate over bins of about equal *bytes*, because a cache or a spare area is used up by
bytes, not by seconds. A stall is then one long bin, never a row without a rate.
A change below 3 % is not reported: clocks, links and the sampling itself make steps of that size, and every cache of
practical use makes a larger one.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np

from flashscope.analysis import segmentation
from flashscope.analysis.intervals import batch_standard_error, ratio_of_sums, resampled_rows
from flashscope.records import Doubt

SMALLEST_CHANGE_RATIO = 0.03
_NOISE_FLOOR = 0.002  # of the rate: smaller changes come from the sampling grid
_BINS = 400
_ROWS_MOST = 2000
_HEAD_SHARE = 1 / 8  # of a run, searched again for a plateau that is too short for the first search
_HEAD_LEAST = 1 / 400  # of a run: a shorter plateau is a memory in front of the flash
_SHORT = 8 / 400  # of a run: in a plateau of so few bins the place of the change is uncertain
_HEAD_FALL = 0.2  # the least fall after so short a plateau
_ROWS_LEAST = 12
_STOP_RATIO = 0.7  # of the calm rate: below it a row holds a stop
_STOPS_LEAST = 6
_STOPS_SCORE = 15.0  # least gain in log likelihood when the share of stops may change once
_SPACINGS = 3.0  # mean distances: random stops leave a gap this long in one case of twenty
_MIXED = (0.05, 0.95)  # share of rows with stops after the change; beyond it is a step, not stops
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
    """Where one plateau ends and the next begins [bytes written], with its interval."""

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
    whole = _find_levels(elapsed_ns, moved_bytes)
    if not whole.plateaus:
        return whole
    end = int(np.searchsorted(np.cumsum(moved_bytes), whole.plateaus[-1].to_bytes * _HEAD_SHARE))
    short = whole.first_fall == 0 and whole.plateaus[0].to_bytes < _SHORT * whole.plateaus[-1].to_bytes
    first = whole.plateaus[1 if short else 0]
    if first.to_bytes < np.sum(moved_bytes[:end]) or end < _ROWS_GOOD:
        return whole
    return _with_head(whole, short, _find_levels(elapsed_ns[:end], moved_bytes[:end]))


def _with_head(whole: Levels, short: bool, head: Levels) -> Levels:
    """The plateaus of a run, and the short one before them that a search of the beginning alone finds.

    A small flash cache is used up before a hundredth of the run. Such a short plateau counts only when the fall is deep
    and the rate after it is that of the run. short: the run itself shows a first plateau of a few bins; the search of
    the beginning gives its end more exactly.
    """
    if len(head.changes) != 1 or head.first_fall != 0:
        return whole
    fast, slow = (plateau.rate_bytes_per_second for plateau in head.plateaus)
    change, later = head.changes[0], whole.plateaus[1 if short else 0 :]
    goes_on = abs(slow / later[0].rate_bytes_per_second - 1) < _HEAD_FALL / 2
    if change.bytes < _HEAD_LEAST * later[-1].to_bytes or slow > (1 - _HEAD_FALL) * fast or not goes_on:
        return whole
    rest = replace(later[0], from_bytes=head.plateaus[1].from_bytes)
    changes = (change, *whole.changes[1 if short else 0 :])
    return replace(whole, plateaus=(head.plateaus[0], rest, *later[1:]), changes=changes)


def _find_levels(elapsed_ns: np.ndarray, moved_bytes: np.ndarray) -> Levels:
    seconds = np.diff(np.asarray(elapsed_ns, dtype=float), prepend=0.0) / 1e9
    amounts = np.asarray(moved_bytes, dtype=float)
    if len(seconds) >= 3:
        seconds, amounts = seconds[:-1], amounts[:-1]
    seconds, amounts = seconds[seconds > 0], amounts[seconds > 0]
    if amounts.sum() <= 0:
        return Levels((), (), 1.0, (_too_few(len(amounts)),))
    # A row of a slow drive may hold one request or none, which is no rate.
    whole = _bin_edges(amounts, _ROWS_MOST)[:-1]
    amounts, seconds = np.add.reduceat(amounts, whole), np.add.reduceat(seconds, whole)
    edges = _bin_edges(amounts, _BINS)
    levels = np.log(np.add.reduceat(amounts, edges[:-1]) / np.add.reduceat(seconds, edges[:-1]))
    doubts = () if len(levels) >= _ROWS_GOOD else (_too_few(len(levels)),)
    written = np.concatenate(([0.0], np.cumsum(amounts)))
    if len(levels) < _ROWS_LEAST:
        return Levels((_plateau(amounts, seconds, written, 0, len(amounts)),), (), 1.0, doubts)

    samples = np.diff(edges).astype(float)
    calm = _without_hitches(levels, samples)
    limit = _limit(_variance(calm, samples), samples)
    stops = _first_stop(amounts, seconds, edges, levels)
    if stops is not None:
        # The calm part before the stops is judged by its own noise, without that of the stops.
        calm, samples = calm[: stops.first], samples[: stops.first]
    shortest_rows = max(4, len(levels) // 100)
    cuts = _cut_by_own_noise(levels[: len(calm)], calm, samples, shortest_rows)
    spans = [0, *cuts, len(calm)]
    rows = [0, *(_refined(amounts, seconds, edges, calm, spans, k) for k in range(1, len(spans) - 1))]
    changes = tuple(
        _change(calm, spans, k, edges, written, rows[k], _inside(amounts, seconds, calm, spans, k, rows[k]))
        for k in range(1, len(spans) - 1)
    )
    rows += [len(amounts)] if stops is None else [stops.row, len(amounts)]
    plateaus = tuple(_plateau(amounts, seconds, written, a, b) for a, b in itertools.pairwise(rows))
    if stops is not None:
        is_right_after = stops.first - spans[-2] <= 2 * shortest_rows
        if len(plateaus) > 2 and (is_right_after or _are_alike(*plateaus[-2:])):
            # The fall came before the first stop: the stops belong to this fall and are not another change.
            joined = _plateau(amounts, seconds, written, rows[-3], rows[-1])
            plateaus = (*plateaus[:-2], joined)
        else:
            changes = (*changes, stops.change)
        return Levels(plateaus, changes, limit, (*doubts, *_trend(levels[stops.first :])))
    return Levels(plateaus, changes, limit, (*doubts, *_trend(calm[spans[-2] :])))


def _are_alike(before: Plateau, after: Plateau) -> bool:
    step = abs(math.log(max(after.rate_bytes_per_second, 1.0) / max(before.rate_bytes_per_second, 1.0)))
    return step < -math.log(1 - SMALLEST_CHANGE_RATIO)


def _without_hitches(levels: np.ndarray, samples: np.ndarray) -> np.ndarray:
    deviation = segmentation.noise_of(levels, samples, floor=_NOISE_FLOOR).deviation
    return segmentation.without_hitches(levels, 4 * deviation / np.sqrt(samples))


def _variance(calm: np.ndarray, samples: np.ndarray) -> float:
    return segmentation.noise_of(calm, samples, floor=_NOISE_FLOOR).long_run_variance


def _cut_by_own_noise(levels: np.ndarray, calm: np.ndarray, samples: np.ndarray, shortest_rows: int) -> list[int]:
    """First bins of all plateaus but the first; each plateau is cut again by its own noise. calm: without hitches.

    While a drive collects, its rate scatters far more than before. Judged by the noise of the whole run, a short and
    calm plateau at the beginning would be missed.
    """
    cuts = segmentation.cut(
        calm,
        samples,
        variance=_variance(calm, samples),
        shortest_rows=shortest_rows,
        smallest_step=-math.log(1 - SMALLEST_CHANGE_RATIO),
    )
    found = list(cuts)
    for begin, end in itertools.pairwise([0, *cuts, len(levels)] if cuts else []):
        if end - begin >= _ROWS_LEAST:
            part = slice(begin, end)
            own = _without_hitches(levels[part], samples[part])
            found += [begin + place for place in _cut_by_own_noise(levels[part], own, samples[part], shortest_rows)]
    return sorted(found)


@dataclass(frozen=True)
class _Stops:
    """Where stops begin: the bin, the row, and the bytes with their interval."""

    first: int
    row: int
    change: Change


def _first_stop(amounts: np.ndarray, seconds: np.ndarray, edges: np.ndarray, levels: np.ndarray) -> _Stops | None:
    """The first stop, where the share of rows with stops rises once; None when it does not.

    The rows with stops follow one binomial law before the change and another after it. A lasting step to a lower rate
    is not searched for here; the plateaus show it.
    """
    stopped = levels < np.quantile(levels, 0.75) + math.log(_STOP_RATIO)
    count, total = len(levels), int(stopped.sum())
    if total < _STOPS_LEAST:
        return None
    before = np.concatenate(([0], np.cumsum(stopped)))[1:-1]
    places = np.arange(1, count)
    after = total - before
    scores = _log_likelihood(before, places) + _log_likelihood(after, count - places)
    scores = scores - float(_log_likelihood(np.array([total]), np.array([count]))[0])
    scores[before / places >= after / (count - places)] = 0.0
    place = int(np.argmax(scores))
    first = int(places[place])
    share = after[place] / (count - first)
    stop_count = int((np.diff(stopped[first - 1 :].astype(int)) > 0).sum())
    if (
        stop_count < _STOPS_LEAST
        or scores[place] < _STOPS_SCORE
        or not _MIXED[0] < share < _MIXED[1]
        or before[place] / first > share / 4
    ):
        return None
    limit = _STOP_RATIO * math.exp(float(np.quantile(levels, 0.75)))
    rates = amounts[edges[first] :] / seconds[edges[first] :]
    row = int(edges[first] + np.argmax(rates < limit))
    written = np.concatenate(([0.0], np.cumsum(amounts)))
    found, spacing = float(written[row]), float(written[-1] / count / share)
    return _Stops(first, row, Change(found, max(found - _SPACINGS * spacing, 0.0), float(written[row + 1])))


def _log_likelihood(hits: np.ndarray, tries: np.ndarray) -> np.ndarray:
    """The greatest log likelihood of a binomial law, over all shares."""
    share = np.clip(hits / tries, 1e-12, 1 - 1e-12)
    return np.asarray(hits * np.log(share) + (tries - hits) * np.log(1 - share))


def _bin_edges(amounts: np.ndarray, bins: int) -> np.ndarray:
    """First rows of at most that many bins, each with about the same number of bytes, and the row count."""
    share = amounts.sum() / bins
    edges, held = [0], 0.0
    for row, amount in enumerate(amounts):
        held += amount
        if held >= share * (1 - 1e-9):
            edges.append(row + 1)
            held = 0.0
    # The remaining rows at the end join the last bin.
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


def _inside(amounts: np.ndarray, seconds: np.ndarray, levels: np.ndarray, spans: list[int], k: int, row: int) -> float:
    """Bytes from the beginning of a row to the change, from the rows on both sides; each mixes the two rates."""
    before, after = math.exp(levels[spans[k - 1] : spans[k]].mean()), math.exp(levels[spans[k] : spans[k + 1]].mean())
    place = 0.0
    for near in (row - 1, row):
        if 0 <= near < len(amounts):
            share = np.clip((amounts[near] / seconds[near] - after) / (before - after), 0.0, 1.0)
            early = float(min(before * share * seconds[near], amounts[near]))
            place += early - amounts[near] if near < row else early
    return place


def _plateau(amounts: np.ndarray, seconds: np.ndarray, written: np.ndarray, start: int, end: int) -> Plateau:
    rate, low, high = ratio_of_sums(amounts[start:end], seconds[start:end])
    return Plateau(float(written[start]), float(written[end]), rate, low, high)


def _change(
    levels: np.ndarray, spans: list[int], k: int, edges: np.ndarray, written: np.ndarray, row: int, inside: float
) -> Change:
    """The change before plateau k; its interval from searching it again in resampled noise.

    inside: how far into its row, or before it, the change lies [bytes].
    """
    left, right = levels[spans[k - 1] : spans[k]], levels[spans[k] : spans[k + 1]]
    before, after = left.mean(), right.mean()
    noise = np.concatenate([left - before, right - after])
    clean = np.concatenate([np.full(len(left), before), np.full(len(right), after)])
    places = segmentation.best_split(clean + noise[resampled_rows(len(noise), draws=200, stream=k)], before, after)
    early, late = np.quantile(places, [0.025, 0.975])
    bytes_at = written[edges]
    found = float(written[row] + inside)
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
    """A doubt when the rate still changes within the last plateau by more than its noise explains."""
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
        f"only {rows} samples of the rate; small or short changes cannot be distinguished from noise",
        "write more, or sample at shorter intervals",
    )
