"""A record: the result of one run, complete enough to be analysed again years later.

    Record
      +- configuration, its hash, seed, versions, host, command      (how it came to be)
      +- steps: StepRecord                                           (what was done, in order)
           +- series: Table (per interval), latency histograms, totals
           +- smart: SmartSnapshot
           +- glass: Glass, the looks inside a virtual drive meanwhile
      +- findings, doubts                                            (what was concluded)

Plain data; nothing here opens a drive or a database (`store/store.py` keeps records).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import Any

from flashscope.records.columns import Table
from flashscope.records.doubt import Doubt
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.examination import Examination
from flashscope.records.glass import Glass
from flashscope.records.job_result import JobResult
from flashscope.records.labels import NO_LABELS, Label, Labels
from flashscope.records.latency import Histogram
from flashscope.records.smart_snapshot import SmartAttribute as SmartAttribute
from flashscope.records.smart_snapshot import SmartSnapshot as SmartSnapshot
from flashscope.vocabulary import USABLE_BLOCK_STATES, RequestKind

FIRST_STATE_OUT_OF_USE = len(USABLE_BLOCK_STATES)
"""Blocks of this `state` and above are bad or reserved and hold no data (`Record.inside`, `vocabulary.BlockState`)."""


class Status(enum.StrEnum):
    """How a run or a step ended.

    OUT_OF_TIME: the time that an examination may take was over. UNKNOWN is never kept: this process cannot know whether
    the run still works.
    """

    RUNNING = "running"
    DONE = "done"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    SKIPPED = "skipped"
    OUT_OF_TIME = "out of time"
    UNKNOWN = "unknown"


class StepKind(enum.StrEnum):
    """What a step did. LIFE: one drive of a population, from new to its end."""

    WORKLOAD = "workload"
    FILE_WORK = "file work"
    SMART = "smart"
    MEMBERS = "members"
    PLACES = "places"
    IDLE = "idle"
    TRIM = "trim"
    SECURE_ERASE = "secure erase"
    FORM_STRIPE = "form stripe"
    LIFE = "life"


BYTES_OF: dict[RequestKind, str] = {"read": "read_bytes", "write": "written_bytes", "trim": "trimmed_bytes"}
"""The column and the total that count the bytes of each kind of request."""


@dataclass(frozen=True)
class WorkloadResult:
    """What a workload step measured; the same for virtual and real drives.

    duration_ns: from the first submission to the last completion.
    series: one row per sampling interval with the columns elapsed_ns (end of the interval, since the
        step began), read_bytes, written_bytes, trimmed_bytes, read_requests, write_requests,
        trim_requests (all per interval, by completion time).
    latency: "read" | "write" | "trim" -> Histogram of submission-to-completion times; absent when none.
    totals: name -> value for the step, e.g. "read_bytes", "written_bytes", "read_requests",
        "write_requests", "trim_requests", "failed_requests".
    jobs: when the step asked for it, all its jobs together, then, if there are several, each one.
    """

    duration_ns: int
    series: Table
    latency: dict[str, Histogram]
    totals: dict[str, int]
    jobs: tuple[JobResult, ...] = ()


@dataclass
class StepRecord:
    """One step of a run. `name` is shown to people, and unique within the run (e.g. "aligned 4 KiB").

    labels: the meaning of the step in its experiment; analyses find steps by them (`labels.py`), never by the name.
    kind: a `StepKind`, as text: a record of a later version may have further kinds.
    started_ns, ended_ns: since the run began.
    glass: only of a virtual drive, and only on request.
    smart_series: SMART read while the step ran; columns elapsed_ns (on the axis of the series), and for each attribute
        `<id>_value`, `<id>_worst`, `<id>_raw` (the six raw bytes, least significant first, as one number).
    members: one row for each member of an array, of a step that read them.
    places: one row for each place that was written and read back, in order, of a step that checked them.
    """

    index: int
    name: str
    kind: str
    status: Status = Status.RUNNING
    started_ns: int = 0
    ended_ns: int = 0
    note: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    workload: WorkloadResult | None = None
    smart: SmartSnapshot | None = None
    glass: Glass | None = None
    smart_series: Table | None = None
    members: Table | None = None
    places: Table | None = None
    labels: Labels = NO_LABELS


@dataclass(frozen=True)
class Finding:
    """A statement about the drive.

    key: stable machine name, e.g. "mapping_unit_bytes".
    statement: one sentence a person can act on.
    value: None when the experiment could not tell (the statement says why).
    low, high: interval in the same unit, at `confidence_ratio`.
    evidence: names of the steps that support it. doubts: reasons to question it.
    """

    key: str
    statement: str
    value: float | int | str | None
    unit: str
    low: float | None = None
    high: float | None = None
    confidence_ratio: float = 0.95
    evidence: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    details: dict[str, Any] = field(default_factory=dict)


@dataclass
class Record:
    """One run of one experiment on one drive.

    drive: its address. drive_facts: what was known about it when the run began (capacity, sector, model ...).
    truth: the true values of a virtual drive (key -> value, same keys as findings), empty for a real drive.
    inside: arrays of a virtual drive at the end of the run (erase counts, valid slots ...), else None.
    configuration: everything that was determined before the run; `configuration_hash` is its SHA-256.
    examination: of which it is a part; None for a run by itself.
    """

    id: str
    experiment: str
    drive: str
    status: Status
    created_utc: str
    seed: int
    command: str
    versions: dict[str, str]
    host: dict[str, Any]
    configuration: dict[str, Any]
    configuration_hash: str
    drive_facts: DriveFacts
    truth: dict[str, Any] = field(default_factory=dict)
    inside: Table | None = None
    steps: list[StepRecord] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    note: str = ""
    examination: Examination | None = None

    def steps_with(self, role: str, **labels: Label) -> list[StepRecord]:
        """The steps of a role that have these labels, in order, finished or not."""
        return [step for step in self.steps if step.labels.agrees(role, **labels)]

    def step_with(self, role: str, **labels: Label) -> StepRecord | None:
        """The first step of a role that has these labels; None when the run has none."""
        return next(iter(self.steps_with(role, **labels)), None)

    def the_step_with(self, role: str, **labels: Label) -> StepRecord:
        """The first step of a role that has these labels; KeyError when the run has none."""
        step = self.step_with(role, **labels)
        if step is None:
            raise KeyError(f"{self.id} has no step {role!r} with {labels}")
        return step

    def evidence_of(self, finding: Finding) -> list[StepRecord]:
        """The steps that support a finding, in the order of the run."""
        return [step for step in self.steps if step.name in finding.evidence]

    def by_name(self) -> dict[str, StepRecord]:
        """The steps by their names, which are unique: to match the steps of two runs of one experiment."""
        return {step.name: step for step in self.steps}

    def step(self, name: str) -> StepRecord:
        """The step of that name; KeyError when the run has none."""
        for step in self.steps:
            if step.name == name:
                return step
        raise KeyError(name)
