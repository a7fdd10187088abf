"""A virtual drive in plain Python, an experiment, and a progress that remembers: for tests of the runner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flashscope.errors import DriveFailed
from flashscope.records import (
    Finding,
    Histogram,
    Record,
    SmartAttribute,
    SmartSnapshot,
    Table,
    WorkloadResult,
)
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.latency import bucket_of
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.runner.progress.progress import StepAhead
from flashscope.workloads.file_system import Host, Trace
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Idle, ReadSmart, SecureErase, Step, Trim, Workload
from tests.facts import virtual_facts
from tests.known import known

REQUEST_NS = 50_000
REQUEST_BYTES = 4096
USER_BYTES = 64 * 2**20


class FakeRun:
    """Serves one request each 50 us. on_advance may act (raise, signal) before a slice."""

    def __init__(self, drive: FakeDrive, requests: int) -> None:
        self.drive, self.total, self.done = drive, requests, 0

    def keep_jobs(self, interval_ns: int) -> None:
        """It serves one request after another, and keeps nothing apart."""

    def advance(self, budget_requests: int) -> bool:
        self.drive.on_advance(self)
        step = min(budget_requests, self.total - self.done)
        self.done += step
        self.drive.now_ns += step * REQUEST_NS
        return self.done == self.total

    def progress(self) -> dict[str, int]:
        return {
            "requests": self.done,
            "bytes_done": self.done * REQUEST_BYTES,
            "elapsed_ns": self.done * REQUEST_NS,
        }

    def stop(self) -> None:
        self.total = self.done

    def result(self) -> WorkloadResult:
        series = Table.of(
            elapsed_ns=("ns", [self.done * REQUEST_NS]), written_bytes=("bytes", [self.done * REQUEST_BYTES])
        )
        latency = {
            "write": Histogram({bucket_of(REQUEST_NS): self.done}, self.done * REQUEST_NS, REQUEST_NS, REQUEST_NS)
        }
        totals = {"written_bytes": self.done * REQUEST_BYTES, "write_requests": self.done, "failed_requests": 0}
        return WorkloadResult(self.done * REQUEST_NS, series, latency, totals)


class FakeDrive:
    """Implements what the runner asks of a virtual drive."""

    def __init__(self, on_advance: Callable[[FakeRun], None] = lambda run: None) -> None:
        self.facts = virtual_facts(
            USER_BYTES,
            Capability.TRIM,
            Capability.SECURE_ERASE,
            Capability.SMART_ATTRIBUTES,
            address="sim:fake",
            model="Fake",
            serial="fake-0",
            raw_bytes=2 * USER_BYTES,
            rated_pe_cycles=1000,
        )
        self.now_ns = 7_000
        self.on_advance = on_advance
        self.calls: list[str] = []

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> FakeRun:
        self.calls.append("start")
        return FakeRun(self, sum(job.io_bytes for job in jobs) // REQUEST_BYTES)

    def start_file_work(self, trace: Trace, host: Host, sample_interval_ns: int) -> FakeRun:
        raise NotImplementedError("no file work is planned in these tests")

    def lay_out(self, fill_ratio: float, *, overwritten: bool, zeros: bool) -> bool:
        return False

    def idle(self, duration_ns: int) -> None:
        self.calls.append("idle")
        self.now_ns += duration_ns

    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        self.calls.append("trim")

    def secure_erase(self) -> None:
        self.calls.append("secure_erase")

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        attributes = (SmartAttribute(208, 0, 100, 100, bytes([1, 2, 3, 4, 5, 255])),)
        return SmartSnapshot(elapsed_ns, "virtual drive", "Fake", "1", USER_BYTES, attributes)

    def truth(self) -> dict[str, Any]:
        return {"rate_fall": 42}

    def inside(self) -> Table:
        return Table.of(erase_count=("cycles", [1, 2, 3]))

    def resolved_part(self) -> dict[str, Any]:
        return {"name": "fake", "unit": 4096}

    def close(self) -> None:
        self.calls.append("close")


def write_job(io_bytes: int = 40 * 2**20, size_bytes: int = USER_BYTES, **more: Any) -> Job:
    sizes = BlockSizes(weighted=((REQUEST_BYTES, 100.0),))
    return Job("w", "write", write_sizes=sizes, io_bytes=io_bytes, size_bytes=size_bytes, **more)


def write_step(name: str = "write", io_bytes: int = 40 * 2**20, **more: Any) -> Workload:
    return Workload(name, (write_job(io_bytes, **more),), 10**9, io_bytes, 0)


ALL_KINDS: list[Step] = [
    SecureErase("erase"),
    ReadSmart("SMART before"),
    write_step(),
    Idle("rest", 10**9),
    Trim("trim", 0, USER_BYTES),
    ReadSmart("SMART after"),
]


class FakeExperiment:
    """The given steps; its analysis counts the bytes of the step "write"."""

    name = "fake-experiment"
    title = "Fake"
    question = "Does the runner run?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()
    needs = Needs()

    def __init__(self, steps: Sequence[Step] | None = None) -> None:
        self._steps = ALL_KINDS if steps is None else list(steps)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        return self._steps

    def analyse(self, record: Record) -> list[Finding]:
        workload = known(record.step("write").workload)
        written = workload.totals["written_bytes"]
        return [Finding("rate_fall", f"{written} bytes were written.", written, "bytes", evidence=("write",))]


class Remembering:
    """A progress that notes what it was told."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.shares: list[float] = []

    def run_begins(self, title: str, steps: Sequence[StepAhead]) -> None:
        self.told.append(f"run {title}")

    def step_begins(self, index: int) -> None:
        self.told.append(f"step {index}")

    def advanced(self, share_ratio: float, bytes_done: int, elapsed_ns: int) -> None:
        self.shares.append(share_ratio)

    def step_ends(self, status: str, note: str) -> None:
        self.told.append(f"{status} {note}".strip())

    def run_ends(self, status: str) -> None:
        self.told.append(f"end {status}")


def fails(run: FakeRun) -> None:
    """An on_advance that lets the drive fail after its first slice."""
    if run.done:
        raise DriveFailed("the drive does not answer any more")
