"""What reading and writing at the same time costs, compared with one after the other.

    one after the other   [---- read ----][------ write ------]      T_read + T_write
    both at once          [------- read and write -------]           T_both

    ratio = T_both / (T_read + T_write)   1: they take turns   below: side by side   above: they slow each other down

Both sides move the same amounts. In a copy the data may come from or go to another device (a RAM disk); its times are
subtracted from the separate passes first. The interval comes from resampling the rates row by row, in blocks
(`intervals.py`), over all repeats.
Assumed: the amounts are large compared with a write buffer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.analysis.intervals import resampled_rows

_DRAWS = 400


@dataclass(frozen=True)
class Pass:
    """One way of moving data, over all repeats: how much, how long, and the rows, which show how evenly.

    read_bytes, written_bytes, duration_ns: totals. amounts, spans_ns: bytes and time of each row.
    """

    read_bytes: int
    written_bytes: int
    duration_ns: int
    amounts: np.ndarray
    spans_ns: np.ndarray

    @property
    def moved_bytes(self) -> int:
        """Bytes in either direction."""
        return self.read_bytes + self.written_bytes

    def joined(self, other: Pass) -> Pass:
        """Both joined into one."""
        return Pass(
            self.read_bytes + other.read_bytes,
            self.written_bytes + other.written_bytes,
            self.duration_ns + other.duration_ns,
            np.concatenate([self.amounts, other.amounts]),
            np.concatenate([self.spans_ns, other.spans_ns]),
        )

    def relative_times(self, stream: int) -> np.ndarray:
        """Resampled durations, each over the measured one, shape (draws,) [ratio]."""
        if len(self.amounts) < 2 or self.amounts.sum() <= 0:
            return np.ones(_DRAWS)
        rows = resampled_rows(len(self.amounts), draws=_DRAWS, stream=stream)
        moved = self.amounts[rows].sum(axis=1)
        times = self.spans_ns[rows].sum(axis=1) / np.maximum(moved, 1.0)
        measured = self.spans_ns.sum() / self.amounts.sum()
        return np.asarray(np.where(moved > 0, times / measured, np.nan))


@dataclass(frozen=True)
class Interference:
    """T_both / (T_read + T_write) [ratio], with its interval."""

    value: float
    low: float
    high: float


def interference_ratio(
    both: Pass,
    read: Pass,
    write: Pass,
    *,
    read_counterpart_ns: float = 0.0,
    write_counterpart_ns: float = 0.0,
    confidence_ratio: float = 0.95,
) -> Interference | None:
    """The ratio for the amounts that `both` moved; None when a pass is empty.

    The separate times are scaled to those amounts: a mixed stream that read a little more is compared with as much
    reading. read_counterpart_ns, write_counterpart_ns: time of the other device in the separate passes [ns]; 0 where
    the data comes from and goes to the program's memory.
    """
    if min(read.read_bytes, write.written_bytes, both.moved_bytes) <= 0 or both.duration_ns <= 0:
        return None
    read_ns = (read.duration_ns - read_counterpart_ns) * both.read_bytes / read.read_bytes
    write_ns = (write.duration_ns - write_counterpart_ns) * both.written_bytes / write.written_bytes
    if read_ns + write_ns <= 0:
        return None
    value = both.duration_ns / (read_ns + write_ns)
    samples = (
        both.duration_ns
        * both.relative_times(0)
        / (read_ns * read.relative_times(1) + write_ns * write.relative_times(2))
    )
    tail = (1 - confidence_ratio) / 2
    low, high = np.nanquantile(samples, [tail, 1 - tail])
    return Interference(value, min(float(low), value), max(float(high), value))


def joined(passes: Sequence[Pass]) -> Pass | None:
    """All repeats joined into one; None when there are none."""
    whole: Pass | None = None
    for one in passes:
        whole = one if whole is None else whole.joined(one)
    return whole
