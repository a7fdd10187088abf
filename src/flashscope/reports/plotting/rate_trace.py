"""The write rate against the bytes written, from the series of one or several steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.records import StepRecord


@dataclass(frozen=True)
class Trace:
    """Rate against bytes written since the first step began. Each array has shape (intervals,)."""

    written_bytes: np.ndarray
    rate_bytes_per_second: np.ndarray
    duration_ns: np.ndarray


def trace_of(steps: Sequence[StepRecord]) -> Trace:
    """All sampling intervals of the steps, one after the other; intervals without a duration have no rate.

    The last interval of a step is left out, as the analysis does: it is rarely a full one.
    """
    written: list[np.ndarray] = [np.empty(0)]
    rate: list[np.ndarray] = [np.empty(0)]
    duration: list[np.ndarray] = [np.empty(0)]
    before = 0.0
    for step in steps:
        if step.workload is None or len(step.workload.series) == 0:
            continue
        series = step.workload.series
        interval_ns = np.diff(series["elapsed_ns"].astype(float), prepend=0.0)
        row_bytes = series["written_bytes"].astype(float)
        # Every row adds to the position; a rate needs a duration above 0.
        position = before + np.cumsum(row_bytes)
        timed = interval_ns > 0
        if len(series) >= 3:
            timed[-1] = False
        written.append(position[timed])
        rate.append(row_bytes[timed] / interval_ns[timed] * 1e9)
        duration.append(interval_ns[timed])
        before = float(position[-1])
    return Trace(np.concatenate(written), np.concatenate(rate), np.concatenate(duration))
