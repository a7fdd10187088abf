"""How long and how often does the drive stand still? 4 KiB requests one at a time, for a good while. DESTRUCTIVE.

    fill the span in order, rest
    writes   random 4 KiB writes, queue depth 1       one slow request is one hitch
    rest
    mixed    random 4 KiB, 70 % reads, depth 1

Without the rests the first request would wait until a write buffer has drained what came before, up to half a second.

In rows of 10 ms, so that the worst second can be examined. The drive keeps the state it is in: hitches come from
garbage collection and merging, and a fresh drive does little of both. Over 1000 MB (with --full over the whole drive,
up to 40 GB); with --read-only only reads. Analysis: `analysis/hitches.py`, `analysis/quantiles.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from flashscope.analysis.hitches import THRESHOLDS_NS, hitches_above, worst_window
from flashscope.analysis.quantiles import HOUR_NS, events_per_hour, quantile
from flashscope.experiments.advice import further
from flashscope.experiments.measured import host_doubts, measured
from flashscope.experiments.read_streams import PAGE_BYTES, mixed_requests, random_reads
from flashscope.experiments.streams import (
    MIB,
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.records import Doubt, Finding, Histogram, Labels, Record, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_number, format_time
from flashscope.workloads.steps import Idle, Step, Workload

WORK = {"writes": "random 4 KiB writes", "mixed": "mixed 4 KiB reads and writes", "reads": "random 4 KiB reads"}
_WATCHED = "watched work"  # a role
_SPAN_BYTES, _FULL_SPAN_BYTES = 1_000_000_000, 40_000_000_000
_SPAN_SHARE = 1 / 2  # of what may be written; the rest is for the watched work
_ROW_NS = SECOND_NS // 100
_REST_NS = 3 * SECOND_NS
_READ_SHARE = 0.7
_MOST_UNSEEN_PER_HOUR = 3600.0  # where one a second could have been missed, the time watched tells nothing
_SHORT_NS = 3 * SECOND_NS  # a cache takes in all that a fast drive writes meanwhile
_TAILS = ((0.999, "p999"), (0.9999, "p9999"))


class Stutter:
    """Finds the longest freeze, the number and length of hitches, and the latency of the slowest requests."""

    name = "stutter"
    title = "Stutter"
    question = "How long and how often does the drive stand still under small writes and mixed work?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"freezes", "latency_tail"})
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A fill of the span, then writes and mixed work one at a time; reads alone where nothing may be written."""
        wanted = effort.choose(_SPAN_BYTES, _SPAN_BYTES, _FULL_SPAN_BYTES)
        request = large_request_bytes(facts.user_bytes)
        span = whole_requests(effort.at_most(min(wanted, facts.user_bytes), _SPAN_SHARE), min(MIB, request))
        virtual = facts.in_virtual_time
        runtime_ns = effort.choose(20, 60, 120) * SECOND_NS if virtual else effort.choose(5, 20, 120) * SECOND_NS
        most = effort.choose(100_000, 300_000, 1_000_000) * PAGE_BYTES
        amount = most if virtual else whole_requests(min(4 * span, max(span, most)), PAGE_BYTES)
        if effort.read_only:
            reads = random_reads("reads", size_bytes=span, io_bytes=amount, runtime_ns=runtime_ns)
            return [Workload("reads", (reads,), _ROW_NS, 0, amount, labels=_labels("reads"))]
        fill = sequential_writes("prefill", request_bytes=request, size_bytes=span)
        writes = random_writes(
            "writes",
            request_bytes=PAGE_BYTES,
            grid_bytes=PAGE_BYTES,
            size_bytes=span,
            io_bytes=amount,
            runtime_ns=runtime_ns,
            seed=1,
        )
        mixed = mixed_requests(
            "mixed",
            in_order=False,
            request_bytes=PAGE_BYTES,
            size_bytes=span,
            read_share_ratio=_READ_SHARE,
            io_bytes=amount,
            runtime_ns=runtime_ns,
            seed=2,
        )
        return [
            Workload("prefill", (fill,), SECOND_NS // 4, span, 0),
            Idle("after the prefill", _REST_NS),
            Workload("writes", (writes,), _ROW_NS, amount, 0, labels=_labels("writes")),
            Idle("after the writes", _REST_NS),
            Workload(
                "mixed",
                (mixed,),
                _ROW_NS,
                round(amount * (1 - _READ_SHARE)),
                round(amount * _READ_SHARE),
                labels=_labels("mixed"),
            ),
        ]

    def analyse(self, record: Record) -> list[Finding]:
        """Longest freeze, hitches per hour and the latencies of 1 request in 1000 and in 10 000, for each work."""
        span_bytes = _span(record)
        findings: list[Finding] = []
        for work in WORK:
            result = measured(record, _WATCHED, work=work)
            if result is not None:
                findings += _findings(work, result, record, span_bytes)
        return findings


def _labels(work: str) -> Labels:
    """Labels of work that is watched for hitches; work: a key of WORK."""
    return Labels.of(_WATCHED, work=work)


def _span(record: Record) -> int:
    for step in record.steps:
        for job in step.parameters.get("jobs", ()):
            return int(job.get("size_bytes", 0))
    return 0


def _findings(work: str, result: WorkloadResult, record: Record, span_bytes: int) -> list[Finding]:
    histogram = Histogram()
    for kind in ("read", "write"):
        histogram = histogram.merged(result.latency.get(kind, Histogram()))
    if histogram.total == 0:
        return []
    hitches = [hitches_above(histogram, threshold) for threshold in THRESHOLDS_NS]
    rate, low, high = events_per_hour(hitches[0].count, max(result.duration_ns, 1))
    tells_nothing = hitches[0].count == 0 and high > _MOST_UNSEEN_PER_HOUR
    doubts = tuple(_doubts(result, histogram, hitches[0].count, high, record, span_bytes))
    said = WORK[work]
    evidence = (work,)
    details: dict[str, Any] = {
        "watched_ns": result.duration_ns,
        "request_count": histogram.total,
        "hitches": [
            {"threshold_ns": one.threshold_ns, "count": one.count, "total_ns": one.total_ns} for one in hitches
        ],
        "worst_second": _worst_second(result),
        "buckets": [[bucket, count] for bucket, count in sorted(histogram.counts.items())],
    }
    longest = format_time(histogram.max_ns)
    findings = [
        Finding(
            f"longest_freeze_{work}_ns",
            f"The longest freeze in {format_time(result.duration_ns)} of {said} lasted {longest}.",
            histogram.max_ns,
            "ns",
            evidence=evidence,
            doubts=doubts,
            details=details,
        ),
        Finding(
            f"hitches_{work}_per_hour",
            _hitch_sentence(said, [one.count for one in hitches], hitches[0].total_ns, result.duration_ns, high),
            None if tells_nothing else rate,
            "per hour",
            None if tells_nothing else low,
            None if tells_nothing else high,
            evidence=evidence,
            doubts=doubts,
        ),
    ]
    return findings + list(_tail_findings(work, histogram, result.duration_ns, record))


def _tail_findings(work: str, histogram: Histogram, watched_ns: int, record: Record) -> Iterator[Finding]:
    """How long the slowest requests take: one finding for each share that has a quantile."""
    short = Doubt(
        "TooShort",
        f"watched for {format_time(watched_ns)}: what the drive does only now and then is not in it",
        further(record, "a job file with a longer `runtime` can watch for hours"),
    )
    for share, name in _TAILS:
        found = quantile(histogram, share)
        if found is None:
            continue
        few = found.beyond_count < 10
        message = f"only {found.beyond_count} of {histogram.total} requests lie beyond it"
        scarce = Doubt("TooFewSamples", message, further(record, "compare one in 1000 instead"))
        yield Finding(
            f"latency_{name}_{work}_ns",
            f"One in {round(1 / (1 - share))} {WORK[work]} takes {format_time(found.value_ns)} or longer.",
            found.value_ns,
            "ns",
            found.low_ns,
            found.high_ns,
            evidence=(work,),
            doubts=(*((scarce,) if few else ()), *((short,) if watched_ns < _SHORT_NS else ())),
        )


def _hitch_sentence(said: str, counts: list[int], total_ns: float, watched_ns: int, most_per_hour: float) -> str:
    if counts[0] == 0 and most_per_hour > _MOST_UNSEEN_PER_HOUR:
        return f"Could not tell how often {said} freeze: {format_time(watched_ns)} without a hitch is too short."
    if counts[0] == 0:
        return (
            f"No hitch over 100 ms in {format_time(watched_ns)} of {said}: fewer than "
            f"{format_number(most_per_hour)} an hour, at 95 % confidence."
        )
    share = total_ns / max(watched_ns, 1)
    return (
        f"{counts[0]} {'hitch' if counts[0] == 1 else 'hitches'} over 100 ms ({counts[1]} over 300 ms, {counts[2]} "
        f"over 1 s) in {format_time(watched_ns)} of {said}: the drive stood still {share:.0%} of the time."
    )


def _doubts(
    result: WorkloadResult, histogram: Histogram, count: int, most_per_hour: float, record: Record, span_bytes: int
) -> list[Doubt]:
    doubts = host_doubts(record, 1e9 / max(histogram.mean_ns, 1.0))
    if count == 0 and result.duration_ns < HOUR_NS:
        message = (
            f"watched for {format_time(result.duration_ns)}: up to {format_number(most_per_hour)} hitches an hour "
            "would not be seen"
        )
        doubts.append(
            Doubt("TooShort", message, further(record, "a job file with a longer `runtime` can watch for hours"))
        )
    user_bytes = record.drive_facts.user_bytes
    if 0 < span_bytes < user_bytes * 0.9:
        more = (
            "the arm moves further over all of it" if record.drive_facts.is_rotational else "a full drive collects more"
        )
        message = f"only {format_bytes(span_bytes)} of {format_bytes(user_bytes)} were written: {more}"
        advice = further(record, "three-states measures a full drive", only_full=True)
        doubts.append(Doubt("NotTheWholeDrive", message, advice))
    return doubts


def _worst_second(result: WorkloadResult) -> dict[str, Any]:
    """The second with the fewest requests: its start, and the requests done in each of its rows."""
    done = np.asarray(result.series["read_requests"]) + np.asarray(result.series["write_requests"])
    ends = np.asarray(result.series["elapsed_ns"])
    window = worst_window(done, ends, SECOND_NS)
    if window is None:
        return {}
    first, last = window
    return {
        "begin_ns": int(ends[first - 1]) if first else 0,
        "end_ns": [int(end) for end in ends[first:last]],
        "requests": [int(count) for count in done[first:last]],
        "requests_per_second_on_average": float(done.sum() * SECOND_NS / max(int(ends[-1]), 1)),
    }
