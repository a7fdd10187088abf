"""A drive in virtual time: the core runs jobs on it, and no clock is read.

It stores no data, only where data would be. The core knows the kind of drive (flash, platters, memory, several side by
side); here are the methods that all kinds have.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from flashscope import _core
from flashscope.drives.hosts.host import Host as RequestHost
from flashscope.drives.virtual.load_memory import check_load
from flashscope.drives.virtual.signs_of_life import heard
from flashscope.errors import DriveFailed, WrongUse
from flashscope.records import Histogram, SmartAttribute, SmartSnapshot, Table, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.job_result import SHARES, JobResult, interval_columns
from flashscope.workloads.file_system import Host, Trace
from flashscope.workloads.job import Job
from flashscope.workloads.jobs_json import to_json

_core.listen(heard)


class SimulatedRun:
    """Jobs or programs under way on a virtual drive, advanced in slices so that a person can watch and interrupt."""

    def __init__(self, core: _core.Drive, run: _core.Run | _core.FileRun) -> None:
        self._core = core
        self._run = run

    def keep_jobs(self, interval_ns: int) -> None:
        """Keep what each job does over time; to be called before the first request, for jobs only."""
        assert isinstance(self._run, _core.Run), "programs on files are no jobs"
        self._run.keep_jobs(interval_ns)

    def advance(self, budget_requests: int) -> bool:
        """Continue for at most budget_requests requests; True when all jobs are done."""
        return self._run.advance(self._core, budget_requests)

    def stop(self) -> None:
        """End the jobs now, and wait in virtual time for the requests that the drive has begun."""
        self._run.stop(self._core)

    def progress(self) -> dict[str, int]:
        """The progress so far: requests, bytes_done, elapsed_ns (virtual)."""
        requests, bytes_done, elapsed_ns = self._run.progress()
        return {"requests": requests, "bytes_done": bytes_done, "elapsed_ns": elapsed_ns}

    def result(self) -> WorkloadResult:
        """What was measured, also when the jobs were not finished."""
        duration_ns, columns, latencies, totals = self._run.result()
        series = {name: (_unit_of(name), values) for name, values in columns.items()}
        jobs = self._run.jobs_over_time() if isinstance(self._run, _core.Run) else []
        return WorkloadResult(
            duration_ns, Table.of(**series), _histograms(latencies), totals, tuple(_job_result(*job) for job in jobs)
        )


class InVirtualTime:
    """What every virtual drive can do. The same parts, seed and steps always give the same numbers.

    facts: as for every drive. core: the Rust drive, for what has no method here. host: what makes the requests of jobs;
    None when making them costs nothing.
    """

    def __init__(self, core: _core.Drive, facts: DriveFacts, host: RequestHost | None = None) -> None:
        self.core = core
        self.facts = facts
        self.host = host

    def close(self) -> None:
        """Nothing to release: the drive exists only in memory."""

    @property
    def now_ns(self) -> int:
        """Virtual time since the drive was built [ns]."""
        return self.core.now_ns

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> SimulatedRun:
        """Prepare jobs. Raises WrongUse when one does not fit the drive, or their requests do not fit into memory."""
        check_load(jobs, self.resolved_part(), self.facts.user_bytes, self.facts.address)
        host = None if self.host is None else self.host.settings_json()
        try:
            return SimulatedRun(self.core, self.core.start(to_json(jobs), sample_interval_ns, host))
        except _core.JobRefused as refused:
            raise WrongUse(
                f"{self.facts.address}: {refused.args[0]}",
                accepted=f"requests on sectors of {self.facts.sector_bytes} B inside {self.facts.user_bytes} B",
                advice="change the job's offset, size or bs",
            ) from None

    def start_file_work(self, trace: Trace, host: Host, sample_interval_ns: int) -> SimulatedRun:
        """Prepare programs that work on files. Raises WrongUse when the trace does not fit the drive."""
        columns = (trace.program_ends, trace.operations, trace.file_ends, trace.extents, trace.compressible)
        try:
            run = self.core.start_file_work(*columns, host.settings_json(), sample_interval_ns)
        except _core.JobRefused as refused:
            raise WrongUse(
                f"{self.facts.address}: the trace of file work does not fit: {refused.args[0]}",
                accepted=f"a trace for sectors of {self.facts.sector_bytes} B inside {self.facts.user_bytes} B",
                advice="make the trace for a drive of this size and sector",
            ) from None
        return SimulatedRun(self.core, run)

    def lay_out(self, fill_ratio: float, *, overwritten: bool, zeros: bool) -> bool:
        """Put a new or just erased drive into the state after a sequential fill, overwritten at random or not.

        zeros: the data is zeros; this matters only to a drive that looks at its data.
        No virtual time passes. Returns False and changes nothing when this drive cannot be put into the state at once:
        it holds data, or its state depends on the order of all writes (docs/reference/aged-states.md).
        """
        try:
            self.core.age(fill_ratio, "random" if overwritten else "none", 0, 0.0)
        except _core.ConfigRefused:
            return False
        return True

    def idle(self, duration_ns: int) -> None:
        """Let virtual time pass. Raises DriveFailed beyond the end of virtual time, as the two methods below."""
        with self._in_time():
            self.core.idle(duration_ns)

    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        """Tell the drive that a range holds no data any more."""
        with self._in_time():
            self.core.trim(offset_bytes, length_bytes)

    def write_stamped(self, offset_bytes: int, length_bytes: int, stamp: int) -> str:
        """Write sectors that carry the numbers stamp, stamp + 1 and so on; returns how the write ended."""
        with self._in_time():
            return self.core.write_stamped(offset_bytes, length_bytes, stamp)

    def read_stamped(self, offset_bytes: int, length_bytes: int) -> tuple[str, list[int | None]]:
        """How a read ended, and for each sector its stamp, 0 for zeros, None for anything else.

        Everything else that is done to the drive makes it forget its stamps.
        """
        with self._in_time():
            return self.core.read_stamped(offset_bytes, length_bytes)

    def flush(self) -> None:
        """Bring everything that was answered to the medium; stamps stay."""
        with self._in_time():
            self.core.flush()

    def secure_erase(self) -> None:
        """Bring the drive back to its first state; wear stays. Only for drives whose facts say that they can."""
        with self._in_time():
            self.core.secure_erase()

    @contextlib.contextmanager
    def _in_time(self) -> Iterator[None]:
        """Report the end of virtual time as the end of the step: what was measured until then counts."""
        try:
            yield
        except _core.OutOfTime as over:
            raise DriveFailed(f"{self.facts.address}: {over.args[0]}", advice="ask for shorter steps") from None

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        """All attributes, in the byte layout of the drive's family, or NVMe's log; none without SMART."""
        return SmartSnapshot(
            elapsed_ns=elapsed_ns,
            source="virtual drive",
            model=self.facts.model,
            firmware=self.facts.firmware,
            user_bytes=self.facts.user_bytes,
            attributes=tuple(SmartAttribute(*entry) for entry in self.core.smart_attributes()),
            nvme_health=self.core.nvme_health(),
        )

    def counters(self) -> dict[str, int]:
        """All counters since the drive was built, name -> value."""
        return self.core.counters()

    def truth(self) -> dict[str, Any]:
        """The truth about the drive, under the keys of the findings that infer it; empty for kinds without truth."""
        return {}

    def inside(self) -> Table:
        """One row per erase block; empty for a drive without flash of its own."""
        return Table.of(
            valid_slots=("count", np.zeros(0, np.uint32)),
            erase_count=("cycles", np.zeros(0, np.uint32)),
            state=("count", np.zeros(0, np.uint8)),
        )

    def resolved_part(self) -> dict[str, Any]:
        """The whole configuration in base units, for the record."""
        raise NotImplementedError


_Latencies = dict[str, tuple[np.ndarray, np.ndarray, int, int, int]]
"""Kind of request -> (buckets, counts, sum, shortest, longest [ns]), as the core gives them."""


def _histograms(latencies: _Latencies) -> dict[str, Histogram]:
    return {
        kind: Histogram(dict(zip(buckets.tolist(), counts.tolist(), strict=True)), sum_ns, min_ns, max_ns)
        for kind, (buckets, counts, sum_ns, min_ns, max_ns) in latencies.items()
    }


def _job_result(name: str, columns: dict[str, np.ndarray], latencies: _Latencies) -> JobResult:
    """A job of the core, its latency buckets in ns."""
    drawn: dict[str, tuple[str, np.ndarray]] = {"elapsed_ns": ("ns", columns["elapsed_ns"])}
    for kind in latencies:
        drawn |= interval_columns(
            kind, {what: columns[f"{kind}_{what}"] for what in ("bytes", "requests", "max", *SHARES)}
        )
    return JobResult(name, Table.of(**drawn), _histograms(latencies))


def _unit_of(name: str) -> str:
    """The unit of a series column, which its name ends with."""
    return name.rsplit("_", 1)[1]
