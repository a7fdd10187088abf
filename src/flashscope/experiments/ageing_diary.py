"""A year of use of a drive and the time after it, shortened; standard figures at the dates of a diary. DESTRUCTIVE.

    a year of use, 95 % full           marks with a small and a large file
    40 GB deleted, six days of use     mark at 87 %
    filled again, five months of use   mark at 93 %
    much deleted, nine months of use   mark at 62 %

A day of use, as assumed here (the diary states how full the drive was, not what was written):
    20 GB written on 512 GB, in proportion on other sizes: what PC makers asked of the drives of those years, for five
        years (Intel's target as AnandTech reported it in September 2008, "How Long Will Intel's SSDs Last?")
    nearly all of it whole files, as much as is new being deleted (TRIM); updates at random places of the data: 1 % of
        the bytes in 4 KiB, 4 % in 64 KiB requests (together three quarters of all requests, one every 1.5 s)
    then a night of eight hours without a request

A year of that is seven terabytes. Here the year is laid out at once as its end state (filled, overwritten at random,
which is harsher than an owner: he leaves most of his files alone), and of each span of time one day is run.
Everything is drawn from the seed. A real drive is worn by this, so it is offered in full only.
Not modelled here: data that is left alone for months, which a real drive refreshes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flashscope.experiments.fill_and_recovery import Sizes
from flashscope.experiments.fill_findings import all_marks
from flashscope.experiments.profiles.crystal_disk_mark import MARKING_3, TestFile, crystal_disk_mark_3
from flashscope.experiments.profiles.passes import shown
from flashscope.experiments.states import doubts_of_start, filled, first_state
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import Finding, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_percent, format_rate
from flashscope.workloads.steps import Idle, Step, Trim, Workload

_NIGHT_NS = PerTimeCost.by_clock(600 * SECOND_NS, free=8 * 3600 * SECOND_NS)
_LEAST_EXTENT = PerTimeCost.by_clock(Extent.FULL, free=Extent.STANDARD)  # it wears a real drive
_DAY_BYTES, _DAY_DRIVE_BYTES = 20e9, 512.11e9
_UPDATE_SHARES = {4: 0.01, 64: 0.04}  # KiB of a request -> of the bytes of a day
_KIB = 1024

YEAR = "after 1 year, 95 % full, CDM 1000 MB"
YEAR_LARGE = "after 1 year, 95 % full, CDM 4000 MB"
SIX_DAYS = "six days later, 40 GB deleted, 87 % full, CDM 1000 MB"
FIVE_MONTHS = "5 months later, 93 % full, CDM 1000 MB"
NINE_MONTHS = "9 months later, 62 % full, CDM 1000 MB"
_FULL_AT = {YEAR: 0.95, YEAR_LARGE: 0.95, SIX_DAYS: 0.87, FIVE_MONTHS: 0.93, NINE_MONTHS: 0.62}


class AgeingDiary:
    """Finds whether age or state sets the figures: the same drive at four dates and four fill levels.

    passes, preparing: of each mark, as in `fill_and_recovery`.
    """

    name = "ageing-diary"
    title = "A diary of ageing"
    question = "What are the figures after a year of use, and do they follow the drive's age or how full it is?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"used_state", "ageing"})
    needs = Needs(
        Capability.SOLID_STATE, Capability.BARE, writes=True, least_bytes=64 * MIB, least_extent=_LEAST_EXTENT
    )

    def __init__(self, passes: int = 1, *, preparing: bool = False) -> None:
        self._marking = replace(MARKING_3, passes=passes, preparing=preparing)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The diary; on a real drive in full only, and never on files, since a file does not age."""
        if self.needs.missing(facts, effort):
            return []
        sizes = Sizes.of(facts.user_bytes)
        life = _Life(facts)

        def mark(condition: str, size: int = sizes.small) -> list[Step]:
            # After the end of the owner's files: the free room.
            file = TestFile(min(life.end_bytes, (facts.user_bytes - size) // MIB * MIB), size)
            steps = crystal_disk_mark_3(condition, file, self._marking)
            return [*steps, *([Trim(shown(condition, "deleted"), file.offset_bytes, size)] if facts.can_trim else [])]

        steps = [
            *first_state(facts, "first state"),
            *mark("new, CDM 1000 MB"),
            *first_state(facts, "first state again"),
            filled(facts, "the year laid out", fill_ratio=0.95, overwritten=True, seed=365),
        ]
        life.end_bytes = whole_requests(round(0.95 * facts.user_bytes), MIB)
        steps += [*life.day("the last day of the year"), *mark(YEAR), *mark(YEAR_LARGE, sizes.large)]
        steps += [*life.grows_to("40 GB deleted", 0.87), *life.day("one of six days"), *mark(SIX_DAYS)]
        steps += [*life.grows_to("filled again", 0.93), *life.day("a day of 5 months"), *mark(FIVE_MONTHS)]
        steps += [*life.grows_to("much deleted", 0.62), *life.day("a day of 9 months"), *mark(NINE_MONTHS)]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """aged_ratio_METRIC after the year, and whether the best later date is a fuller or an emptier one."""
        marks = all_marks(record)
        doubts = doubts_of_start(record)
        new, aged = marks.get("new, CDM 1000 MB", {}), marks.get(YEAR, {})
        if not new or not aged:
            statement = "Nothing can be said about ageing: the run did not reach the end of the year of use."
            return [Finding("aged_ratio_rand_write_512k", statement, None, "ratio", doubts=doubts)]
        details: dict[str, Any] = {"marks": marks, "full_at_ratio": _FULL_AT}
        findings = []
        for metric in ("seq_write", "rand_write_512k", "rand_write_4k", "seq_read", "rand_read_4k"):
            if new.get(metric) and metric in aged:
                ratio = aged[metric] / new[metric]
                statement = (
                    f"After a year of use, 95 % full: {metric.replace('_', ' ')} at {format_rate(aged[metric])}, "
                    f"{format_percent(ratio)} of new."
                )
                evidence = (f"new, CDM 1000 MB: {metric} pass 1", f"{YEAR}: {metric} pass 1")
                own = details if metric == "rand_write_512k" else {}
                key = f"aged_ratio_{metric}"
                findings.append(Finding(key, statement, ratio, "ratio", evidence=evidence, doubts=doubts, details=own))
        return [*findings, *_state_or_age(marks)]


class _Life:
    """The owner's days on a drive. end_bytes: his files lie from address 0 to here."""

    def __init__(self, facts: DriveFacts) -> None:
        self._facts = facts
        self.end_bytes = 0
        self._seed = 1

    def grows_to(self, name: str, full_ratio: float) -> list[Step]:
        """Files written at the end, or deleted from it, until the drive is that full."""
        before, after = self.end_bytes, whole_requests(round(full_ratio * self._facts.user_bytes), MIB)
        self.end_bytes = after
        if after > before:
            job = sequential_writes("new-files", request_bytes=MIB, offset_bytes=before, size_bytes=after - before)
            return [Workload(name, (job,), 10 * SECOND_NS, after - before, 0)]
        return [Trim(name, after, before - after)] if self._facts.can_trim else []

    def day(self, name: str) -> list[Step]:
        """A day of updates, new files and deletions, and a night after it."""
        day_bytes = _DAY_BYTES * self._facts.user_bytes / _DAY_DRIVE_BYTES
        new = max(whole_requests(round((1 - sum(_UPDATE_SHARES.values())) * day_bytes), MIB), MIB)
        files = sequential_writes("new-files", request_bytes=MIB, offset_bytes=self.end_bytes - new, size_bytes=new)
        jobs = [replace(files, group=0)]
        for size_kib, share in _UPDATE_SHARES.items():
            size = size_kib * _KIB
            updates = random_writes(
                f"updates-{size_kib}k",
                request_bytes=size,
                grid_bytes=size,
                size_bytes=whole_requests(self.end_bytes, size),
                io_bytes=max(whole_requests(round(share * day_bytes), size), size),
                queue_depth=4,
                seed=self._next_seed(),
            )
            jobs.append(replace(updates, group=len(jobs)))
        total = sum(job.io_bytes or job.size_bytes for job in jobs)
        night_ns = self._facts.per_time(_NIGHT_NS)
        steps: list[Step] = []
        if self._facts.can_trim:
            steps.append(Trim(f"{name}: old files deleted", self.end_bytes - new, new))
        return [
            *steps,
            Workload(f"{name}: use", tuple(jobs), 60 * SECOND_NS, total, 0),
            Idle(f"{name}: night", night_ns),
        ]

    def _next_seed(self) -> int:
        self._seed += 1
        return 5000 + self._seed


def _state_or_age(marks: dict[str, dict[str, float]]) -> list[Finding]:
    """Whether 512 KiB random writes are slowest at the last date, or where the drive is fullest."""
    metric = "rand_write_512k"
    dated = [(name, marks[name][metric]) for name in (YEAR, SIX_DAYS, FIVE_MONTHS, NINE_MONTHS) if name in marks]
    dated = [(name, rate) for name, rate in dated if rate]
    if len(dated) < 4:
        return []
    slowest, fastest = min(dated, key=lambda pair: pair[1]), max(dated, key=lambda pair: pair[1])
    evidence = tuple(f"{name}: {metric} pass 1" for name, _ in dated)
    key = "figures_follow"
    if fastest[1] < 1.15 * slowest[1]:
        statement = (
            "Neither the drive's age nor how full it is changes the rate of 512 KiB random writes by more than 15 %."
        )
        return [Finding(key, statement, "neither", "", evidence=evidence)]
    state = _FULL_AT[fastest[0]] < _FULL_AT[slowest[0]]
    statement = (
        f"512 KiB random writes run at {format_rate(slowest[1])} when {format_percent(_FULL_AT[slowest[0]])} full and "
        f"at {format_rate(fastest[1])} when {format_percent(_FULL_AT[fastest[0]])} full: "
        + (
            "the rate depends on how full the drive is, not on its age."
            if state
            else "the rate does not follow how full the drive is."
        )
    )
    return [Finding(key, statement, "state" if state else "other", "", evidence=evidence)]
