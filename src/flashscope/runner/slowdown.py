"""How much longer a step of a virtual drive may take than a probe of a fresh one says, by what was written before it.

    step                            simulated   processor
    reads                                   5         2       the probe may read empty places, which need no flash
    writes in order, while erased           4         2       nothing is collected as long as there are erased blocks,
      blocks are left                                         but a buffer takes the first ones
    all other writes                       10         2.5     valid pages are moved for every page written, which takes
                                                              less of the processor than requests do

Ten is a safe guess for spare areas of 7 % and more.
Not foreseen here: a block-mapped drive whose random writes become slower still once every log block is in use.
"""

from __future__ import annotations

from flashscope.workloads.job import ONLY_READS
from flashscope.workloads.steps import FileWork, LaidOut, SecureErase, Step, Workload

_READS, _FRESH, _FULL = (5.0, 2.0), (4.0, 2.0), (10.0, 2.5)
FULL_DRIVE_FACTOR = _FULL[0]
_IN_ORDER = (*ONLY_READS, "write", "rw")


class Slowdown:
    """Follows the steps of a run in order. user_bytes: of the drive, which is new before the first step."""

    def __init__(self, user_bytes: int) -> None:
        self._user_bytes = user_bytes
        self._written_bytes = 0.0
        self._is_scattered = False

    def of(self, step: Step, share_ratio: float = 1.0) -> tuple[float, float]:
        """The factors of a step, for simulated and for processor time; share_ratio: of its bytes that are moved."""
        if isinstance(step, SecureErase):
            self._written_bytes, self._is_scattered = 0.0, False
        if isinstance(step, FileWork) or not isinstance(step, Workload):
            return _FULL
        if all(job.direction in ONLY_READS for job in step.jobs):
            return _READS
        self._written_bytes += self._user_bytes if isinstance(step, LaidOut) else step.bytes_to_write * share_ratio
        self._is_scattered |= not all(job.direction in _IN_ORDER for job in step.jobs) or _is_overwritten(step)
        return _FULL if self._is_scattered or self._written_bytes > self._user_bytes else _FRESH


def _is_overwritten(step: Workload) -> bool:
    return isinstance(step, LaidOut) and step.overwritten
