"""Replay a trace of file work on a virtual drive: the same operations again, from whatever file system they came.

The trace determines the requests and their places; the drive and the host determine the times. The same trace, host and
drive (as new, with the same seed) give the same result in every counter.
"""

from __future__ import annotations

from flashscope.records import WorkloadResult
from flashscope.runner.hands.virtual import VirtualDrive
from flashscope.workloads.file_system import WINDOWS_7, Host, Trace

_REQUESTS_AT_ONCE = 100_000


def replay(
    drive: VirtualDrive, trace: Trace, *, host: Host = WINDOWS_7, sample_interval_ns: int = 10**9
) -> WorkloadResult:
    """What the drive does with a trace, until everything is on it. Raises WrongUse when the trace does not fit it."""
    run = drive.start_file_work(trace, host, sample_interval_ns)
    while not run.advance(_REQUESTS_AT_ONCE):
        pass
    return run.result()
