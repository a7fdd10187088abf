"""The runner's hands for a virtual drive: every kind of step, in virtual time. Its engine runs jobs and programs
(`engines/virtual_time.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, assert_never, cast

from flashscope.records import Glass, SmartSnapshot, Status, Table
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.cost import longest_ns, moved_bytes
from flashscope.runner.engines.choose import own_engine
from flashscope.runner.engines.virtual_time import VirtualRun, VirtualTimeEngine, advanced_to_the_end
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.loading import as_they_are, load
from flashscope.runner.hands.places.check import checked
from flashscope.runner.hands.places.virtual import Stamped, VirtualMedium
from flashscope.workloads.file_system import HOSTS, FileSystem, Host, Trace, lower
from flashscope.workloads.job import Job
from flashscope.workloads.steps import (
    CheckPlaces,
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
        """Put a drive that was just erased into a used state, in no time; False when that is not possible."""

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
        """Release the drive."""


class Array(Protocol):
    """Further methods of a virtual drive that consists of several (`drives/virtual/striped.py`)."""

    def form(self, member_count: int) -> None:
        """Build it anew from its first members, all fresh."""

    def members(self) -> Table:
        """One row for each member."""


class VirtualHands:
    """Carries steps out on a virtual drive. glass: looks inside meanwhile, when requested.

    Files stay from one step to the next, until a step writes below the file system.
    """

    def __init__(self, drive: VirtualDrive, glass: GlassRecorder | None = None) -> None:
        self._drive = drive
        self._glass = glass
        self._engine = own_engine(drive) or VirtualTimeEngine(drive, partial(_advanced, glass))
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
            case CheckPlaces():
                return self._check_places(step, on_progress)
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
        if not self._drive.facts.can(Capability.MEMBERS):
            return Outcome(Status.SKIPPED, Capability.MEMBERS.missing)
        array = cast(Array, self._drive)
        if isinstance(step, ReadMembers):
            return Outcome(members=array.members())
        array.form(step.member_count)
        return Outcome()

    def _check_places(self, step: CheckPlaces, on_progress: OnProgress) -> Outcome:
        facts = self._drive.facts
        if not facts.can(Capability.STAMPED):
            return Outcome(Status.SKIPPED, facts.why_it_cannot(Capability.STAMPED))
        self._files = None
        seed = facts.virtual.seed if facts.virtual else 0
        medium = VirtualMedium(cast(Stamped, self._drive), seed ^ self._drive.now_ns, facts.user_bytes)
        return checked(step, medium, seed, on_progress)

    def _run(self, step: Workload, on_progress: OnProgress) -> Outcome:
        """Run the jobs, in rounds when the step says so."""
        if step.destructive:
            self._files = None  # their contents may be overwritten
        if self._glass is not None:
            self._glass.begin(moved_bytes(step), longest_ns(step))
        outcome = load(step, self._engine, self._drive.read_smart, on_progress, as_they_are)
        return replace(outcome, glass=self._seen())

    def _work_on_files(self, step: FileWork, on_progress: OnProgress) -> Outcome:
        """Convert the programs to requests of this run's file system, and let the host run them."""
        facts = self._drive.facts
        sector_bytes = max(step.sector_bytes, facts.sector_bytes)
        if self._files is None or self._files.sector_bytes != sector_bytes:
            self._files = FileSystem(facts.user_bytes, sector_bytes, can_trim=facts.can_trim)
        host = HOSTS[step.host]
        trace = lower(step.programs, self._files, host)
        if self._glass is not None:
            self._glass.begin(step.bytes_to_write + step.bytes_to_read, None)
        run = self._drive.start_file_work(trace, host, step.sample_interval_ns)
        loaded = advanced_to_the_end(run, on_progress, partial(_advanced, self._glass))
        if loaded.stopped:
            self._files = None  # the files that the programs should have made are missing
        return Outcome(loaded.status, loaded.why, workload=loaded.result, glass=self._seen())

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
        """What the engine uses."""
        return self._engine.versions()


def _advanced(glass: GlassRecorder | None, run: VirtualRun, budget_requests: int) -> bool:
    """Continue a run, and look inside meanwhile when requested.

    No method of the hands: the engine has it, and the hands have the engine. Such a circle would keep the drive, up to
    gigabytes, until Python looks for circles.
    """
    return run.advance(budget_requests) if glass is None else glass.advance(run, budget_requests)
