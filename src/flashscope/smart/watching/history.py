"""The recent past of one drive, for the conditions: lasting levels and confirmed growth."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from flashscope.smart.watching.counters import is_placeholder, unwrapped
from flashscope.smart.watching.sample import Number, Sample

KEPT_S = 8 * 86400.0
"""How much of the past the watch holds in memory [s]; the longest window of a condition is 7 days."""
KEPT_AT_LEAST = 4
"""Samples kept at any age: where samples are rare, growth still needs a first reading and a confirmation."""


@dataclass(frozen=True)
class Growth:
    """Growth of a counter over a window. confirmed: growth that the last two readings both show, so that one bad
    reading is not growth. span_s: the time covered. unchanged: every reading in it was the same."""

    confirmed: Number
    span_s: float
    unchanged: bool


class History:
    """Samples of one drive in the order they were kept; the last one is now."""

    def __init__(self, samples: Iterable[Sample] = ()) -> None:
        self._samples: list[Sample] = list(samples)

    def add(self, sample: Sample) -> None:
        """Add a new sample; samples older than KEPT_S are removed."""
        self._samples.append(sample)
        first_s = sample.steady_s - KEPT_S
        if len(self._samples) > KEPT_AT_LEAST and self._samples[1].steady_s < first_s:
            del self._samples[0]

    @property
    def now(self) -> Sample:
        """The newest sample. Needs at least one."""
        return self._samples[-1]

    def __len__(self) -> int:
        return len(self._samples)

    def last(self, key: str, count: int) -> list[Number]:
        """The newest `count` values of a field, newest first; fewer when there are fewer, none when missing now."""
        found: list[Number] = []
        for sample in reversed(self._samples):
            value = sample.values.get(key)
            if value is None or is_placeholder(value):
                break
            found.append(value.value)
            if len(found) == count:
                break
        return found

    def median(self, key: str, count: int) -> float | None:
        """The median of the newest `count` values; None when there are fewer."""
        found = self.last(key, count)
        return float(statistics.median(found)) if len(found) == count else None

    def growth(self, keys: Sequence[str], window_s: float) -> Growth | None:
        """Growth of the sum of counters over the last `window_s`; None when fewer than two samples have them all.

        The sample just before the window belongs to it: growth without samples in between counts, too. The last
        three samples also belong to it, at any age. Counters that the drive does not have now are left out of the sum.
        """
        told = [key for key in keys if key in self.now.values]
        inside = self._window(window_s)
        if not told or len(inside) < 2:
            return None
        times_s = [sample.steady_s for sample in inside]
        columns = [unwrapped([sample.values.get(key) for sample in inside], key, times_s) for key in told]
        rows = [
            (sample.steady_s, sum(point.total for point in row if point is not None))
            for sample, row in zip(inside, zip(*columns, strict=True), strict=True)
            if all(point is not None for point in row)
        ]
        if len(rows) < 2:
            return None
        totals = [total for _, total in rows]
        return Growth(min(totals[-1], totals[-2]) - totals[0], rows[-1][0] - rows[0][0], max(totals) == totals[0])

    def _window(self, window_s: float) -> list[Sample]:
        first_s = self.now.steady_s - window_s
        index = len(self._samples)
        while index and self._samples[index - 1].steady_s >= first_s:
            index -= 1
        return self._samples[max(0, min(index - 1, len(self._samples) - 3)) :]
