"""Random 4 KiB requests at queue depths of 1 to 64: rate, latency, and where the rate stops growing. DESTRUCTIVE.

    fill the span in order, idle (so that a write buffer is empty)
    read   depth  1  2  4  8  16  32  64      a short run each
    write  depth  1  2  4  8  16  32  64

Over 1000 MB, or the drive if smaller. A virtual drive runs until a number of requests is done, a real one for a fixed
time. With --read-only only the reads are made, over the data that is there. Analysis: `analysis/queue_depths.py`.
"""

from __future__ import annotations

from typing import Any

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.analysis.queue_depths import DepthPoint, count_units, effective_parallelism, useful_depth
from flashscope.experiments.advice import further
from flashscope.experiments.measured import LAST_TRIED, host_doubts, latency, measured, settled_rows, untouched_doubts
from flashscope.experiments.read_streams import PAGE_BYTES, random_reads
from flashscope.experiments.streams import (
    MIB,
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.laws.queueing import outstanding
from flashscope.records import Doubt, Finding, Labels, Record, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.runner.run_warnings import queue_advice
from flashscope.units import format_count, format_time
from flashscope.workloads.steps import Idle, SecureErase, Step, Workload

_DEPTH = "queue depth"  # a role
DEPTHS = (1, 2, 4, 8, 16, 32, 64)
_SPAN_BYTES = 1_000_000_000
_SPAN_SHARE = 1 / 2  # of what may be written; the rest is for the writes at each depth
_ENOUGH_REQUESTS = 1000
_FULL_QUEUE_RATIO = 0.9


class QueueDepth:
    """Finds how many requests a drive works on at once, and from which depth on a higher one brings nothing."""

    name = "queue-depth"
    title = "Queue-depth sweep"
    question = "How many requests does the drive work on at once, and above which queue depth does it not get faster?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"parallelism", "random_rate", "link_limit", "host_limit"})
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A fill, then one short run per depth and direction."""
        depths = effort.choose(DEPTHS[::2], DEPTHS, DEPTHS)
        virtual = facts.in_virtual_time
        wanted = effort.at_most(min(_SPAN_BYTES, facts.user_bytes), _SPAN_SHARE)
        span = whole_requests(wanted, min(MIB, large_request_bytes(facts.user_bytes)))
        runtime_ns = effort.choose(1, 2, 5) * SECOND_NS
        amount = min(effort.choose(4_000, 12_000, 40_000) * PAGE_BYTES, 4 * span) if virtual else span
        sample_ns = SECOND_NS // 500 if virtual else SECOND_NS // 20
        steps: list[Step] = []
        if not effort.read_only:
            fill = sequential_writes("prefill", request_bytes=large_request_bytes(facts.user_bytes), size_bytes=span)
            steps = [SecureErase("secure erase")] if facts.can_secure_erase else []
            steps += [Workload("prefill", (fill,), SECOND_NS // 4, span, 0), Idle("after the fill", 3 * SECOND_NS)]
        for depth in depths:
            job = random_reads(
                f"read-{depth}",
                size_bytes=span,
                io_bytes=amount,
                runtime_ns=runtime_ns,
                time_based=not virtual,
                queue_depth=depth,
                seed=depth,
            )
            steps.append(Workload(f"read {depth}", (job,), sample_ns, 0, amount, labels=_labels("read", depth)))
        for depth in () if effort.read_only else depths:
            job = random_writes(
                f"write-{depth}",
                request_bytes=PAGE_BYTES,
                grid_bytes=PAGE_BYTES,
                size_bytes=span,
                io_bytes=amount,
                runtime_ns=runtime_ns,
                queue_depth=depth,
                seed=100 + depth,
            )
            steps.append(Workload(f"write {depth}", (job,), sample_ns, amount, 0, labels=_labels("write", depth)))
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """Effective parallelism and useful depth of reads and of writes, and the number of units that reads show."""
        findings: list[Finding] = []
        for kind in ("read", "write"):
            points = [
                _point(depth, kind, result)
                for depth in DEPTHS
                if (result := measured(record, _DEPTH, kind=kind, depth=depth)) is not None
            ]
            if points:
                findings += _findings(kind, points, record)
        return findings


def _labels(kind: str, depth: int) -> Labels:
    return Labels.of(_DEPTH, kind=kind, depth=depth, family=kind)


def _point(depth: int, kind: str, result: WorkloadResult) -> DepthPoint:
    rate, low, high = ratio_of_sums(*settled_rows(result, f"{kind}_requests"))
    histogram = latency(result, kind)
    whole_rate = histogram.total * SECOND_NS / max(result.duration_ns, 1)
    return DepthPoint(
        depth,
        rate * SECOND_NS,
        low * SECOND_NS,
        high * SECOND_NS,
        histogram.mean_ns,
        outstanding(whole_rate, histogram.mean_ns / SECOND_NS),
        histogram.total,
    )


def _findings(kind: str, points: list[DepthPoint], record: Record) -> list[Finding]:
    evidence = tuple(f"{kind} {point.depth}" for point in points)
    doubts = tuple(_doubts(kind, points, record))
    parallel, useful = effective_parallelism(points), useful_depth(points)
    rows = {"depths": [_row(point) for point in points]}
    findings = []
    if parallel is None:
        sentence = f"How many {kind}s the drive works on at once is not known: depth 1 was not measured."
        findings.append(
            Finding(f"effective_parallelism_{kind}s", sentence, None, "requests", evidence=evidence, details=rows)
        )
    else:
        many = parallel.value >= 1.05
        sentence = (
            f"The drive works on {parallel.value:.3g} random {kind}s at once, reached at queue depth {parallel.depth}."
            if many
            else f"The drive works on one random {kind} at a time: a deeper queue does not raise the rate."
        )
        findings.append(
            Finding(
                f"effective_parallelism_{kind}s",
                sentence,
                parallel.value,
                "requests",
                parallel.low,
                parallel.high,
                evidence=evidence,
                doubts=doubts,
                details=rows,
            )
        )
    if useful is not None and len(points) > 1:
        at = next(point for point in points if point.depth == useful[0])
        is_last = at.depth == points[-1].depth
        findings.append(
            Finding(
                f"useful_queue_depth_{kind}s",
                f"A queue depth of {useful[0]} is enough for {kind}s: {format_count(at.rate)} per second, "
                f"{format_time(_each_ns(at, doubts))} each on average; "
                + ("no deeper one was tried." if is_last else "deeper queues only wait longer."),
                useful[0],
                "requests",
                useful[1],
                useful[2],
                evidence=evidence,
                doubts=doubts,
                details={LAST_TRIED: is_last},
            )
        )
    if kind == "read" and not record.drive_facts.is_rotational:
        findings += _units(points, evidence, doubts)
    return findings


def _each_ns(at: DepthPoint, doubts: tuple[Doubt, ...]) -> float:
    """Mean time of a request at the stated rate, by Little's law.

    The mean of all latencies contains the beginning, when a buffer took writes in, and the rate does not. Where the
    queue was not kept full, only the latencies tell the time.
    """
    full = all(doubt.kind != "QueueNeverFull" for doubt in doubts)
    return at.depth / at.rate * SECOND_NS if full and at.rate else at.mean_latency_ns


def _units(points: list[DepthPoint], evidence: tuple[str, ...], doubts: tuple[Doubt, ...]) -> list[Finding]:
    units = count_units(points)
    if units is None:
        return []
    if units.count is None:
        sentence = (
            "How many units of flash work side by side is not visible: the rate rises in a straight line and "
            "stops at a limit "
            f"that all requests share (controller, link or host), with at least {units.low} at work."
        )
    else:
        sentence = (
            f"The rate bends as it does when reads fall by chance on about {units.count} units that work on their own: "
            "banks of flash, or channels where the transfer takes longest."
        )
    return [
        Finding(
            "parallel_unit_count",
            sentence,
            units.count,
            "count",
            None if units.count is None else units.low,
            None if units.count is None else units.high,
            evidence=evidence,
            doubts=doubts,
            details={"at_least": units.low, "misfit_ratio": units.misfit_ratio},
        )
    ]


def _doubts(kind: str, points: list[DepthPoint], record: Record) -> list[Doubt]:
    doubts = host_doubts(record, max(point.rate for point in points))
    short = [
        point
        for point in points
        if point.request_count >= 20 * point.depth and point.outstanding < _FULL_QUEUE_RATIO * point.depth
    ]
    if short:
        deepest = max(point.outstanding for point in short)
        depths = ", ".join(str(point.depth) for point in short)
        message = f"at depth {depths} fewer requests were outstanding than asked for, {deepest:.3g} at most"
        doubts.append(Doubt("QueueNeverFull", message, queue_advice(record)))
    few = [point for point in points if point.request_count < max(_ENOUGH_REQUESTS // 10, 20 * point.depth)]
    if few:
        message = f"only {few[-1].request_count} {kind}s were done at depth {few[-1].depth}"
        doubts.append(Doubt("TooFewSamples", message, further(record, "compare the depths that had more")))
    return doubts + (untouched_doubts(record) if kind == "read" else [])


def _row(point: DepthPoint) -> dict[str, Any]:
    return {
        "depth": point.depth,
        "requests_per_second": point.rate,
        "low": point.low,
        "high": point.high,
        "mean_latency_ns": point.mean_latency_ns,
        "outstanding": point.outstanding,
        "request_count": point.request_count,
    }
