"""Bursts into an idle drive, and bursts after short gaps: the write buffer. DESTRUCTIVE.

    secure erase (where possible): the flash at its best, no collection in the way
    for requests of 1 MiB ... 8 KiB, one at a time:   idle 3 s | short burst, fine rows | idle 3 s | long burst
    paced:  bursts of 64 KiB with a pause after each, so that the flash lags behind less
    gaps:   fill the buffer | gap 20 ms | burst | gap 50 ms | burst | ... | gap 5 s | burst
    used:   the drive full and overwritten, then the same with 4 KiB at random: its flash is slow then, and this shows a
            buffer that sequential writes cannot fill
    the document's own:   4 KiB at random in a file of 50 MB; in 1000 MB at queue depth 32, 10 s after other load

Three seconds of idleness: buffers are written out within one or two, collection in idle time begins later.
Analysis: `analysis/write_buffer.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from flashscope.analysis.write_buffer import BufferEstimate, Burst, estimate_buffer, fit_burst, gap_drain_rate
from flashscope.experiments.advice import further
from flashscope.experiments.states import doubts_of_start, filled, first_state
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import NO_LABELS, Doubt, Finding, Labels, Record, StepRecord
from flashscope.records.abstention import could_not_tell, visible
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_rate, format_time
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, Step, Workload

_KIB = 1024
_BURST, _GAP, _SETTLING, _DOCUMENT = "burst", "gap", "settling", "document"  # roles
_FRESH, _USED = "fresh", "used"  # the label "state"
_REST_NS = 3 * SECOND_NS
_KEEPS_UP = "the flash keeps up with single requests, which hides a buffer of any size"
_MS = 1_000_000
_GAPS_NS = tuple(gap * _MS for gap in (20, 50, 100, 200, 500, 1000, 2000, 5000))
_FINE_BYTES, _FINE_ROW_NS = 32 * MIB, 100_000
_COARSE_ROW_NS = 2 * _MS
_PACES_BYTES_PER_SECOND = (1_000_000_000, 500_000_000, 250_000_000, 120_000_000, 60_000_000)
_ALIKE_RATIO = 1.15
_BURST_SHARE, _LEAST_BURST_BYTES = 1 / 24, 32 * MIB  # of what may be written: there are some twenty bursts
_RUNTIME_NS = PerTimeCost.by_clock(20 * SECOND_NS, free=0)
_SMALL_FILE = "4 KiB random write, 50 MB test file"
_DEEP_ALONE = "4 KiB random write QD32 alone, 10 s after other load"
_DOCUMENT_RUNTIME_NS = 6 * SECOND_NS


class WriteBuffer:
    """Finds how much a drive takes at once, how fast the buffer drains, and what happens when it is full."""

    name = "write-buffer"
    title = "Write buffer"
    question = "How much does the drive take at buffer speed, how fast does it drain, and what does it do when full?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"write_buffer"})
    needs = Needs(Capability.SOLID_STATE, writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Bursts after idleness, bursts after gaps, the document's two conditions; in full also on a used drive."""
        if self.needs.missing(facts, effort):
            return []
        long_bytes = effort.at_most(effort.choose(128 * MIB, 512 * MIB, 1024 * MIB), _BURST_SHARE)
        if long_bytes < min(_LEAST_BURST_BYTES, facts.user_bytes // 8):
            return []
        sizes = effort.choose((1024, 64, 8), (1024, 256, 64, 16, 8), (1024, 512, 256, 128, 64, 32, 16, 8))
        steps = first_state(facts, "first state")
        for size_kib in sizes:
            request = max(size_kib * _KIB, facts.sector_bytes)
            for words, total, row_ns in (("short", _FINE_BYTES, _FINE_ROW_NS), ("long", long_bytes, _COARSE_ROW_NS)):
                if _room(facts, total, request) >= 16 * request:
                    name = f"burst {words} {format_bytes_binary(request)}"
                    labels = Labels.of(_BURST, state=_FRESH, extent=words)
                    steps += [
                        Idle(f"idle before {name}", _REST_NS),
                        _burst(name, facts, request, total, row_ns, labels),
                    ]
        if effort.extent is not Extent.QUICK:
            steps += _paced_steps(facts, 2 * long_bytes)
        steps += _gap_steps(facts, long_bytes // 2)
        if effort.extent is not Extent.QUICK:
            steps += _document_steps(facts)
        if facts.can_secure_erase and effort.extent is Extent.FULL:
            steps += _used_steps(facts, 256 * MIB)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """write_buffer_bytes, drain_rate_bytes_per_second, full_buffer_behaviour, idle_gap_for_full_burst_ns."""
        doubts = list(doubts_of_start(record))
        fresh = _estimate(record, _FRESH)
        used = _used_estimate(record) if fresh is None or fresh.buffer_bytes is None else None
        estimate = used if used is not None and used.buffer_bytes is not None else fresh
        state = _USED if estimate is used else _FRESH
        evidence = tuple(step.name for step in record.steps if step.labels.word("state") == state and step.workload)
        if estimate is None:
            statement = "Nothing can be said about a write buffer: no burst was measured."
            untold = could_not_tell("no burst was measured")
            return [
                Finding(
                    "write_buffer_bytes",
                    statement,
                    None,
                    "bytes",
                    evidence=evidence,
                    doubts=tuple(doubts),
                    details=untold,
                )
            ]
        if estimate.keeps_up:
            message = "the flash takes writes as fast as single requests bring them, so nothing ever waits in a buffer"
            otherwise = "compare bursts with long writes in sustained-sequential-write"
            advice = (
                further(record, otherwise, more="where a used drive is slower than its link", only_full=True)
                if record.drive_facts.can_secure_erase
                else otherwise
            )
            doubts.append(Doubt("CacheInTheWay", message, advice))
        curve = _gap_curve(record)
        details = _details(record, estimate, curve)
        findings = [_size(estimate, evidence, tuple(doubts), details)]
        if estimate.buffer_bytes is None:
            return findings
        return [
            *findings,
            _drain(estimate, curve, evidence),
            _when_full(estimate, evidence),
            *_regained(estimate, curve),
        ]


def _room(facts: DriveFacts, total: int, request: int) -> int:
    return whole_requests(min(total, facts.user_bytes // 4), request)


def _burst(name: str, facts: DriveFacts, request: int, total: int, row_ns: int, labels: Labels) -> Workload:
    amount = _room(facts, total, request)
    job = sequential_writes(
        name.replace(" ", "-").replace(":", ""),
        request_bytes=request,
        size_bytes=amount,
        runtime_ns=facts.per_time(_RUNTIME_NS),
        queue_depth=1,
    )
    return Workload(name, (job,), row_ns, amount, 0, labels=labels)


def _paced_steps(facts: DriveFacts, total: int) -> list[Step]:
    """Bursts of _PACES on a drive that answers at once: on most drives one or two are just above the flash rate."""
    request = 64 * _KIB
    steps: list[Step] = []
    if _room(facts, total, request) < 64 * request:
        return steps
    for pace in _PACES_BYTES_PER_SECOND:
        name = f"burst paced {format_rate(pace)}"
        step = _burst(name, facts, request, total, _COARSE_ROW_NS, Labels.of(_BURST, state=_FRESH, extent="paced"))
        job = replace(step.jobs[0], thinktime_ns=request * SECOND_NS // pace)
        steps += [Idle(f"idle before {name}", _REST_NS), replace(step, jobs=(job,))]
    return steps


def _gap_steps(facts: DriveFacts, total: int) -> list[Step]:
    request = 64 * _KIB
    if _room(facts, total, request) < 64 * request:
        return []
    steps: list[Step] = [_burst("gap none", facts, request, total, _COARSE_ROW_NS, Labels.of(_GAP, gap_ns=0))]
    for gap_ns in _GAPS_NS:
        words = format_time(gap_ns)
        labels = Labels.of(_GAP, gap_ns=gap_ns)
        steps += [Idle(f"idle {words}", gap_ns), _burst(f"gap {words}", facts, request, total, _MS, labels)]
    return steps


def _small_writes(
    name: str, facts: DriveFacts, span: int, depth: int, seed: int, labels: Labels = NO_LABELS
) -> Workload:
    request = max(4096, facts.sector_bytes)
    span = whole_requests(min(span, facts.user_bytes // 4), request)
    job = random_writes(
        "small-writes",
        request_bytes=request,
        grid_bytes=request,
        size_bytes=span,
        io_bytes=4 << 30,
        runtime_ns=_DOCUMENT_RUNTIME_NS,
        queue_depth=depth,
        seed=seed,
    )
    return Workload(name, (replace(job, time_based=True),), 100 * _MS, 4 << 30, 0, labels=labels)


def _document_steps(facts: DriveFacts) -> list[Step]:
    """The two conditions of the document on the Toshiba HG3."""
    request = MIB if facts.user_bytes > 256 * MIB else 64 * _KIB
    small, deep = (Labels.of(_DOCUMENT, condition=condition) for condition in (_SMALL_FILE, _DEEP_ALONE))
    return [
        _burst(f"{_SMALL_FILE}: file", facts, request, 50 * MIB, 10 * _MS, NO_LABELS),
        Idle(f"{_SMALL_FILE}: idle", _REST_NS),
        _small_writes(f"{_SMALL_FILE}: rand_write_4k", facts, 50 * MIB, 1, 11, small),
        _small_writes(f"{_DEEP_ALONE}: other load", facts, 1000 * MIB, 1, 12),
        Idle(f"{_DEEP_ALONE}: idle", 10 * SECOND_NS),
        _small_writes(f"{_DEEP_ALONE}: rand_write_4k_qd32", facts, 1000 * MIB, 32, 13, deep),
    ]


def _used_steps(facts: DriveFacts, total: int) -> list[Step]:
    """4 KiB at random on a full and overwritten drive, after idle time too short for collection to begin."""
    request = max(4096, facts.sector_bytes)
    overwritten = filled(facts, "used: overwritten", overwritten=True, labels=Labels.of("overwritten", state=_USED))
    steps = [*first_state(facts, "used: first state"), overwritten]
    amount = whole_requests(min(total, facts.user_bytes // 8), request)
    for number in range(1, 4):
        job: Job = random_writes(
            f"used-{number}",
            request_bytes=request,
            grid_bytes=request,
            size_bytes=whole_requests(facts.user_bytes, request),
            io_bytes=amount,
            runtime_ns=facts.per_time(_RUNTIME_NS),
            seed=20 + number,
        )
        # The first one brings the drive to its pace.
        name = "used: settling" if number == 1 else f"used: burst {number - 1}"
        role, family = (_SETTLING, "") if number == 1 else (_BURST, "used: burst")
        labels = Labels.of(role, state=_USED, family=family)
        steps += [Workload(name, (job,), 5 * _MS, amount, 0, labels=labels), Idle(f"used: idle after {name}", _REST_NS)]
    return steps


def _as_burst(step: StepRecord) -> Burst | None:
    result = step.workload
    histogram = result.latency.get("write") if result else None
    if result is None or histogram is None or not histogram.total or not len(result.series):
        return None
    job = step.parameters["jobs"][0]
    ends = np.asarray(result.series["elapsed_ns"], dtype=float) / SECOND_NS
    return Burst(
        int(job["write_sizes"]["weighted"][0][0]),
        float(np.median(np.diff(ends))) if len(ends) > 1 else float(ends[0]),
        ends,
        np.asarray(result.series["written_bytes"], dtype=float),
        histogram.min_ns / SECOND_NS,
        histogram.max_ns / SECOND_NS,
        job.get("thinktime_ns", 0) / SECOND_NS,
    )


def _estimate(record: Record, state: str) -> BufferEstimate | None:
    bursts, busy_until_ns = [], None
    for step in record.steps:
        labels = step.labels
        burst = _as_burst(step) if labels.word("state") == state and labels.role != _SETTLING else None
        if burst is not None:
            rest_s = np.inf if busy_until_ns is None else (step.started_ns - busy_until_ns) / SECOND_NS
            bursts.append(replace(burst, rest_s=rest_s))
        if step.workload is not None:
            busy_until_ns = step.ended_ns
    try:
        return estimate_buffer(bursts)
    except ValueError:
        return None


def _used_estimate(record: Record) -> BufferEstimate | None:
    """From the used drive, if both bursts hold and drain alike: a drive whose pace still changes shows nothing."""
    bursts = [burst for step in record.steps_with(_BURST, state=_USED) if (burst := _as_burst(step))]
    fits = [fit for burst in bursts if (fit := fit_burst(burst)) is not None]
    if len(fits) < 2:
        return None
    alike = all(
        max(values) < _ALIKE_RATIO * min(values)
        for values in ([fit.held_bytes for fit in fits], [fit.slow for fit in fits])
    )
    return _estimate(record, _USED) if alike else None


def _gap_curve(record: Record) -> list[tuple[float, float, str]]:
    """(gap [s], room regained in it [bytes], step name), in order; the gap as measured, not as requested."""
    curve = []
    busy_until_ns = None
    for step in record.steps_with(_GAP):
        if step.workload is None:
            continue
        burst = _as_burst(step)
        fit = fit_burst(burst) if burst is not None else None
        if busy_until_ns is not None and fit is not None:
            curve.append(((step.started_ns - busy_until_ns) / SECOND_NS, max(fit.held_bytes, 0.0), step.name))
        busy_until_ns = step.ended_ns
    return curve


def _rate_of(record: Record, condition: str) -> float | None:
    step = record.step_with(_DOCUMENT, condition=condition)
    if step is None or step.workload is None or not step.workload.duration_ns:
        return None
    return step.workload.totals.get("written_bytes", 0) * SECOND_NS / step.workload.duration_ns


def _details(record: Record, estimate: BufferEstimate, curve: list[tuple[float, float, str]]) -> dict[str, Any]:
    conditions = {condition: _rate_of(record, condition) for condition in (_SMALL_FILE, _DEEP_ALONE)}
    return {
        "bursts": [
            {
                "request_bytes": fit.request_bytes,
                "fast_bytes_per_second": fit.fast,
                "slow_bytes_per_second": fit.slow,
                "held_bytes": fit.held_bytes,
                "knee_bytes": fit.knee_bytes,
            }
            for fit in estimate.fits
        ],
        "gaps": [{"gap_ns": gap * SECOND_NS, "room_bytes": room} for gap, room, _ in curve],
        "draining_begins_at_bytes": estimate.begins_bytes,
        "detection_limit_bytes": estimate.limit_bytes,
        "keeps_up": estimate.keeps_up,
        "conditions_bytes_per_second": conditions,
    }


def _size(
    estimate: BufferEstimate, evidence: tuple[str, ...], doubts: tuple[Doubt, ...], details: dict[str, Any]
) -> Finding:
    if estimate.buffer_bytes is None:
        if estimate.keeps_up or not math.isfinite(estimate.limit_bytes):
            statement = f"Could not tell whether there is a write buffer, because {_KEEPS_UP}."
            details = details | could_not_tell(_KEEPS_UP)
        else:
            why = f"a buffer of {format_bytes_binary(estimate.limit_bytes)} or more would have been seen"
            statement = f"No write buffer is seen; {why}. Do not count on bursts being faster than long writes."
            details = details | visible(least=estimate.limit_bytes)
        return Finding(
            "write_buffer_bytes", statement, None, "bytes", evidence=evidence, doubts=doubts, details=details
        )
    statement = (
        f"About {format_bytes_binary(estimate.buffer_bytes)} are taken at the speed of the link before the "
        f"flash limits the rate ({format_rate(estimate.drain_rate)}): writes in bursts up to that size feel fast."
    )
    return Finding(
        "write_buffer_bytes",
        statement,
        round(estimate.buffer_bytes),
        "bytes",
        estimate.low_bytes,
        estimate.high_bytes,
        evidence=evidence,
        doubts=doubts,
        details=details,
    )


def _drain(estimate: BufferEstimate, curve: list[tuple[float, float, str]], evidence: tuple[str, ...]) -> Finding:
    key, size = "drain_rate_bytes_per_second", estimate.buffer_bytes or 0.0
    gaps, rooms = [gap for gap, _, _ in curve], [room for _, room, _ in curve]
    # The gaps of a drive that stalls begin in the middle of a pause or of a burst, and do not show the rate.
    slope = None if estimate.stalls else gap_drain_rate(gaps, rooms, size)
    rates = [fit.slow for fit in estimate.fits]
    details = {"by_gaps": slope, "by_bursts": estimate.drain_rate}
    words = "" if slope is None else f"; idle gaps give {format_rate(slope)}"
    statement = f"A full buffer drains at {format_rate(estimate.drain_rate)}{words}: no faster rate lasts."
    return Finding(
        key, statement, estimate.drain_rate, "bytes/s", min(rates), max(rates), evidence=evidence, details=details
    )


def _when_full(estimate: BufferEstimate, evidence: tuple[str, ...]) -> Finding:
    if estimate.stalls:
        pause = (estimate.buffer_bytes or 0.0) / max(estimate.drain_rate, 1.0)
        statement = (
            f"A full buffer takes nothing until most of it has drained: expect pauses of up to "
            f"{format_time(round(pause * SECOND_NS))} under long writes."
        )
        return Finding("full_buffer_behaviour", statement, "until-drained", "", evidence=evidence)
    statement = (
        "A full buffer takes each write as soon as there is room: long writes are slowed evenly, without pauses."
    )
    return Finding("full_buffer_behaviour", statement, "until-room", "", evidence=evidence)


def _regained(estimate: BufferEstimate, curve: list[tuple[float, float, str]]) -> list[Finding]:
    """The shortest gap after which a burst is fast again over nine tenths of the buffer."""
    whole = max((room for _, room, _ in curve), default=0.0)
    if not curve or whole < 0.5 * (estimate.buffer_bytes or 0.0):
        return []
    index = next(index for index, (_, room, _) in enumerate(curve) if room >= 0.9 * whole)
    gap, before = curve[index][0], curve[index - 1][0] if index else 0.0
    statement = f"After {format_time(round(gap * SECOND_NS))} without writes the buffer takes a whole burst again."
    evidence = tuple(name for _, _, name in curve)
    key = "idle_gap_for_full_burst_ns"
    return [
        Finding(key, statement, round(gap * SECOND_NS), "ns", before * SECOND_NS, gap * SECOND_NS, evidence=evidence)
    ]
