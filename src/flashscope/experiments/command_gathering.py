"""Does a drive that gathers commands make single requests wait? Latency of single requests against several at once.

    fill the span in order, idle
    lone, no pauses     depth 1                   |r|r|r|r|r          the drive is idle when each comes
    lone, after a rest  depth 1, 2 ms between     |r|      |r|
    groups after a rest depth k, k at once        |rrr|      |rrr|    k = 2, 3, 4, 8, 16, 32
    company             depth 2, 4, 32            others are in progress when each comes

A drive that holds a request back to gather others can only do so when it is idle; in company it holds none. The
difference of the lowest latencies is the wait. A group as large as the number it waits for is not held either, so the
group sizes bracket that number. Random 4 KiB reads, which a write buffer cannot answer. Nothing is written after
the fill, and with --read-only nothing at all. Analysis: `analysis/gathering.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flashscope.analysis.gathering import Wait, floor_of, mode_ns, waiting
from flashscope.experiments.measured import host_doubts, is_finished, is_virtual, latency, measured, untouched_doubts
from flashscope.experiments.read_streams import PAGE_BYTES, random_reads
from flashscope.experiments.streams import MIB, SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Histogram, Labels, Record, StepRecord, WorkloadResult
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_percent, format_time
from flashscope.workloads.steps import Idle, Step, Workload

LONE_ROLE, _RESTED, _GROUP, COMPANY_ROLE = _ROLES = "lone", "lone after a rest", "group", "company"
GROUPS = (2, 3, 4, 8, 16, 32)
COMPANY = (2, 4, 32)
_SPAN_BYTES = 1_000_000_000
_REST_NS = 2_000_000
_REQUESTS = (2_000, 5_000, 20_000)


class CommandGathering:
    """Finds whether single requests wait on a drive that queues commands."""

    name = "command-gathering"
    title = "Command gathering"
    question = "Does the drive make a single request wait, to see whether more commands come?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"command_gathering"})
    needs = Needs(Capability.SOLID_STATE)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Lone requests, groups after a rest, requests in company; none on platters, whose seeks hide any wait."""
        if self.needs.missing(facts, effort):
            return []
        wanted = effort.at_most(min(_SPAN_BYTES, facts.user_bytes))
        span = whole_requests(wanted, min(MIB, large_request_bytes(facts.user_bytes)))
        amount = min(effort.choose(*_REQUESTS) * PAGE_BYTES, span)
        limit_ns = effort.choose(2, 4, 10) * SECOND_NS
        steps: list[Step] = []
        if not effort.read_only:
            fill = sequential_writes("prefill", request_bytes=large_request_bytes(facts.user_bytes), size_bytes=span)
            steps = [Workload("prefill", (fill,), SECOND_NS // 4, span, 0), Idle("after the fill", 3 * SECOND_NS)]

        def add(name: str, role: str, depth: int, rest_ns: int) -> None:
            job = random_reads(
                name.replace(" ", "-"),
                size_bytes=span,
                io_bytes=amount,
                runtime_ns=limit_ns,
                queue_depth=depth,
                seed=len(steps) + 1,
            )
            if rest_ns:
                job = replace(job, thinktime_ns=rest_ns, thinktime_blocks=depth)
            steps.append(Workload(name, (job,), SECOND_NS // 20, 0, amount, labels=Labels.of(role, depth=depth)))

        add("lone", LONE_ROLE, 1, 0)
        add("lone after a rest", _RESTED, 1, _REST_NS)
        for size in effort.choose(GROUPS[::3], GROUPS, GROUPS):
            add(f"group of {size}", _GROUP, size, _REST_NS)
        for depth in COMPANY:
            add(f"company of {depth}", COMPANY_ROLE, depth, 0)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """gathering_wait_ns, and gathered_command_count when there is a wait."""
        lone, pair = _reads(record, LONE_ROLE, 1), _reads(record, COMPANY_ROLE, 2)
        wait = waiting(lone, pair) if lone is not None and pair is not None else None
        rows = [
            _row(step, step.workload)
            for step in record.steps
            if step.workload is not None and step.labels.role in _ROLES and is_finished(step)
        ]
        evidence = tuple(str(row["name"]) for row in rows)
        if wait is None or lone is None or pair is None:
            if not record.steps:
                return []
            why = "too few single requests and pairs were measured"
            sentence, untold = f"It is not known whether single requests wait: {why}.", could_not_tell(why)
            return [
                Finding("gathering_wait_ns", sentence, None, "ns", evidence=evidence, details={"cells": rows} | untold)
            ]
        doubts = tuple(_doubts(record, lone, pair, wait))
        details = {
            "cells": rows,
            "limit_ns": wait.limit_ns,
            "faster_ratio": wait.faster_ratio,
            "lone_floor_ns": _floor_ns(lone),
        }
        if wait.value_ns is None:
            sentence = (
                f"No waiting is seen: a lone 4 KiB read takes {format_time(mode_ns(lone))} and in company none is "
                f"answered sooner; a wait above {format_time(wait.limit_ns)} would have been seen."
            )
            return [
                Finding("gathering_wait_ns", sentence, None, "ns", evidence=evidence, doubts=doubts, details=details)
            ]
        sentence = (
            f"A lone request is held back {format_time(wait.value_ns)} to gather others, "
            f"{format_percent(wait.value_ns / _floor_ns(lone))} of its latency: at queue depth 1 this drive is slower "
            "than it could be."
        )
        found = Finding(
            "gathering_wait_ns",
            sentence,
            round(wait.value_ns),
            "ns",
            wait.low_ns,
            wait.high_ns,
            evidence=evidence,
            doubts=doubts,
            details=details,
        )
        return [found, *_wanted(record, lone, wait.value_ns)]


def _reads(record: Record, role: str, depth: int) -> Histogram | None:
    result = measured(record, role, depth=depth)
    return None if result is None else latency(result, "read")


def _floor_ns(histogram: Histogram) -> float:
    floor = floor_of(histogram)
    return floor.value_ns if floor else histogram.mean_ns


def _wanted(record: Record, lone: Histogram, wait_ns: float) -> list[Finding]:
    """How many commands end the waiting: between the largest group that waits and the smallest that does not."""
    half_ns = _floor_ns(lone) - wait_ns / 2
    held, free = 1, None
    groups = {size: reads for size in GROUPS if (reads := _reads(record, _GROUP, size)) is not None}
    for size, reads in groups.items():
        floor = floor_of(reads)
        if floor is None:
            continue
        if floor.value_ns < half_ns:
            free = size
            break
        held = size
    evidence = tuple(f"group of {size}" for size in groups)
    if free is None:
        sentence = f"Groups of up to {held} requests are held as long as a lone one: it waits for more than that."
        return [Finding("gathered_command_count", sentence, None, "count", evidence=evidence)]
    sentence = (
        f"It waits no longer once {free} commands are there."
        if held == free - 1
        else f"It waits no longer once {held + 1} to {free} commands are there."
    )
    return [Finding("gathered_command_count", sentence, free, "count", held + 1, free, evidence=evidence)]


def _doubts(record: Record, lone: Histogram, pair: Histogram, wait: Wait) -> list[Doubt]:
    doubts = host_doubts(record, 1e9 / lone.mean_ns) + untouched_doubts(record)
    if wait.value_ns is None and pair.percentile_ns(0.02) > 1.5 * lone.percentile_ns(0.02):
        message = "two requests take turns here, so no request finds another one at work"
        advice = "a drive that serves one request at a time has nothing to gather"
        advice += "" if is_virtual(record) else "; on a real host see QueueNeverFull"
        doubts.append(Doubt("OneAtATime", message, advice))
    if lone.percentile_ns(0.5) > 1.5 * lone.percentile_ns(0.02):
        message = "lone requests differ by more than half among each other: cached reads, or several kinds of page"
        doubts.append(Doubt("CacheInTheWay", message, "read a span that no cache holds"))
    return doubts


def _row(step: StepRecord, result: WorkloadResult) -> dict[str, Any]:
    histogram = latency(result, "read")
    total = max(histogram.total, 1)
    compared = step.labels.agrees(LONE_ROLE) or step.labels.agrees(COMPANY_ROLE, depth=2)
    return {
        "name": step.name,
        "floor_ns": _floor_ns(histogram),
        "mode_ns": mode_ns(histogram),
        "p50_ns": histogram.percentile_ns(0.5),
        "p99_ns": histogram.percentile_ns(0.99),
        "max_ns": histogram.max_ns,
        "request_count": histogram.total,
        "buckets": [[bucket, round(count / total, 6)] for bucket, count in sorted(histogram.counts.items())]
        if compared
        else [],
    }
