"""The state that a virtual drive will be in before each step of a plan: that decides what the step takes.

    empty       nothing was written since the erase; also while erased blocks are left to write to
    ordered     full of data that was written in order: nothing valid has to be moved
    scattered   full, and overwritten at random: valid pages are moved for every page written

A step may run in several of them: the first writes find erased blocks, the rest do not. Random writes to a part of the
drive cost less than to the whole, in proportion to the share of blocks that holds no data. A drive that maps by blocks
merges at every random write, whatever is erased: for it, random writes over data always find it scattered.
Not foreseen here: what the drive does in idle time, and what compression and a write cache in the flash keep away.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from flashscope.workloads.job import ONLY_READS
from flashscope.workloads.steps import FileWork, FormStripe, LaidOut, SecureErase, Step, Trim, Workload

_LEAST_SPARE_RATIO = 0.07
_IN_ORDER = (*ONLY_READS, "write", "rw")


class Medium(enum.Enum):
    """A state of the whole drive, in which a load can be tried."""

    EMPTY = "empty"
    ORDERED = "ordered"
    SCATTERED = "scattered"


Mix = Mapping[Medium, float]
"""The share of a step that runs in each state; they sum to 1."""


class PlannedState:
    """Follows the steps of one run in order, on a new drive. raw_bytes: 0 when unknown. merges: it maps by blocks."""

    def __init__(self, user_bytes: int, raw_bytes: int, *, merges: bool = False) -> None:
        self._user_bytes, self._merges = user_bytes, merges
        self._raw_bytes = max(raw_bytes, round(user_bytes * (1 + _LEAST_SPARE_RATIO)))
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._valid_bytes, self._erased_bytes, self._scattered_ratio = 0.0, float(self._raw_bytes), 0.0

    def mix(self, step: Workload | FileWork, written_bytes: float) -> Mix:
        """The states in which a step runs that writes so many bytes; the drive has them afterwards."""
        if not written_bytes:
            full = {Medium.SCATTERED: self._scattered_ratio, Medium.ORDERED: 1 - self._scattered_ratio}
            return full if self._valid_bytes and not self._merges else {Medium.EMPTY: 1.0}
        if self._merges:
            is_scattered = bool(self._valid_bytes) and not _is_in_order(step)
            return {Medium.SCATTERED if is_scattered else Medium.EMPTY: 1.0}
        late = 1 - min(1.0, self._erased_bytes / written_bytes)
        scattered = self._scattered_ratio * late
        if not _is_in_order(step):
            valid = min(self._user_bytes, self._valid_bytes + min(_span_bytes(step, self._user_bytes), written_bytes))
            spare = self._raw_bytes - self._user_bytes
            scattered = late * spare / max(self._raw_bytes - valid, spare)
            return {Medium.SCATTERED: scattered, Medium.EMPTY: 1 - scattered}
        return {Medium.SCATTERED: scattered, Medium.ORDERED: late - scattered, Medium.EMPTY: 1 - late}

    def after(self, step: Step, written_bytes: float) -> None:
        """Note what a step leaves behind."""
        if isinstance(step, SecureErase | FormStripe):
            self._begin_anew()
        elif isinstance(step, Trim):
            self._valid_bytes = max(0.0, self._valid_bytes - step.length_bytes)
            if not self._valid_bytes:
                self._begin_anew()
        elif isinstance(step, LaidOut) and step.overwritten:
            self._valid_bytes, self._erased_bytes = step.fill_ratio * self._user_bytes, 0.0
            self._scattered_ratio = 1.0
        elif isinstance(step, Workload | FileWork) and written_bytes:
            span = _span_bytes(step, self._user_bytes)
            self._valid_bytes = min(self._user_bytes, self._valid_bytes + min(span, written_bytes))
            self._erased_bytes = max(0.0, self._erased_bytes - written_bytes)
            turned = written_bytes / self._user_bytes
            turned = -turned if _is_in_order(step) else turned
            self._scattered_ratio = min(1.0, max(0.0, self._scattered_ratio + turned))


def _is_in_order(step: Workload | FileWork) -> bool:
    return isinstance(step, FileWork) or all(job.direction in _IN_ORDER for job in step.jobs)


def _span_bytes(step: Workload | FileWork, user_bytes: int) -> float:
    """The part of the drive that a step writes to at most."""
    if isinstance(step, FileWork):
        return step.bytes_to_write
    spans = (job.size_bytes or user_bytes - job.offset_bytes for job in step.jobs if job.direction not in ONLY_READS)
    return min(user_bytes, sum(spans))
