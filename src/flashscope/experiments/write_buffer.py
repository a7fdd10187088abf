"""Bursts into an idle drive, and bursts after short gaps: the write buffer. DESTRUCTIVE.

    secure erase (where possible): the flash at its best, no collection in the way
    bursts after idleness, paced bursts, bursts after gaps, the document's own loads    (`write_buffer_bursts.py`)
    in full: the drive full and overwritten, then bursts again

Analysis: `analysis/write_buffer.py`; what is said: `write_buffer_findings.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flashscope.analysis.write_buffer import BufferEstimate, Burst, estimate_buffer, fit_burst
from flashscope.experiments.advice import further
from flashscope.experiments.states import doubts_of_start, first_state
from flashscope.experiments.streams import MIB, SECOND_NS
from flashscope.experiments.write_buffer_bursts import (
    BURST,
    DEEP_ALONE,
    DOCUMENT,
    FRESH,
    GAP,
    SETTLING,
    SMALL_FILE,
    USED,
    document_steps,
    fresh_steps,
    gap_steps,
    paced_steps,
    used_steps,
)
from flashscope.experiments.write_buffer_findings import GapCurve, drain_of, regained, size_of, when_full
from flashscope.records import Doubt, Finding, Record, StepRecord
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.workloads.steps import Step

_ALIKE_RATIO = 1.15
_BURST_SHARE, _LEAST_BURST_BYTES = 1 / 24, 32 * MIB  # of what may be written: there are some twenty bursts


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
        steps = [*first_state(facts, "first state"), *fresh_steps(facts, effort, long_bytes)]
        if effort.extent is not Extent.QUICK:
            steps += paced_steps(facts, 2 * long_bytes)
        steps += gap_steps(facts, long_bytes // 2)
        if effort.extent is not Extent.QUICK:
            steps += document_steps(facts)
        if facts.can_secure_erase and effort.extent is Extent.FULL:
            steps += used_steps(facts, 256 * MIB)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """write_buffer_bytes, drain_rate_bytes_per_second, full_buffer_behaviour, idle_gap_for_full_burst_ns."""
        doubts = list(doubts_of_start(record))
        fresh = _estimate(record, FRESH)
        used = _used_estimate(record) if fresh is None or fresh.buffer_bytes is None else None
        estimate = used if used is not None and used.buffer_bytes is not None else fresh
        state = USED if estimate is used else FRESH
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
        findings = [size_of(estimate, evidence, tuple(doubts), details)]
        if estimate.buffer_bytes is None:
            return findings
        return [
            *findings,
            drain_of(estimate, curve, evidence),
            when_full(estimate, evidence),
            *regained(estimate, curve),
        ]


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
        burst = _as_burst(step) if labels.word("state") == state and labels.role != SETTLING else None
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
    bursts = [burst for step in record.steps_with(BURST, state=USED) if (burst := _as_burst(step))]
    fits = [fit for burst in bursts if (fit := fit_burst(burst)) is not None]
    if len(fits) < 2:
        return None
    alike = all(
        max(values) < _ALIKE_RATIO * min(values)
        for values in ([fit.held_bytes for fit in fits], [fit.slow for fit in fits])
    )
    return _estimate(record, USED) if alike else None


def _gap_curve(record: Record) -> GapCurve:
    curve = []
    busy_until_ns = None
    for step in record.steps_with(GAP):
        if step.workload is None:
            continue
        burst = _as_burst(step)
        fit = fit_burst(burst) if burst is not None else None
        if busy_until_ns is not None and fit is not None:
            curve.append(((step.started_ns - busy_until_ns) / SECOND_NS, max(fit.held_bytes, 0.0), step.name))
        busy_until_ns = step.ended_ns
    return curve


def _rate_of(record: Record, condition: str) -> float | None:
    step = record.step_with(DOCUMENT, condition=condition)
    if step is None or step.workload is None or not step.workload.duration_ns:
        return None
    return step.workload.totals.get("written_bytes", 0) * SECOND_NS / step.workload.duration_ns


def _details(record: Record, estimate: BufferEstimate, curve: GapCurve) -> dict[str, Any]:
    conditions = {condition: _rate_of(record, condition) for condition in (SMALL_FILE, DEEP_ALONE)}
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
