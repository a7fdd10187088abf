"""The runner's hands for a real drive: an engine (fio) loads it, smartctl reads it, the kernel trims it, in real time.

All writes go through the descriptor by which the drive is held. The guard is asked before the first step that writes.
Before and after each step it is checked whether the drive's name still leads to the held drive: a deleted file still
takes writes, but they would measure a file that no longer exists.
Not done here: secure erase of a real drive, which is recorded as skipped; files on it (`files/hands.py`).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from flashscope.drives.drive import RealDrive
from flashscope.drives.held.direct_file import DirectFile
from flashscope.drives.held.held import Held
from flashscope.drives.held.vanished import Watched
from flashscope.drives.real.shifted import jobs_below
from flashscope.errors import DriveFailed, FlashscopeError
from flashscope.records import SmartSnapshot, Status
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import FilePlace
from flashscope.runner.engines.choose import engine_for
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.loading import load
from flashscope.runner.hands.places.check import checked
from flashscope.runner.hands.places.real import RealMedium
from flashscope.runner.hands.rest import rest
from flashscope.runner.hands.trim import trim_range
from flashscope.runner.host import smartctl_version
from flashscope.smart.readers.snapshot import read_with_smartctl
from flashscope.workloads.job import Job
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_SEEDS = 2**64  # fio's randseed has 64 bits


class RealHands:
    """Carries steps out on a file or a block device. Raises WrongUse when fio is missing.

    seed: of the run; it is added to the seed of every job.
    """

    def __init__(self, drive: RealDrive, seed: int) -> None:
        self._drive = drive
        self._seed = seed
        self._versions = engine_for(drive.held).versions()
        self._began_ns = time.monotonic_ns()
        self._guarded_again = False
        self._watched = Watched(drive.held)

    def now_ns(self) -> int:
        """Time since the run began [ns]."""
        return time.monotonic_ns() - self._began_ns

    def perform(self, step: Step, on_progress: OnProgress) -> Outcome:
        """Carry a step out, or skip it with the reason.

        Raises WrongUse when the guard refuses the drive just before the first write, DriveFailed when the drive fails
        or was replaced by another.
        """
        self._watched.check()
        try:
            outcome = self._perform(step, on_progress)
        except DriveFailed as failure:
            raise self._explained(failure) from failure
        happened = self._watched.what_happened()
        if happened and outcome.status is Status.DONE:
            return replace(outcome, status=Status.FAILED, note=f"{happened}; what the step measured is kept")
        return outcome

    def _perform(self, step: Step, on_progress: OnProgress) -> Outcome:
        match step:
            case Workload():
                return self._run(step, on_progress)
            case ReadSmart():
                return self._read_smart()
            case Idle():
                rest(step.duration_ns, on_progress)
                return Outcome()
            case FileWork():
                return self._work_on_files(step, on_progress)
            case FormStripe() | ReadMembers():
                return Outcome(Status.SKIPPED, "only an array of virtual drives can be formed anew")
            case Trim():
                return self._trim(step, on_progress)
            case CheckPlaces():
                return self._check_places(step, on_progress)
            case SecureErase():
                return Outcome(
                    Status.SKIPPED, f"this version does not send a {step.kind} to a {self._drive.facts.kind_name}"
                )
        assert_never(step)

    def _run(self, step: Workload, on_progress: OnProgress) -> Outcome:
        if step.destructive:
            self._guard_once()
        return self._load(self._drive.held, step, on_progress)

    def _load(self, target: Held, step: Workload, on_progress: OnProgress) -> Outcome:
        """Run the step's jobs on a file or a block device, by its engine."""
        return load(step, engine_for(target), self._glance_at_smart, on_progress, self._seeded)

    def _seeded(self, jobs: Sequence[Job]) -> Sequence[Job]:
        placed = jobs_below(jobs, self._drive.facts)
        ends_bytes = self._drive.facts.user_bytes  # for fio, which may otherwise draw requests that end beyond it
        return [
            replace(
                job,
                seed=(job.seed + self._seed) % _SEEDS,
                size_bytes=job.size_bytes or max(0, ends_bytes - job.offset_bytes),
            )
            for job in placed
        ]

    def _guard_once(self) -> None:
        """Ask the guard before the first write: minutes may have passed since the drive was opened."""
        if not self._guarded_again:
            self._drive.guard_again()
            self._guarded_again = True

    def _work_on_files(self, step: FileWork, on_progress: OnProgress) -> Outcome:
        facts = self._drive.facts
        return Outcome(
            Status.SKIPPED,
            f"a {facts.kind_name} has no files of its own; mount a file system on the drive and name a directory of it "
            "(dir:PATH)",
        )

    def _trim(self, step: Trim, on_progress: OnProgress) -> Outcome:
        return self._trim_in(self._drive.held, step, on_progress)

    def _trim_in(self, held: Held, step: Trim, on_progress: OnProgress) -> Outcome:
        facts = self._drive.facts
        if not facts.can_trim:
            return Outcome(Status.SKIPPED, f"no trim on this {facts.kind_name}: {facts.why_it_cannot(Capability.TRIM)}")
        self._guard_once()
        offset_bytes = step.offset_bytes + facts.offset_bytes
        trim_range(held, offset_bytes, step.length_bytes, facts.sector_bytes, on_progress)
        return Outcome()

    def _check_places(self, step: CheckPlaces, on_progress: OnProgress) -> Outcome:
        facts = self._drive.facts
        if not facts.can(Capability.STAMPED):
            return Outcome(Status.SKIPPED, facts.why_it_cannot(Capability.STAMPED))
        self._guard_once()
        direct = not isinstance(facts.place, FilePlace) or facts.place.direct_io
        file = DirectFile(self._drive.held, direct=direct)
        try:
            run = secrets.randbits(63)
            return checked(step, RealMedium(file, run, facts.offset_bytes), run ^ self._seed, on_progress)
        finally:
            file.close()

    def _glance_at_smart(self, elapsed_ns: int) -> SmartSnapshot | None:
        """SMART while a step runs; a drive that does not answer in between is asked again at the next turn."""
        if not self._drive.facts.has_smart:
            return None
        try:
            return read_with_smartctl(self._smart_path(), elapsed_ns)
        except FlashscopeError:
            return None

    def _read_smart(self) -> Outcome:
        facts = self._drive.facts
        if not facts.has_smart:
            return Outcome(Status.SKIPPED, f"there is no SMART on this {facts.kind_name}")
        try:
            snapshot = read_with_smartctl(self._smart_path(), self.now_ns())
        except FlashscopeError as error:
            return Outcome(Status.SKIPPED, error.what)
        self._versions.setdefault("smartctl", smartctl_version())
        return Outcome(smart=snapshot)

    def _smart_path(self) -> Path:
        return self._drive.held.name

    def _explained(self, failure: DriveFailed) -> DriveFailed:
        """The failure, preceded by what happened to the drive, when that is known."""
        why = self._watched.why_it_failed()
        return (
            DriveFailed(f"{why} ({failure.what})", accepted=failure.accepted, advice=failure.advice) if why else failure
        )

    def versions(self) -> dict[str, str]:
        """The engine's, and smartctl when it was used."""
        return self._versions
