"""The vocabulary of an experiment: the few things that can be done to a drive.

Every step has a name, which is shown, and labels, with which the analysis finds it in the record (`records/labels.py`):

    Idle("idle for 5 min", 300 * SECOND_NS, labels=Labels.of("pause", duration_s=300))

A step is a description. It opens nothing, and its cost can be estimated: `bytes_to_write`, `bytes_to_read` and
`destructive` are known before anything is touched. Only the runner carries steps out.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import NO_LABELS, Labels, StepKind
from flashscope.workloads.file_work import HostName, Program, bytes_read, bytes_written
from flashscope.workloads.job import Job


@dataclass(frozen=True)
class UntilSteady:
    """Run the jobs in rounds until their rate is steady (`analysis/steady_state.py`).

    tracked: column of the series whose rate is watched. window_rounds: rounds that are judged together.
    most_rounds: the last round, steady or not; the result says which.
    """

    tracked: str = "written_bytes"
    window_rounds: int = 5
    most_rounds: int = 25


@dataclass(frozen=True)
class Pace:
    """A job limited to a share of the rate that an earlier step of the same run measured, in both directions [ratio].

    job: its name. role: of the earlier workload step, whose rate is its bytes over its duration.
    """

    job: str
    role: str
    share_ratio: float


@dataclass(frozen=True, kw_only=True)
class Labelled:
    """What all steps have: labels, by which a step is found again in the record of its run."""

    labels: Labels = NO_LABELS


@dataclass(frozen=True)
class Workload(Labelled):
    """Run jobs (those of one group together). sample_interval_ns: one row of the series each.

    bytes_to_write, bytes_to_read: an upper bound of what the jobs transfer, in all rounds.
    until: None to run the jobs once. smart_every_bytes: read SMART each time so much was moved, on the time axis of the
    series; 0 for never.
    pace: limits one of the jobs to a rate that is measured during the run.
    by_job: also keep what each job does over time, with its latencies (`WorkloadResult.jobs`).
    text: the job file that the jobs come from, as its author wrote it; empty for jobs of an experiment.
    """

    name: str
    jobs: tuple[Job, ...]
    sample_interval_ns: int
    bytes_to_write: int
    bytes_to_read: int
    pace: Pace | None = None
    kind: StepKind = StepKind.WORKLOAD
    until: UntilSteady | None = None
    smart_every_bytes: int = 0
    by_job: bool = False
    text: str = ""

    @property
    def destructive(self) -> bool:
        """True when any job writes or trims."""
        return any(not job.only_reads for job in self.jobs)


@dataclass(frozen=True)
class LaidOut(Workload):
    """Writes for the state that they leave, not for their time: a sequential fill, perhaps followed by random writes.

    jobs: the writes themselves, which bring any drive into the state. fill_ratio: share of the drive, from address 0,
    that holds data then [0..1]. overwritten: at random afterwards, until nothing changes any more. zeros: the data is
    zeros. A virtual drive that was just secure-erased is put into the state in no time; other drives run the jobs.
    """

    fill_ratio: float = 1.0
    overwritten: bool = False
    zeros: bool = False


@dataclass(frozen=True)
class ReadSmart(Labelled):
    """Read all SMART attributes. On a drive without SMART the step is recorded as skipped."""

    name: str
    kind: StepKind = StepKind.SMART
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = False


@dataclass(frozen=True)
class Idle(Labelled):
    """Leave the drive alone for duration_ns."""

    name: str
    duration_ns: int
    kind: StepKind = StepKind.IDLE
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = False


@dataclass(frozen=True)
class Trim(Labelled):
    """Tell the drive that length_bytes from offset_bytes hold no data any more."""

    name: str
    offset_bytes: int
    length_bytes: int
    kind: StepKind = StepKind.TRIM
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = True


@dataclass(frozen=True)
class SecureErase(Labelled):
    """Bring the drive back to its first state. On a drive that cannot, the step is recorded as skipped."""

    name: str
    kind: StepKind = StepKind.SECURE_ERASE
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = True


@dataclass(frozen=True)
class FileWork(Labelled):
    """Run programs on the files of a drive, all in parallel, and wait until the last one has ended.

    The host's cache is written out and emptied before the first program begins, so that files come from the drive.
    sample_interval_ns: one row of the series each.
    sector_bytes: logical sectors that the file system sees, when larger than the drive's own; 0: the drive's own.
    host: the model of a host for a virtual drive; for a directory, the real host does the work.
    On a file or a block device without a file system the step is recorded as skipped.
    """

    name: str
    programs: tuple[Program, ...]
    sample_interval_ns: int
    sector_bytes: int = 0
    host: HostName = "windows-7"
    kind: StepKind = StepKind.FILE_WORK
    destructive: bool = True

    @property
    def bytes_to_write(self) -> int:
        """File data written to the drive [bytes], without the file system's own data."""
        return bytes_written(self.programs)

    @property
    def bytes_to_read(self) -> int:
        """File data read from the drive [bytes]."""
        return bytes_read(self.programs)


@dataclass(frozen=True)
class FormStripe(Labelled):
    """Build the array anew from fresh drives: the first member_count of its members, all of them empty.

    Everything that was on it is gone, and so is its wear. On a drive that is no array the step is recorded as skipped.
    """

    name: str
    member_count: int
    kind: StepKind = StepKind.FORM_STRIPE
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = True


@dataclass(frozen=True)
class ReadMembers(Labelled):
    """Read what each member of an array has done since it was formed: bytes from the host, bytes to flash, erases.

    On a drive that is no array the step is recorded as skipped.
    """

    name: str
    kind: StepKind = StepKind.MEMBERS
    bytes_to_write: int = 0
    bytes_to_read: int = 0
    destructive: bool = False


@dataclass(frozen=True)
class CheckPlaces(Labelled):
    """Write data that says where it belongs, at many places, and read it back: does the drive hold all that it says?

        |[ region, written last ]--x-----|---x----|-x------|----x---|...|--x--x|   one place drawn in each stretch

    span_bytes: of the drive. place_bytes: length of a place, whole sectors. region_bytes: written in one piece after
    the places, from address 0. stretch_bytes: one place is drawn in each, at most half the region where a drive that
    wraps is to be found for certain. Where places fail, more are tried, to find where the drive really ends.
    """

    name: str
    span_bytes: int
    place_bytes: int
    region_bytes: int
    stretch_bytes: int
    kind: StepKind = StepKind.PLACES
    destructive: bool = True

    @property
    def place_count(self) -> int:
        """Places of the first pass, about."""
        return (self.span_bytes - self.region_bytes) // self.stretch_bytes + self.span_bytes.bit_length()

    @property
    def bytes_to_write(self) -> int:
        """Written to a drive that holds everything [bytes]; to another, about half the region more."""
        return self.region_bytes + self.place_count * self.place_bytes

    @property
    def bytes_to_read(self) -> int:
        """Read back [bytes]."""
        return self.place_count * self.place_bytes


Step = Workload | ReadSmart | Idle | Trim | SecureErase | FileWork | FormStripe | ReadMembers | CheckPlaces
