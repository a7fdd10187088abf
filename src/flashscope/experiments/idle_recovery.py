"""Pauses from one second to minutes, a burst of random writes after each: what comes back in idle time. DESTRUCTIVE.

    secure erase (where possible) | fill, overwrite at random | write until tired
    burst | calm | idle 1.0 s | reads | burst | calm | idle 1.15 s | reads | ...   each pause 15 % longer than the last

Calm: a small read now and then, and a flush. It lets a full write buffer drain at the pace of a tired drive, which may
take longer than the pause in question, and keeps the drive from being idle meanwhile. So every burst finds the buffer
empty, and longer pauses add only free blocks. As the pauses grow, each burst uses up the blocks that were free.
A few reads end each pause: they wait when the drive is at work, so they see slow work begin long before it helps.
Bursts of 64 KiB at random: large enough to be quick, scattered enough that every block they take must be collected.
Analysis: `analysis/idle_recovery.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flashscope.analysis.idle_recovery import Recovery, recovery
from flashscope.experiments.advice import further
from flashscope.experiments.states import doubts_of_start, filled, first_state
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record
from flashscope.records.abstention import could_not_tell, visible
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_percent, format_rate, format_time
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Idle, Step, Workload

WHOLE_BURST = "whole_burst_ns"
"""Among the details of the delay: the rest that brings a burst back to its full rate [ns]."""

_KIB = 1024
_READS_AFTER, _BURST = "reads after a pause", "burst after a pause"  # roles
_REQUEST = 64 * _KIB
_RUNTIME_NS = PerTimeCost.by_clock(60 * SECOND_NS, free=0)
_FIRST_PAUSE_NS = SECOND_NS
_CALM_NS = PerTimeCost(free=40 * SECOND_NS, own=10 * SECOND_NS, shared=2 * SECOND_NS)
_CALM_EVERY_NS = SECOND_NS // 20
_READS = 32


class IdleRecovery:
    """Finds how long a drive must rest before it begins to recover, and how fast it then does."""

    name = "idle-recovery"
    title = "Recovery in idle time"
    question = "After how long a pause does the drive begin to collect, and how much speed comes back?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"idle_work"})
    needs = Needs(Capability.SOLID_STATE, writes=True, quick_fills=1.5)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Bursts after growing pauses on a drive that was tired out."""
        if self.needs.missing(facts, effort):
            return []
        span = whole_requests(facts.user_bytes, _REQUEST)
        amount = whole_requests(max(min(256 * MIB, facts.user_bytes // 128), 16 * _REQUEST), _REQUEST)
        tire = whole_requests(max(min(2048 * MIB, facts.user_bytes // 16), amount), _REQUEST)
        steps = first_state(facts, "first state")
        steps.append(filled(facts, "overwritten", overwritten=True, effort=effort))
        tired = Labels.of("tiring")
        steps += [
            _burst(facts, "tired out", span, tire, 1, tired),
            _burst(facts, "tired burst", span, amount, 2, tired),
        ]
        for number, pause_ns in enumerate(_pauses_ns(effort)):
            words = f"{number + 1} after {pause_ns / SECOND_NS:.2f} s"
            steps += [
                _calm(facts, f"calm before {words}"),
                Idle(f"idle {words}", pause_ns),
                _reads(facts, f"reads {words}", number),
                _burst(facts, f"burst {words}", span, amount, 3 + number, Labels.of(_BURST, number=number + 1)),
            ]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """idle_collection_delay_ns, idle_recovery_rate_bytes_per_second, idle_recovered_ratio."""
        bursts = _bursts(record)
        doubts = doubts_of_start(record)
        evidence = tuple(burst.name for burst in bursts)
        reads_s = [burst.read_s for burst in bursts if burst.read_s is not None]
        try:
            found = recovery(
                [burst.pause_s for burst in bursts],
                [burst.rate for burst in bursts],
                bursts[0].written_bytes if bursts else 0,
                reads_s if len(reads_s) == len(bursts) else (),
            )
        except ValueError:
            statement = "Nothing can be said about recovery in idle time: too few bursts were measured."
            key, details = "idle_collection_delay_ns", could_not_tell("too few bursts were measured")
            return [Finding(key, statement, None, "ns", evidence=evidence, doubts=doubts, details=details)]
        delay = _delay(found, evidence, doubts)
        if found.bytes_per_second is None:
            return [delay]
        advice = further(record, "take the rate as the least possible", more="with pauses closer together")
        return [delay, _speed(found, evidence, advice), _gain(found, evidence)]


def _pauses_ns(effort: Effort) -> list[int]:
    ratio, longest_s = effort.choose((1.4, 90.0), (1.15, 300.0), (1.12, 900.0))
    pauses, pause_s = [], _FIRST_PAUSE_NS / SECOND_NS
    while pause_s <= longest_s:
        pauses.append(round(pause_s * 1000) * (SECOND_NS // 1000))
        pause_s *= ratio
    return pauses


def _burst(facts: DriveFacts, name: str, span: int, amount: int, seed: int, labels: Labels) -> Workload:
    job = random_writes(
        name.replace(" ", "-"),
        request_bytes=_REQUEST,
        grid_bytes=_REQUEST,
        size_bytes=span,
        io_bytes=amount,
        runtime_ns=facts.per_time(_RUNTIME_NS),
        queue_depth=4,
        seed=seed,
    )
    return Workload(name, (job,), SECOND_NS // 10, amount, 0, labels=labels)


def _calm(facts: DriveFacts, name: str) -> Workload:
    """A read every 50 ms, a flush, and reads for a second more, so that the pause begins with a read."""
    runtime_ns = facts.per_time(_CALM_NS)
    calm = _small_reads(facts, "calm", runtime_ns // _CALM_EVERY_NS, seed=7)
    after = _small_reads(facts, "after-the-flush", SECOND_NS // _CALM_EVERY_NS, seed=8)
    jobs = (
        replace(calm, runtime_ns=runtime_ns, thinktime_ns=_CALM_EVERY_NS, end_fsync=True),
        replace(after, runtime_ns=SECOND_NS, thinktime_ns=_CALM_EVERY_NS, group=1),
    )
    return Workload(name, jobs, runtime_ns, 0, calm.io_bytes + after.io_bytes)


def _reads(facts: DriveFacts, name: str, number: int) -> Workload:
    job = _small_reads(facts, "reads", _READS, seed=1000 + number)
    labels = Labels.of(_READS_AFTER, number=number + 1)
    return Workload(name, (job,), SECOND_NS // 10, 0, job.io_bytes, labels=labels)


def _small_reads(facts: DriveFacts, name: str, count: int, seed: int) -> Job:
    size = max(4096, facts.sector_bytes)
    return Job(
        name,
        "randread",
        read_sizes=BlockSizes(weighted=((size, 100.0),), align_bytes=size),
        size_bytes=whole_requests(facts.user_bytes, size),
        io_bytes=count * size,
        random_map=False,
        seed=seed,
    )


@dataclass(frozen=True)
class _Burst:
    """pause_s: before it, as it was. rate [bytes/s]. read_s: mean time of the reads between [s], None without any."""

    pause_s: float
    rate: float
    written_bytes: float
    read_s: float | None
    name: str


def _bursts(record: Record) -> list[_Burst]:
    found, quiet_since_ns, read_s, pause_s = [], None, None, None
    for step in record.steps:
        if step.workload is None:
            continue
        if step.labels.role == _READS_AFTER and quiet_since_ns is not None:
            histogram = step.workload.latency.get("read")
            read_s = histogram.mean_ns / SECOND_NS if histogram is not None and histogram.total else None
            pause_s = (step.started_ns - quiet_since_ns) / SECOND_NS
            continue
        written = step.workload.totals.get("written_bytes", 0)
        if step.labels.role == _BURST and written and quiet_since_ns is not None:
            rate = written * SECOND_NS / max(step.workload.duration_ns, 1)
            pause = pause_s if pause_s is not None else (step.started_ns - quiet_since_ns) / SECOND_NS
            found.append(_Burst(pause, rate, float(written), read_s, step.name))
        quiet_since_ns, read_s, pause_s = step.ended_ns, None, None
    return found


def _delay(found: Recovery, evidence: tuple[str, ...], doubts: tuple[Doubt, ...]) -> Finding:
    details = {
        "pauses_ns": [pause * SECOND_NS for pause in found.pauses_s],
        "recovered_ratio": list(found.shares),
        "tired_bytes_per_second": found.tired,
        "recovered_bytes_per_second": found.recovered,
        "detection_limit_ratio": found.limit_ratio - 1,
    }
    key = "idle_collection_delay_ns"
    longest = format_time(round(found.pauses_s[-1] * SECOND_NS))
    if found.delay_s is None and found.chance:
        gain, least = (format_percent(max(one - 1, 0)) for one in (found.recovered / found.tired, found.limit_ratio))
        statement = (
            f"Could not tell whether waiting helps: after pauses of up to {longest} bursts gained up to {gain}, which "
            f"may be chance; a gain of {least} would not be."
        )
        details |= could_not_tell("bursts differ by as much without any pause")
        return Finding(key, statement, None, "ns", evidence=evidence, doubts=doubts, details=details)
    if found.delay_s is None:
        statement = (
            f"Pauses of up to {longest} bring nothing back: a gain of {format_percent(found.limit_ratio - 1)} would "
            "have been seen. Leave free space, or TRIM, instead of waiting; longer pauses were not tried."
        )
        details |= visible(most=found.pauses_s[-1] * SECOND_NS)
        return Finding(key, statement, None, "ns", evidence=evidence, doubts=doubts, details=details)
    whole = (
        ""
        if found.whole_s is None
        else f", and {format_time(round(found.whole_s * SECOND_NS))} bring a burst back to its full rate"
    )
    begins = f"after {format_time(round(found.delay_s * SECOND_NS))} of idleness"
    statement = f"The drive begins to recover {begins}{whole}."
    if found.bytes_per_second is None:
        statement = (
            f"The drive begins to work {begins}, as reads have to wait then; pauses of up to {longest} make bursts no"
            " faster."
        )
    elif found.whole_s is not None:
        details[WHOLE_BURST] = round(found.whole_s * SECOND_NS)
    return Finding(
        key,
        statement,
        round(found.delay_s * SECOND_NS),
        "ns",
        found.low_s * SECOND_NS,
        found.high_s * SECOND_NS,
        evidence=evidence,
        doubts=doubts,
        details=details,
    )


def _speed(found: Recovery, evidence: tuple[str, ...], advice: str) -> Finding:
    """advice: what to do where only the least possible rate is known."""
    rate = found.bytes_per_second or 0.0
    doubts: tuple[Doubt, ...] = ()
    if found.at_least:
        message = "a burst was fully back before a second pause could show a part of the recovery"
        doubts = (Doubt("TooFewSamples", message, advice),)
    words = "at least " if found.at_least else ""
    statement = f"After that, each second of idleness frees {words}{format_rate(rate)[:-2]} for the next burst."
    return Finding("idle_recovery_rate_bytes_per_second", statement, rate, "bytes/s", evidence=evidence, doubts=doubts)


def _gain(found: Recovery, evidence: tuple[str, ...]) -> Finding:
    gain = found.recovered / found.tired
    statement = (
        f"A rested drive takes random writes at {format_rate(found.recovered)}, {gain:.1f} times the "
        f"{format_rate(found.tired)} of a tired one."
    )
    return Finding("idle_recovery_gain", statement, gain, "", evidence=evidence)
