"""A drive is filled to a little room, then rested, then given room by TRIM; standard figures all along. DESTRUCTIVE.

    fresh                                        CrystalDiskMark
    filled to 59 %    (test A)                   at once
    filled up (test A)                           at once | 3 min later | a file four times as large, 3 times | later
    a tenth deleted                              at once | later | once more | large, 3 times | once more
    filled up again: random load, pause, probe   pauses of 0, 10, 30, 60, 180 s: when is it back?
                     4 KiB writes in files       of 50 to 4000 MB: how large until the buffer hides nothing?
                     TRIM, pause, probe          pauses of 0 to 300 s: when does it help?

The names of the marks are those of the report on the Toshiba HG3 512 GB, sizes and levels too; they shrink with the
drive (files: a 64th of it at most, which leaves those of 64 GB and more as they are; levels: in proportion).
Each mark's test file is written into the free room and deleted (TRIM) after it.
Test A: `test_a.py`. What stands for CrystalDiskMark: `profiles/crystal_disk_mark.py`. Findings: `fill_findings.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flashscope.experiments import fill_findings
from flashscope.experiments.profiles.crystal_disk_mark import Marking, TestFile, crystal_disk_mark_3
from flashscope.experiments.profiles.passes import shown
from flashscope.experiments.states import first_state
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.experiments.test_a import TestA, plan_of_test_a
from flashscope.records import Finding, Labels, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.workloads.steps import Idle, Step, Trim, Workload

_MINUTES_LATER_NS = 180 * SECOND_NS
_PROBE_NS = 3 * SECOND_NS
_PASS_NS = 6 * SECOND_NS
_LOAD_NS = PerTimeCost.by_clock(120 * SECOND_NS, free=0)
_FILE_MB = (50, 100, 200, 500, 1000, 2000, 4000)
_KIB = 1024

FRESH = "fresh, CDM 1000 MB"
PARTLY = "300 GB filled by test A, right after it stops, CDM 1000 MB"
FULL = "filled to 5 GB free by test A, right after, CDM 1000 MB"
RESTED = "same, 3 minutes later, CDM 1000 MB"
LARGE = tuple(
    f"5 GB free, CDM 4000 MB, {which}" for which in ("first of three back to back", "second of three", "third of three")
)
LARGE_LATER = "5 GB free, a few minutes later, CDM (size not stated, 4000 MB series)"
DELETED = "50 GB deleted, at once, CDM 4000 MB"
DELETED_LATER = "50 GB deleted, a few minutes later, CDM 1000 MB"
DELETED_AGAIN = "50 GB deleted, once more, CDM 1000 MB"
THEN_LARGE = tuple(f"then CDM 4000 MB, {which} of three" for which in ("first", "second", "third"))
THEN = "then CDM 1000 MB"


@dataclass(frozen=True)
class Sizes:
    """The report's sizes for a drive [bytes]: small and large test file, room left, level, deleted."""

    small: int
    large: int
    room: int
    partly: int
    deleted: int

    @classmethod
    def of(cls, user_bytes: int) -> Sizes:
        """The report's own on 512 GB; files of at most a 64th, levels in proportion."""
        small = max(min(1000 * MIB, user_bytes // 64 // MIB * MIB), MIB)
        share = small / (1000 * MIB)
        return cls(
            small,
            4 * small,
            round(5e9 * share) // MIB * MIB + (0 if share == 1 else MIB),
            round(user_bytes * 300e9 / 512.11e9) // MIB * MIB,
            round(user_bytes * 50e9 / 512.11e9) // MIB * MIB,
        )


class FillAndRecovery:
    """Finds how far a drive collapses when full, how long it takes to recover, and how much TRIM helps.

    passes, preparing: of each mark, as `crystal_disk_mark_3` takes them. The report does not say how many its program
    made; the program's own are five with a preparing one, which write six times as much as the one pass taken here.
    """

    name = "fill-and-recovery"
    title = "Filling and recovery"
    question = "How far do the figures fall on a full drive, how long until they are back, and when does TRIM help?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"trim", "idle_work", "used_state", "write_buffer"})
    needs = Needs(Capability.SOLID_STATE, writes=True, least_bytes=64 * MIB, quick_fills=1.0)

    def __init__(self, passes: int = 1, *, preparing: bool = False) -> None:
        self._marking = Marking(passes, _PASS_NS, preparing)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The report's sequence; quick: its corners."""
        if self.needs.missing(facts, effort):
            return []
        sizes, test_a = Sizes.of(facts.user_bytes), plan_of_test_a(facts.user_bytes, effort.choose(3, 10, 20))
        full, quick = effort.extent is Extent.FULL, effort.extent is Extent.QUICK
        brim = (facts.user_bytes - sizes.room) // MIB * MIB

        def mark(condition: str, offset: int, size: int = sizes.small) -> list[Step]:
            return self._mark(condition, TestFile(offset, size), facts)

        marked = sizes.small * 2 * (self._marking.passes + self._marking.preparing + 1)
        steps = [*first_state(facts, "first state"), *mark(FRESH, 0)]
        if full:
            steps += _filled_to(test_a, "test A to 300 GB", 0, sizes.partly, marked, facts)
            steps += mark(PARTLY, sizes.partly)
            steps += test_a.through("test A to 5 GB free", sizes.partly, brim, facts)
        else:
            steps += _filled_to(test_a, "test A to 5 GB free", 0, brim, 2 * marked, facts)
        steps += [*mark(FULL, brim), Idle("3 minutes", _MINUTES_LATER_NS), *mark(RESTED, brim)]
        if full:
            steps += [step for condition in LARGE for step in mark(condition, brim, sizes.large)]
            steps += [Idle("a few minutes", _MINUTES_LATER_NS), *mark(LARGE_LATER, brim, sizes.large)]
        room = brim - sizes.deleted
        if facts.can_trim:
            steps += [Trim("50 GB deleted", room, sizes.deleted)]
            steps += [] if quick else mark(DELETED, room, sizes.large)
            steps += [Idle("a few minutes after deleting", _MINUTES_LATER_NS), *mark(DELETED_LATER, room)]
        if full and facts.can_trim:
            steps += mark(DELETED_AGAIN, room)
            steps += [step for condition in THEN_LARGE for step in mark(condition, room, sizes.large)]
            steps += mark(THEN, room)
        if not quick:
            beside = test_a.beside(fill_findings.BESIDE_NAME, room, _PASS_NS)
            steps += [replace(beside, labels=Labels.of(fill_findings.BESIDE))]
            steps += self._series(facts, sizes, test_a, brim)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """Collapse per figure, recovery time, fill level, largest file at full rate, time until TRIM helps."""
        return fill_findings.findings(record)

    def _mark(self, condition: str, file: TestFile, facts: DriveFacts) -> list[Step]:
        steps = crystal_disk_mark_3(condition, file, self._marking, with_queue=False)
        deleted = Trim(shown(condition, "deleted"), file.offset_bytes, file.size_bytes)
        return [*steps, *([deleted] if facts.can_trim else [])]

    def _series(self, facts: DriveFacts, sizes: Sizes, test_a: TestA, brim: int) -> list[Step]:
        """The three curves, on a drive filled up again."""
        room = brim - sizes.deleted
        fill = test_a.through("filled up again", room, brim, facts, role="files again") if facts.can_trim else []
        steps = [*fill]
        for pause_s in (0, 10, 30, 60, 180):
            steps += _loaded(f"recovery {pause_s} s: ", facts, brim, sizes.large)
            steps += [Idle(f"recovery {pause_s} s: idle", pause_s * SECOND_NS)] if pause_s else []
            labels = Labels.of(fill_findings.RECOVERY, pause_s=pause_s)
            steps += _probes(f"recovery {pause_s} s: ", brim, sizes.small, pause_s, labels)
        for mb in _FILE_MB:
            size = max(round(sizes.small * mb / 1000) // (64 * _KIB), 1) * 64 * _KIB
            steps += [Idle(f"file {mb} MB: idle", _MINUTES_LATER_NS), *_small_writes(mb, brim, size)]
        if facts.can_trim:
            steps += [*_loaded("TRIM: ", facts, brim, sizes.large), Trim("TRIM: deleted", room, sizes.deleted)]
            for pause_s in (0, 10, 30, 60, 120, 300):
                steps += [Idle(f"TRIM {pause_s} s: idle", pause_s * SECOND_NS)] if pause_s else []
                labels = Labels.of(fill_findings.TRIMMED, pause_s=pause_s)
                steps += _probes(f"TRIM {pause_s} s: ", brim, sizes.small, 500 + pause_s, labels)
        return steps


def _filled_to(test_a: TestA, name: str, begin: int, end: int, made_good: int, facts: DriveFacts) -> list[Step]:
    """From a benchmarked drive to a level: laid out where that can be done, else written."""
    if facts.can(Capability.LAID_OUT):
        return test_a.laid_out(name, end, made_good, facts)
    return test_a.through(name, begin, end, facts)


def _loaded(prefix: str, facts: DriveFacts, brim: int, size: int) -> list[Step]:
    """The drive slowed down by 512 KiB random writes into a large file."""
    request = min(512 * _KIB, size // 4)
    job = random_writes(
        "load", request_bytes=request, grid_bytes=request, size_bytes=size, io_bytes=2 * size, seed=len(prefix)
    )
    runtime_ns = facts.per_time(_LOAD_NS)
    job = replace(job, offset_bytes=brim, runtime_ns=runtime_ns)
    return [Workload(f"{prefix}load", (job,), SECOND_NS // 10, 2 * size, 0)]


def _probes(prefix: str, brim: int, size: int, seed: int, labels: Labels) -> list[Step]:
    """512 KiB and 4 KiB random writes, 3 s each; labels: of both, beside the load."""
    probes = (
        ("rand_write_512k", min(512 * _KIB, size // 4), 2000 + seed),
        ("rand_write_4k", 4 * _KIB, 3000 + seed),
    )
    return [
        replace(_timed(f"{prefix}{load}", brim, size, request, _PROBE_NS, number), labels=labels.with_more(load=load))
        for load, request, number in probes
    ]


def _small_writes(mb: int, brim: int, size: int) -> list[Step]:
    """A file written in order, and 4 KiB random writes in it."""
    request = min(MIB, size)
    job = sequential_writes("file", request_bytes=request, offset_bytes=brim, size_bytes=whole_requests(size, request))
    return [
        Workload(f"file {mb} MB: file", (job,), SECOND_NS // 10, job.size_bytes, 0),
        replace(
            _timed(f"file {mb} MB: rand_write_4k", brim, job.size_bytes, 4 * _KIB, _PASS_NS, 4000 + mb),
            labels=Labels.of(fill_findings.IN_A_FILE, file_mb=mb, load="rand_write_4k"),
        ),
    ]


def _timed(name: str, offset: int, size: int, request: int, runtime_ns: int, seed: int) -> Workload:
    job = random_writes(
        "probe",
        request_bytes=request,
        grid_bytes=request,
        size_bytes=size,
        io_bytes=0,
        runtime_ns=runtime_ns,
        seed=seed,
    )
    job = replace(job, offset_bytes=offset, time_based=True)
    most = min(600_000_000, request * 125_000) * runtime_ns // SECOND_NS
    return Workload(name, (job,), SECOND_NS // 10, most, 0)
