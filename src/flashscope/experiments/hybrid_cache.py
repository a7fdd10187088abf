"""Warm a region, leave it idle, read it at random: a disk's own flash cache, made visible. Writes nothing.

    at once  100 MB   4 KiB reads in order -> random 4 KiB, without idle time
    region   100 MB   4 KiB reads in order for 10 min -> idle -> random 4 KiB .. 1 MiB
    control  100 MB   never warmed                                               random 4 KiB .. 1 MiB
    idle     64 MB    one pass, idle for 0.25 s .. 16 s, random              each on a region of its own: when it copies
    size     0.5 .. 16 GB   one pass, long idle, random; and a control of the same size: how much it holds

Benchmarks that make a file of their own see nothing of such a cache, since their file is on the platters; so the drive
is read as it is. On flash only the first part is done, shortened: it shows whether warm and cold reads are alike.
Regions must contain data: a drive reads neither flash nor platters for places without data.
Analysis: `analysis/read_cache.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from flashscope.analysis.read_cache import (
    Limit,
    Share,
    best_limit,
    cache_bytes,
    cached_share,
    fill_delay_ns,
    least_gap,
)
from flashscope.experiments.measured import below_a_file_doubts
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Histogram, Label, Labels, Record, Status, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_bytes_binary, format_number, format_percent, format_rate, format_time
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, Step, Workload

_WARMING, WARM, COLD, _AT_ONCE = "warming", "warm", "cold", "warm at once"  # roles, as the next three
_AFTER_IDLE, _WITHIN, _OUTSIDE = "after idleness", "within", "outside"
_KIB = 1024
_PAGE_BYTES = 4 * _KIB
_REGION_BYTES = 200_000 * 512
_SIZES = tuple(_KIB * size for size in (4, 16, 64, 128, 256, 512, 768, 1024))
_SIZES_QUICK = tuple(_KIB * size for size in (4, 64, 512, 1024))
_IDLE_REGION_BYTES = 64 * MIB
_IDLES_NS = tuple(round(SECOND_NS * 2 ** (power / 4 - 2)) // 10_000_000 * 10_000_000 for power in range(25))
_IDLE_FLASH_NS = 10 * SECOND_NS
_DRAIN_NS = 20 * SECOND_NS
_CACHES_BYTES = tuple(10**9 * 2**power // 2 for power in range(6))
_READS, _READS_OF_SIZE, _READS_AFTER_IDLE = 1500, 4000, 300
_LONG_IDLE_NS = 600 * SECOND_NS
_COPY_BYTES_PER_SECOND = 20_000_000
_SAMPLE_NS = SECOND_NS // 4
_GAIN_RATIO = 1.1
_LIMIT_NS = PerTimeCost.by_clock(20 * SECOND_NS, free=120 * SECOND_NS)


class HybridCache:
    """Finds a read cache that fills while the drive is idle: its size, the largest read it serves, when it copies."""

    name = "hybrid-cache"
    title = "Hybrid read cache"
    question = "Does the drive keep what is read often in a cache of its own, how much, and when does it copy it there?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"read_cache"})
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Reads and idle times only. Empty for a drive of less than four regions."""
        region = whole_requests(min(_REGION_BYTES, facts.user_bytes // 4), MIB)
        if region < 8 * MIB:
            return []
        disk = facts.is_rotational
        warm_ns = effort.choose(30, 120, 600) * SECOND_NS
        warm = _pass("warming", 0, region)
        passes = 8 * region if disk else 2 * region
        warm = replace(warm, runtime_ns=warm_ns, time_based=disk, io_bytes=passes)
        longest_bytes = passes if not disk else max(passes, warm_ns // SECOND_NS * 120_000_000)
        at_once = replace(_pass("warming-without-idle", 2 * region, region), io_bytes=passes)
        steps: list[Step] = [
            Workload("warming without idle", (at_once,), SECOND_NS, 0, passes),
            _random("warm 4 KiB at once", facts, 2 * region, region, _PAGE_BYTES, _READS, Labels.of(_AT_ONCE)),
            Workload("warming", (warm,), SECOND_NS, 0, longest_bytes, labels=Labels.of(_WARMING)),
            Idle("idle", _LONG_IDLE_NS if facts.in_virtual_time or disk else _IDLE_FLASH_NS),
        ]
        for size in effort.choose(_SIZES_QUICK, _SIZES, _SIZES):
            for role, offset in ((WARM, 0), (COLD, region)):
                labels, words = Labels.of(role, request_bytes=size), format_bytes_binary(size)
                steps.append(_random(f"{role} {words}", facts, offset, region, size, _READS, labels))
        if disk and effort.extent is not Extent.QUICK:
            steps += _idle_steps(facts, effort, 3 * region) + _size_steps(facts, effort)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """hybrid_cache_gain_ratio, hybrid_cache_largest_request_bytes, hybrid_cache_bytes, idle_fill_delay_ns."""
        rows = _rows(record)
        doubts = _doubts(record)
        warm, cold = (_reads(record, role, request_bytes=_PAGE_BYTES) for role in (WARM, COLD))
        if warm is None or cold is None:
            statement = (
                "It is not known whether the drive caches reads: the warmed region was not read after its idle time."
            )
            return [Finding("hybrid_cache_gain_ratio", statement, None, "ratio", doubts=doubts)]
        limit, least = best_limit(warm, cold), least_gap(warm, cold)
        gain = cold.mean_ns / warm.mean_ns
        found = limit.gap > max(least, 0.2) and gain > _GAIN_RATIO
        findings = [_gain_finding(found, warm, cold, limit, least, record, rows, doubts)]
        if not found:
            return findings
        findings.append(_largest_finding(rows, doubts))
        findings += _size_findings(record, limit, doubts)
        findings += _delay_findings(record, limit, cold, doubts)
        return findings


def _was_read(step: StepRecord) -> bool:
    return step.workload is not None and step.status is Status.DONE and bool(step.workload.latency.get("read"))


def _reads(record: Record, role: str, **labels: Label) -> Histogram | None:
    """The latencies of the reads of a step; None when it was not finished."""
    step = next((step for step in record.steps_with(role, **labels) if _was_read(step)), None)
    return None if step is None or step.workload is None else step.workload.latency["read"]


def _pass(name: str, offset: int, size: int) -> Job:
    job = sequential_writes(name, request_bytes=_PAGE_BYTES, offset_bytes=offset, size_bytes=size, queue_depth=1)
    return replace(job, direction="read", read_sizes=job.write_sizes)


def _random(name: str, facts: DriveFacts, offset: int, span: int, size: int, count: int, labels: Labels) -> Workload:
    """count random reads, each starting on a grid of 4 KiB or of its own size."""
    seed = 1 + sum(ord(letter) * place for place, letter in enumerate(name, start=1))
    job = random_writes(
        name.replace(" ", "-"),
        request_bytes=size,
        grid_bytes=size,
        size_bytes=whole_requests(span, size),
        io_bytes=count * size,
        runtime_ns=facts.per_time(_LIMIT_NS),
        seed=seed,
    )
    return Workload(
        name,
        (replace(job, direction="randread", read_sizes=job.write_sizes, offset_bytes=offset),),
        _SAMPLE_NS,
        0,
        count * size,
        labels=labels,
    )


def _idle_steps(facts: DriveFacts, effort: Effort, begin: int) -> list[Step]:
    steps: list[Step] = []
    for place, idle_ns in enumerate(_IDLES_NS[:: effort.choose(25, 1, 1)]):
        offset, said = begin + place * _IDLE_REGION_BYTES, format_time(idle_ns)
        if offset + _IDLE_REGION_BYTES > facts.user_bytes // 2:
            break
        warm = _pass(f"region-{place}", offset, _IDLE_REGION_BYTES)
        # The data copied last may not be in flash yet; this waits for it before the measured time starts.
        steps.append(Idle(f"rest before {said}", _DRAIN_NS))
        steps.append(Workload(f"one pass before {said}", (warm,), SECOND_NS, 0, _IDLE_REGION_BYTES))
        steps.append(Idle(f"idle {said}", idle_ns))
        steps.append(
            _random(
                f"after {said}",
                facts,
                offset,
                _IDLE_REGION_BYTES,
                _PAGE_BYTES,
                _READS_AFTER_IDLE,
                Labels.of(_AFTER_IDLE, idle_ns=idle_ns),
            )
        )
    return steps


def _size_steps(facts: DriveFacts, effort: Effort) -> list[Step]:
    steps: list[Step] = []
    most = facts.user_bytes // 4
    for size in _CACHES_BYTES[: effort.choose(0, 5, 6)]:
        span = whole_requests(size, MIB)
        if span > most:
            break
        said, middle = format_bytes(size), whole_requests(facts.user_bytes // 2, MIB)
        steps.append(Workload(f"one pass over {said}", (_pass(f"pass-{size}", 0, span),), SECOND_NS, 0, span))
        steps.append(Idle(f"idle for {said}", _LONG_IDLE_NS + size * SECOND_NS // _COPY_BYTES_PER_SECOND))
        for role, offset in ((_WITHIN, 0), (_OUTSIDE, middle)):
            labels = Labels.of(role, region_bytes=size)
            steps.append(_random(f"{role} {said}", facts, offset, span, _PAGE_BYTES, _READS_OF_SIZE, labels))
    return steps


def _rows(record: Record) -> list[dict[str, Any]]:
    """One row per request size that was read in both regions: rates and the gain with its interval."""
    rows = []
    for size in _SIZES:
        warm, cold = (_reads(record, role, request_bytes=size) for role in (WARM, COLD))
        if warm is not None and cold is not None and warm.total and cold.total:
            rows.append(
                {
                    "request_bytes": size,
                    "warm_bytes_per_second": size * SECOND_NS / warm.mean_ns,
                    "cold_bytes_per_second": size * SECOND_NS / cold.mean_ns,
                    "gain_ratio": cold.mean_ns / warm.mean_ns,
                }
            )
    return rows


def _doubts(record: Record) -> tuple[Doubt, ...]:
    facts, doubts = record.drive_facts, []
    doubts += below_a_file_doubts(facts, "may keep what was read")
    if facts.never_written:
        message = "nothing was written before, so reads may be answered without flash"
        doubts.append(Doubt("NotFresh", message, "run it on a drive that holds data, such as ?aged=full"))
    few = [
        step.name
        for step in record.steps
        if step.workload is not None and _was_read(step) and step.workload.latency["read"].total < 100
    ]
    if few:
        message = f"fewer than 100 reads in {', '.join(few[:3])}"
        doubts.append(Doubt("TooFewSamples", message, "give the drive more time"))
    return tuple(doubts)


def _gain_finding(
    found: bool,
    warm: Histogram,
    cold: Histogram,
    limit: Limit,
    least: float,
    record: Record,
    rows: list[dict[str, Any]],
    doubts: tuple[Doubt, ...],
) -> Finding:
    gain, at_once = cold.mean_ns / warm.mean_ns, _reads(record, _AT_ONCE)
    details: dict[str, Any] = {
        "by_request_size": rows,
        "gap_ratio": limit.gap,
        "detection_limit_ratio": max(least, 0.2),
    }
    if at_once is not None:
        details["gain_ratio_without_idle"] = cold.mean_ns / at_once.mean_ns
    if found:
        rate = _PAGE_BYTES * SECOND_NS / warm.mean_ns
        idle = ""
        if at_once is not None:
            before = cold.mean_ns / at_once.mean_ns
            idle = (
                " Without the idle time there is no gain: it copies while it is left alone."
                if before < 1 + (gain - 1) / 4
                else " It gains without the idle time too: it copies while it reads."
            )
        statement = f"What was read often is kept in a cache: random 4 KiB reads of it run at {format_rate(rate)}, "
        statement += f"{format_number(gain)} times the rate in a region that was never read.{idle}"
    else:
        statement = (
            f"No cache seen: after reading a region again and again, and idleness, its random reads take as long as "
            f"others. One that answered {format_percent(max(least, 0.2))} of them faster would show."
        )
    # The reads of a run are alike and independent, so the interval is that of two means.
    error = 1.96 * (1 / max(warm.total, 1) + 1 / max(cold.total, 1)) ** 0.5
    return Finding(
        "hybrid_cache_gain_ratio", statement, gain if found else None, "ratio",
        gain * math.exp(-error) if found else None, gain * math.exp(error) if found else None,
        evidence=_compared(record),
        doubts=doubts, details=details,
    )  # fmt: skip


def _compared(record: Record) -> tuple[str, ...]:
    """The steps that the gain rests on."""
    steps = [
        *record.steps_with(_WARMING),
        *record.steps_with(_AT_ONCE),
        *record.steps_with(WARM, request_bytes=_PAGE_BYTES),
        *record.steps_with(COLD, request_bytes=_PAGE_BYTES),
    ]
    return tuple(step.name for step in steps if _was_read(step))


def _largest_finding(rows: list[dict[str, Any]], doubts: tuple[Doubt, ...]) -> Finding:
    sizes = [row["request_bytes"] for row in rows]
    winning = [row["request_bytes"] for row in rows if row["gain_ratio"] > _GAIN_RATIO]
    largest = max(winning)
    above = next((size for size in sizes if size > largest), None)
    statement = f"Reads of up to {format_bytes_binary(largest)} gain from the cache"
    statement += f"; those of {format_bytes_binary(above)} do not." if above else ", the largest tried."
    return Finding(
        "hybrid_cache_largest_request_bytes", statement, largest, "bytes", largest, above or None,
        evidence=tuple(f"warm {format_bytes_binary(size)}" for size in sizes), doubts=doubts,
    )  # fmt: skip


def _size_findings(record: Record, limit: Limit, doubts: tuple[Doubt, ...]) -> list[Finding]:
    shares: list[Share] = []
    for size in _CACHES_BYTES:
        within, outside = (_reads(record, role, region_bytes=size) for role in (_WITHIN, _OUTSIDE))
        if within is not None and outside is not None:
            shares.append(cached_share(whole_requests(size, MIB), within, outside, limit))
    if not shares:
        return []
    value, low, high = cache_bytes(shares)
    rows = [vars(share) for share in shares]
    evidence = tuple(f"within {format_bytes(size)}" for size in _CACHES_BYTES[: len(shares)])
    if value is None:
        whole = format_bytes(low)
        statement = (
            f"The cache holds {whole} whole; larger regions were not tried."
            if low
            else "The size of the cache is not known."
        )
        return [
            Finding(
                "hybrid_cache_bytes",
                statement,
                None,
                "bytes",
                evidence=evidence,
                doubts=doubts,
                details={"shares": rows},
            )
        ]
    statement = (
        f"The cache holds {format_bytes(value)}: of a larger region that was read, that much is fast afterwards."
    )
    return [
        Finding(
            "hybrid_cache_bytes", statement, round(value), "bytes", low, high, evidence=evidence, doubts=doubts,
            details={"shares": rows},
        )
    ]  # fmt: skip


def _delay_findings(record: Record, limit: Limit, cold: Histogram, doubts: tuple[Doubt, ...]) -> list[Finding]:
    after = {ns: reads for ns in _IDLES_NS if (reads := _reads(record, _AFTER_IDLE, idle_ns=ns)) is not None}
    idles = list(after)
    if not idles:
        return []
    shares = [cached_share(_IDLE_REGION_BYTES, reads, cold, limit) for reads in after.values()]
    value, low, high = fill_delay_ns(idles, shares)
    rows = [{"idle_ns": idle_ns} | vars(share) for idle_ns, share in zip(idles, shares, strict=True)]
    if value is not None:
        statement = f"Copying into the cache begins {format_time(value)} after the last request."
    elif high == float("inf"):
        statement = f"Nothing was copied within {format_time(low)} of idleness."
    else:
        statement = f"Copying into the cache begins between {format_time(low)} and {format_time(high)} of idleness."
    known = high != float("inf")
    return [
        Finding(
            "idle_fill_delay_ns", statement, value, "ns", low if known else None, high if known else None,
            evidence=tuple(f"after {format_time(idle_ns)}" for idle_ns in idles), doubts=doubts,
            details={"shares": rows},
        )
    ]  # fmt: skip
