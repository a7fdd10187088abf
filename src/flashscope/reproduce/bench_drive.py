"""A drive for laws, and the results of a run on it.

    BenchConfiguration --> the Rust core --BenchDrive.run--> Measured: rates, latencies, the growth of every counter

Every run of one unpaced job is checked against Little's law: a run that violates it was recorded wrongly.

Nothing is modelled here; all numbers come from the core.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from flashscope import _core
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json

SECTOR_BYTES = 512
_SLICE_REQUESTS = 200_000  # between two checks whether the user has asked to stop
_LITTLE_TOLERANCE_RATIO = 0.01


class Configuration(Protocol):
    """A configuration of a bench drive: one drive (`bench_configuration.py`), a stripe, a reduced part."""

    @property
    def unit_bytes(self) -> int:
        """Bytes that are mapped together."""

    @property
    def user_units(self) -> int:
        """Units the host can address."""

    def build(self, seed: int) -> _core.Drive:
        """A new drive."""


Built = TypeVar("Built", bound=Configuration)


@dataclass(frozen=True)
class Measured:
    """The results of one run of jobs.

    rose: the growth of every counter of the drive. totals, series: from the core.
    latency: kind -> (requests, sum, shortest, longest) [count, ns, ns, ns].
    """

    duration_ns: int
    rose: dict[str, int]
    totals: dict[str, int]
    series: dict[str, np.ndarray]
    latency: dict[str, tuple[int, int, int, int]]

    @property
    def requests(self) -> int:
        """Requests that were done."""
        return self.totals["read_requests"] + self.totals["write_requests"] + self.totals["trim_requests"]

    @property
    def requests_per_second(self) -> float:
        """IOPS."""
        return self.requests * 1e9 / self.duration_ns

    @property
    def bytes_per_second(self) -> float:
        """Rate of all bytes read and written."""
        return (self.totals["read_bytes"] + self.totals["written_bytes"]) * 1e9 / self.duration_ns

    @property
    def mean_latency_ns(self) -> float:
        """Of all requests."""
        return sum(sum_ns for _, sum_ns, _, _ in self.latency.values()) / max(self.requests, 1)

    @property
    def outstanding(self) -> float:
        """Mean requests under way, by Little's law: IOPS x mean latency."""
        return self.requests_per_second * self.mean_latency_ns / 1e9

    @property
    def write_amplification(self) -> float:
        """Pages programmed for the host and by collection, per page programmed for the host."""
        host = self.rose["host_programmed_pages"]
        return (host + self.rose["gc_programmed_pages"]) / host

    @property
    def flash_bytes_per_host_byte(self) -> float:
        """Write amplification from the drive's own counters, including the padding of half-filled pages."""
        return self.rose["nand_written_bytes"] / self.rose["host_written_bytes"]


class LittleBroken(AssertionError):
    """A run whose mean outstanding requests are not IOPS x mean latency: the core or its counters are wrong."""


class BenchDrive(Generic[Built]):
    """A bench drive and the jobs that are run on it.

    check: called between slices of a run; may raise to stop it.
    """

    def __init__(self, configuration: Built, *, check: Callable[[], None] = lambda: None, seed: int = 1):
        self.configuration = configuration
        self.core = configuration.build(seed)
        self._check = check

    def run(self, *jobs: Job, sample_interval_ns: int = 10**12, may_fail: bool = False) -> Measured:
        """Run jobs side by side to their end. Every run of one unpaced job is also checked against Little's law.

        may_fail: failed requests are part of the measurement and no error.
        """
        before = self.core.counters()
        run = self.core.start(to_json(jobs), sample_interval_ns)
        self._check()
        while not run.advance(self.core, _SLICE_REQUESTS):
            self._check()
        duration_ns, series, latency, totals = run.result()
        if totals["failed_requests"] and not may_fail:
            raise AssertionError(f"{totals['failed_requests']} requests failed on {self.configuration}")
        rose = {name: value - before[name] for name, value in self.core.counters().items()}
        exact = {
            kind: (int(counts.sum()), sum_ns, min_ns, max_ns)
            for kind, (_, counts, sum_ns, min_ns, max_ns) in latency.items()
        }
        measured = Measured(duration_ns, rose, totals, series, exact)
        if not may_fail:
            self._hold_little(jobs, measured)
        return measured

    def _hold_little(self, jobs: tuple[Job, ...], measured: Measured) -> None:
        paced = any(max(*job.rate_bytes_per_second, *job.rate_requests_per_second, job.thinktime_ns) for job in jobs)
        depth = sum(job.queue_depth for job in jobs)
        # At the two ends of a run the queue fills and empties, which matters in short runs.
        if paced or len(jobs) > 1 or measured.requests < 1000 * depth:
            return
        if abs(measured.outstanding / depth - 1) > _LITTLE_TOLERANCE_RATIO:
            raise LittleBroken(f"{measured.outstanding} outstanding at depth {depth} on {self.configuration}")

    def fill(self, *, used_ratio: float = 1.0, fills: int = 1) -> None:
        """Write every unit of the first `used_ratio` of the drive in order, `fills` times."""
        span_bytes = self.span_bytes(used_ratio)
        # One whole number of units per request, so that nothing is left over at the end.
        for _ in range(fills):
            self.run(self.job("write", request_bytes=self.configuration.unit_bytes, depth=64, size_bytes=span_bytes))

    def span_bytes(self, used_ratio: float) -> int:
        """The first `used_ratio` of the drive, in whole units [bytes]."""
        return round(self.configuration.user_units * used_ratio) * self.configuration.unit_bytes

    def job(
        self,
        direction: Any,
        *,
        request_bytes: int | None = None,
        requests: int = 0,
        depth: int = 1,
        grid_bytes: int | None = None,
        **more: Any,
    ) -> Job:
        """A job of equal requests, anywhere with equal chance when random; `requests` 0: once over its span."""
        size = request_bytes or self.configuration.unit_bytes
        sizes = BlockSizes(weighted=((size, 100.0),), align_bytes=grid_bytes or size)
        return Job(
            direction,
            direction,
            read_sizes=sizes,
            write_sizes=sizes,
            trim_sizes=sizes,
            io_bytes=requests * size,
            queue_depth=depth,
            random_map=False,
            **more,
        )

    def write_randomly(self, drive_fills: float, *, used_ratio: float = 1.0, depth: int = 16, **more: Any) -> Measured:
        """Uniform random writes of one unit each, `drive_fills` times the used span."""
        span_bytes = self.span_bytes(used_ratio)
        requests = round(drive_fills * span_bytes / self.configuration.unit_bytes)
        return self.run(self.job("randwrite", requests=requests, depth=depth, size_bytes=span_bytes, **more))
