"""The runner's hands on a virtual drive: virtual time, in slices of a tenth of a second of real time.

Between two slices the progress is drawn and a Ctrl-C is heard. The slices change nothing in the result.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, assert_never, cast

from flashscope.errors import Interrupted
from flashscope.records import Glass, SmartSnapshot, Status, Table, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.cost import longest_ns, mean_request_bytes, moved_bytes
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.rounds import jobs_of_round, run_rounds
from flashscope.runner.hands.smart_series import SmartSeries
from flashscope.workloads.file_system import HOSTS, FileSystem, Host, Trace, lower
from flashscope.workloads.job import Job
from flashscope.workloads.steps import (
    FileWork,
    FormStripe,
    Idle,
    LaidOut,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

if TYPE_CHECKING:  # it needs the Rust core, which a virtual drive in plain Python does not
    from flashscope.drives.glass.glass import GlassRecorder

_SLICE_S = 0.1
_FIRST_BUDGET_REQUESTS = 2_000
_SLICES_PER_READING = 4
_MOVED = ("read_bytes", "written_bytes", "trimmed_bytes")


class VirtualRun(Protocol):
    """Jobs under way on a virtual drive (`drives/virtual/simulated.py`)."""

    def advance(self, budget_requests: int) -> bool:
        """Go on for at most that many requests; True when all jobs are done."""

    def progress(self) -> dict[str, int]:
        """What is done so far: requests, bytes_done, elapsed_ns."""

    def stop(self) -> None:
        """End the jobs now; what is under way is waited for."""

    def result(self) -> WorkloadResult:
        """What was measured so far."""


class VirtualDrive(Protocol):
    """What a virtual drive can be asked (`drives/virtual/simulated.py`)."""

    facts: DriveFacts

    @property
    def now_ns(self) -> int:
        """Virtual time since the drive was built [ns]."""

    def start(self, jobs: Sequence[Job], sample_interval_ns: int) -> VirtualRun:
        """Prepare jobs."""

    def start_file_work(self, trace: Trace, host: Host, sample_interval_ns: int) -> VirtualRun:
        """Prepare programs that work on files."""

    def lay_out(self, fill_ratio: float, *, overwritten: bool, zeros: bool) -> bool:
        """Put a drive that was just erased into a used state, in no time; False when it cannot be put there."""

    def idle(self, duration_ns: int) -> None:
        """Let virtual time pass."""

    def trim(self, offset_bytes: int, length_bytes: int) -> None:
        """Tell the drive that a range holds no data any more."""

    def secure_erase(self) -> None:
        """Bring the drive back to its first state."""

    def read_smart(self, elapsed_ns: int) -> SmartSnapshot:
        """All SMART attributes."""

    def truth(self) -> dict[str, Any]:
        """What is inside, under the keys of the findings."""

    def inside(self) -> Table:
        """One row per erase block."""

    def resolved_part(self) -> dict[str, Any]:
        """The whole configuration."""

    def close(self) -> None:
        """Let go of the drive."""


def _largest_bytes(step: Workload) -> int:
    """The mean request of the job that has the largest ones [bytes]."""
    return max(1, round(max(mean_request_bytes(job) for job in step.jobs)))


class Array(Protocol):
    """What a virtual drive made of several can be asked besides (`drives/virtual/striped.py`)."""

    def form(self, member_count: int) -> None:
        """Build it anew from the first so many members, fresh."""

    def members(self) -> Table:
        """One row for each member."""


class VirtualHands:
    """Carries steps out on a virtual drive. glass: looks inside meanwhile, when that was asked for.

    Files live from one step to the next, until a step writes below the file system.
    """

    def __init__(self, drive: VirtualDrive, glass: GlassRecorder | None = None) -> None:
        self._drive = drive
        self._glass = glass
        self._files: FileSystem | None = None
        self._began_ns = drive.now_ns

    def now_ns(self) -> int:
        """Virtual time since the run began [ns]."""
        return self._drive.now_ns - self._began_ns

    def perform(self, step: Step, on_progress: OnProgress) -> Outcome:
        """Carry a step out; a virtual drive can take every kind."""
        match step:
            case LaidOut() if self._drive.lay_out(step.fill_ratio, overwritten=step.overwritten, zeros=step.zeros):
                return Outcome(Status.DONE, "laid out at once")
            case Workload():
                return self._run(step, on_progress)
            case ReadSmart():
                return Outcome(smart=self._drive.read_smart(self.now_ns()))
            case Idle():
                return Outcome(glass=self._rest(step.duration_ns))
            case FileWork():
                return self._work_on_files(step, on_progress)
            case FormStripe() | ReadMembers():
                return self._of_members(step)
            case Trim():
                self._files = None
                self._drive.trim(step.offset_bytes, step.length_bytes)
                return Outcome()
            case SecureErase():
                self._files = None
                self._drive.secure_erase()
                return Outcome()
        assert_never(step)

    def _of_members(self, step: FormStripe | ReadMembers) -> Outcome:
        if self._drive.facts.extra.get("kind") != "stripe":
            return Outcome(Status.SKIPPED, "this drive is not made of several")
        array = cast(Array, self._drive)
        if isinstance(step, ReadMembers):
            return Outcome(members=array.members())
        array.form(step.member_count)
        return Outcome()

    def _run(self, step: Workload, on_progress: OnProgress) -> Outcome:
        """Run the jobs, in rounds when the step says so."""
        if step.destructive:
            self._files = None  # what lay in them may be overwritten
        if self._glass is not None:
            self._glass.begin(moved_bytes(step), longest_ns(step))
        smart = SmartSeries(step.smart_every_bytes, self._drive.read_smart) if step.smart_every_bytes else None
        # With SMART on the way the slices must not depend on how fast this machine is.
        fixed = max(1, step.smart_every_bytes // _SLICES_PER_READING // _largest_bytes(step)) if smart else 0
        stopped = ""
        before_bytes = before_ns = 0

        def watch(bytes_done: int, elapsed_ns: int) -> None:
            if smart is not None:
                smart.moved(before_bytes + bytes_done, before_ns + elapsed_ns)
            on_progress(before_bytes + bytes_done, before_ns + elapsed_ns)

        def run_round(number: int) -> tuple[WorkloadResult, bool]:
            nonlocal stopped, before_bytes, before_ns
            run = self._drive.start(jobs_of_round(step.jobs, number), step.sample_interval_ns)
            stopped = self._advance(run, watch, fixed_budget=fixed)
            result = run.result()
            before_bytes += sum(result.totals.get(name, 0) for name in _MOVED)
            before_ns += result.duration_ns
            return result, not stopped and not _end_by_drive(result.totals)

        result = run_rounds(step.until, run_round) if step.until else run_round(0)[0]
        return self._outcome(result, stopped, None if smart is None else smart.table())

    def _work_on_files(self, step: FileWork, on_progress: OnProgress) -> Outcome:
        """Lower the programs to the file system of this run, and let the host work."""
        facts = self._drive.facts
        sector_bytes = max(step.sector_bytes, facts.sector_bytes)
        if self._files is None or self._files.sector_bytes != sector_bytes:
            self._files = FileSystem(facts.user_bytes, sector_bytes, can_trim=facts.can_trim)
        host = HOSTS[step.host]
        trace = lower(step.programs, self._files, host)
        if self._glass is not None:
            self._glass.begin(step.bytes_to_write + step.bytes_to_read, None)
        run = self._drive.start_file_work(trace, host, step.sample_interval_ns)
        stopped = self._advance(run, on_progress)
        if stopped:
            self._files = None  # what the programs were to leave behind is not there
        return self._outcome(run.result(), stopped)

    def _advance(self, run: VirtualRun, watch: OnProgress, *, fixed_budget: int = 0) -> str:
        """Go on slice by slice until all is done, or a person stops it; then the reason, else nothing.

        fixed_budget: requests of a slice, 0 for as many as keep a slice at a tenth of a second.
        """
        advance = run.advance if self._glass is None else partial(self._glass.advance, run)
        budget_requests = fixed_budget or _FIRST_BUDGET_REQUESTS
        done = False
        while not done:
            began_s = time.perf_counter()
            done = advance(budget_requests)
            took_s = time.perf_counter() - began_s
            factor = min(4.0, max(0.25, _SLICE_S / max(took_s, 1e-6)))
            budget_requests = fixed_budget or max(1, round(budget_requests * factor))
            progress = run.progress()
            try:
                watch(progress["bytes_done"], progress["elapsed_ns"])
            except Interrupted as stop:
                if not done:
                    run.stop()
                    return stop.what
        return ""

    def _outcome(self, result: WorkloadResult, stopped: str, smart: Table | None = None) -> Outcome:
        """How a step ended: by a person, by the drive, or as it should."""
        if stopped:
            return Outcome(Status.INTERRUPTED, stopped, workload=result, glass=self._seen(), smart_series=smart)
        end = _end_by_drive(result.totals)
        status = Status.FAILED if end else Status.DONE
        return Outcome(status, end, workload=result, glass=self._seen(), smart_series=smart)

    def _rest(self, duration_ns: int) -> Glass | None:
        if self._glass is None:
            self._drive.idle(duration_ns)
            return None
        self._glass.begin()
        self._glass.idle(duration_ns)
        return self._glass.end()

    def _seen(self) -> Glass | None:
        return None if self._glass is None else self._glass.end()

    def versions(self) -> dict[str, str]:
        """None beside flashscope's own, which every record names."""
        return {}


_ENDS = {
    "jobs_out_of_space": "no free block is left to write to: every one is full of valid data",
    "jobs_ended_read_only": "the drive has used up its spare blocks and only reads from now on",
    "jobs_out_of_time": "virtual time ends after 250 years, and there was more to do then",
    "jobs_ended_dead": "the drive has used up its spare blocks and answers nothing any more",
}


def _end_by_drive(totals: Mapping[str, int]) -> str:
    """Why the drive ended jobs before they were done, empty when it did not. Its death is a result, not a fault."""
    return "; ".join(why for name, why in _ENDS.items() if totals.get(name, 0))
