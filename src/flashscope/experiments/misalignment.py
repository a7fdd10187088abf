"""Random writes and reads at partition starts of 0 to 128 sectors: the unit, and the cost of other starts. DESTRUCTIVE.

    secure erase where possible; prefill the span in order; then for 4, 16, 32 and 64 KiB
       |####|####|####|            start 0: each request on the grid of its own size
        -|####|####|####|          start 1 sector: the same requests, one sector later
          ...                      63: where Windows XP put its partitions; 64 and 128: on the unit again

No real partition is made: a job's offset moves its whole grid.
Queue depth 1. The order of the starts is mixed, so that slow drift does not look like a period; the first run of each
size, and the first half of every run, are not used. Analysis: `analysis/misalignment.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.analysis.misalignment import Cost, Shifted, cost_of_shifts, unit_of
from flashscope.experiments.measured import below_a_file_doubts
from flashscope.experiments.streams import (
    MIB,
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.laws.alignment import misaligned_rate_ratio
from flashscope.records import Doubt, Finding, Labels, Record, WorkloadResult
from flashscope.records.abstention import could_not_tell
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_percent
from flashscope.workloads.job import Job
from flashscope.workloads.steps import SecureErase, Step, Workload

_PREFILL = "prefill"
_SETTLING, _SHIFTED = "settling", "shifted"  # roles
_SPAN_BYTES = 256 * MIB
_SPAN_SHARE = 1 / 6  # of what may be written; the rest is for the small writes
_OLD_SECTOR_BYTES = 512
_KIB = 1024
_PAGE_BYTES = 4 * _KIB
_SIZES_QUICK = (4 * _KIB, 64 * _KIB)
_SIZES = (4 * _KIB, 16 * _KIB, 32 * _KIB, 64 * _KIB)
_STARTS_QUICK = (0, 1, 2, 4, 8, 16, 32, 63, 64, 128)
_STARTS = (0, 1, 2, 4, 7, 8, 12, 16, 24, 32, 40, 48, 63, 64, 96, 128)
_STARTS_FULL = (*range(17), 20, 24, 28, 31, 32, 33, 40, 47, 48, 56, 62, 63, 64, 65, 72, 80, 96, 112, 126, 127, 128)
_READ_STARTS = (0, 1, 8, 63, 64, 128)
_XP_START = 63
_HIDDEN_RATIO = 1.15  # where a cost this high could hide in the scatter of the runs, "no cost" is no answer
_RUNTIME_NS = PerTimeCost.by_clock(2 * SECOND_NS, free=5 * SECOND_NS)
_SAMPLE_NS = SECOND_NS // 20


class Misalignment:
    """Finds the unit from the period of the cost over the start of a partition, and compares the cost with the law."""

    name = "misalignment"
    title = "Misaligned partitions"
    question = (
        "How much slower is a partition that does not start at a multiple of the drive's unit, and which unit is that?"
    )
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset({"misalignment", "mapping_unit"})
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A fill, then a short run per request size and start; reads at a few starts. Read-only: the reads alone."""
        span = whole_requests(effort.at_most(min(_SPAN_BYTES, facts.user_bytes // 2), _SPAN_SHARE), 64 * _KIB)
        if span < 4 * MIB:
            return []
        starts = effort.choose(_STARTS_QUICK, _STARTS, _STARTS_FULL)
        sizes = effort.choose(_SIZES_QUICK, _SIZES, _SIZES)
        steps: list[Step] = []
        if not effort.read_only:
            request = min(MIB, large_request_bytes(facts.user_bytes))
            filled = whole_requests(span + MIB, request)
            fill = sequential_writes(_PREFILL, request_bytes=request, size_bytes=filled)
            steps += [SecureErase("secure erase")] if facts.can_secure_erase else []
            steps.append(Workload(_PREFILL, (fill,), SECOND_NS // 4, filled, 0))
            for size in (one for one in sizes if one >= facts.sector_bytes):
                steps.append(_run("write", size, 0, span, facts, settling=True))
                steps += [_run("write", size, start, span, facts) for start in _mixed(starts, facts)]
        steps.append(_run("read", _PAGE_BYTES, 0, span, facts, settling=True))
        steps += [_run("read", _PAGE_BYTES, start, span, facts) for start in _mixed(_READ_STARTS, facts)]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """mapping_unit_bytes, misaligned_cost_ratio, law_ratio and misaligned_read_cost_ratio."""
        writes, reads = _measured(record, "write"), _measured(record, "read")
        sizes = sorted({run.request_bytes for run in writes})
        costs = [
            cost for size in sizes if (cost := cost_of_shifts([run for run in writes if run.request_bytes == size]))
        ]
        doubts = _doubts(record)
        findings = []
        if any(record.steps_with(role, kind="write") for role in (_SETTLING, _SHIFTED)):
            unit, (low, high) = unit_of(costs)
            findings = [
                _unit_finding(unit, low, high, costs, writes, doubts),
                _cost_finding(costs, unit, writes, doubts),
                _law_finding(costs, unit, doubts),
            ]
        read_cost = cost_of_shifts(reads)
        return [*findings, _read_finding(read_cost, reads, doubts)]


def _mixed(starts: tuple[int, ...], facts: DriveFacts) -> list[int]:
    """The starts [sectors of 512 B] that this drive can take, in an order that is neither rising nor grouped."""
    possible = [start for start in starts if start * _OLD_SECTOR_BYTES % facts.sector_bytes == 0]
    return [possible[place] for place in np.random.default_rng(63).permutation(len(possible))]


def _run(kind: str, size: int, start: int, span: int, facts: DriveFacts, *, settling: bool = False) -> Step:
    name = f"{kind} {format_bytes_binary(size)} {'settling' if settling else f'from sector {start}'}"
    runtime_ns = facts.per_time(_RUNTIME_NS)
    job: Job = random_writes(
        name.replace(" ", "-"),
        request_bytes=size,
        grid_bytes=size,
        size_bytes=span,
        io_bytes=span,
        runtime_ns=runtime_ns,
        seed=1 + start,
    )
    job = replace(job, offset_bytes=start * _OLD_SECTOR_BYTES)
    words = f"{kind} {format_bytes_binary(size)} from sector"
    labels = (
        Labels.of(_SETTLING, kind=kind, request_bytes=size)
        if settling
        else Labels.of(_SHIFTED, kind=kind, request_bytes=size, start_sectors=start, family=words)
    )
    if kind == "read":
        job = replace(job, direction="randread", read_sizes=job.write_sizes)
        return Workload(name, (job,), _SAMPLE_NS, 0, span, labels=labels)
    return Workload(name, (job,), _SAMPLE_NS, span, 0, labels=labels)


def _measured(record: Record, kind: str) -> list[Shifted]:
    """Every run of a kind, in the order of sizes and starts; runs without enough requests are left out."""
    runs = []
    for step in record.steps_with(_SHIFTED, kind=kind):
        found = None if step.workload is None else _mean_time(step.workload, kind)
        if found is not None:
            start_bytes = step.labels.count("start_sectors") * _OLD_SECTOR_BYTES
            runs.append(Shifted(step.labels.count("request_bytes"), start_bytes, *found))
    return sorted(runs, key=lambda run: (run.request_bytes, run.start_bytes))


def _mean_time(result: WorkloadResult, kind: str) -> tuple[float, float, float] | None:
    """Mean time per request in the second half of a run, with its interval [ns]."""
    requests = np.asarray(result.series[f"{kind}_requests"], dtype=float)[:-1]
    spans = np.diff(np.asarray(result.series["elapsed_ns"], dtype=float), prepend=0.0)[:-1]
    half = len(requests) // 2
    if requests[half:].sum() < 5:
        count = result.totals.get(f"{kind}_requests", 0)
        if not count:
            return None
        mean, factor = result.duration_ns / count, math.exp(1.96 / count**0.5)
        return mean, mean / factor, mean * factor
    return ratio_of_sums(spans[half:], requests[half:])


def _doubts(record: Record) -> tuple[Doubt, ...]:
    facts, doubts = record.drive_facts, []
    if facts.sector_bytes > _OLD_SECTOR_BYTES:
        message = f"sectors are {facts.sector_bytes} B, so starts between them, sector 63 too, cannot be made"
        doubts.append(Doubt("NotAligned", message, "such a drive cannot be misaligned by old partition programs"))
    doubts += below_a_file_doubts(facts, "affect every write")
    if facts.offset_bytes or (facts.device and facts.device.partition_of):
        message = "starts are counted from the start of what is seen, which is not that of the drive"
        doubts.append(Doubt("NotTheWholeDrive", message, "run it on the whole drive to get the unit"))
    return tuple(doubts)


def _unit_finding(
    unit: int | None, low: int, high: int, costs: list[Cost], runs: list[Shifted], doubts: tuple[Doubt, ...]
) -> Finding:
    untold: dict[str, Any] = {}
    if unit is not None:
        named = format_bytes_binary(unit)
        statement = (
            f"Writes are fast at starts that are multiples of {named} and slower at others: the drive's unit is "
            f"{named}."
        )
    elif (hidden_ratio := max((cost.high for cost in costs), default=0.0)) > _HIDDEN_RATIO:
        why = f"the runs differ so much that a cost of {format_percent(hidden_ratio - 1)} would not be seen"
        statement = f"Could not tell the unit, because {why}."
        doubts = (*doubts, Doubt("TooFewSamples", why, "let each run go on for longer"))
        untold = could_not_tell(why)
    elif costs:
        statement = "Writes take as long at every start of a partition: no unit is visible."
        hidden = Doubt("CacheInTheWay", "a buffer or a cache that takes in whole runs hides a unit", "write for longer")
        doubts = (*doubts, hidden)
    else:
        statement = "The unit is not known: too few starts were measured."
        untold = could_not_tell("too few starts were measured")
        doubts = (*doubts, Doubt("TooFewSamples", "fewer than four starts of a size", "run the experiment to its end"))
    rows = [
        {
            "request_bytes": run.request_bytes,
            "start_sectors": run.start_bytes // _OLD_SECTOR_BYTES,
            "requests_per_second": SECOND_NS / run.time_ns,
            "low": SECOND_NS / run.high_ns,
            "high": SECOND_NS / run.low_ns,
        }
        for run in runs
    ]
    return Finding(
        "mapping_unit_bytes",
        statement,
        unit,
        "bytes",
        low if unit is not None else None,
        high if unit is not None else None,
        evidence=_names(runs),
        doubts=doubts,
        details={"runs": rows} | untold,
    )


def _cost_finding(costs: list[Cost], unit: int | None, runs: list[Shifted], doubts: tuple[Doubt, ...]) -> Finding:
    page = next((cost for cost in costs if cost.request_bytes == _PAGE_BYTES), None)
    by_size = {
        str(cost.request_bytes): {
            "ratio": cost.ratio,
            "low": cost.low,
            "high": cost.high,
            "period_bytes": cost.period_bytes,
        }
        for cost in costs
    }
    details = {"by_request_bytes": by_size}
    if page is None:
        statement = (
            "How much a misaligned partition costs is not known: too few starts were measured with 4 KiB writes."
        )
        return Finding("misaligned_cost_ratio", statement, None, "ratio", doubts=doubts, details=details)
    if page.period_bytes is None and page.high > _HIDDEN_RATIO:
        range_ = f"{page.low:.2g} to {page.high:.2g} times the time"
        statement = f"Whether a partition at sector 63 costs anything here is not known: {range_} of 4 KiB writes."
        message = "the times of writes from one start differ as much as those from different starts"
        doubts = (*doubts, Doubt("TooFewSamples", message, "repeat it with more writes from each start"))
    elif page.period_bytes is None:
        statement = "A partition at sector 63 is not slower here: 4 KiB writes take as long at every start."
        if unit is not None:
            statement += " Larger writes are slower there."
    else:
        lost = format_percent(1 - 1 / page.ratio)
        statement = (
            f"A partition at sector 63 costs {lost} of the rate of 4 KiB random writes here ({page.ratio:.3g} times "
            f"the time each); start partitions at 1 MiB."
        )
    return Finding(
        "misaligned_cost_ratio", statement, page.ratio, "ratio", page.low, page.high,
        evidence=_names([run for run in runs if run.request_bytes == _PAGE_BYTES]), doubts=doubts, details=details,
    )  # fmt: skip


def _law_finding(costs: list[Cost], unit: int | None, doubts: tuple[Doubt, ...]) -> Finding:
    """The rate at a misaligned start by U / (U + S), and the measured one."""
    page = next((cost for cost in costs if cost.request_bytes == _PAGE_BYTES), None)
    measured = None if page is None else {"rate_ratio": 1 / page.ratio, "low": 1 / page.high, "high": 1 / page.low}
    if unit is None or measured is None or unit <= _PAGE_BYTES:
        why = (
            "no unit is known"
            if unit is None or measured is None
            else "the unit is no larger than the write, so an aligned write reads nothing first and a misaligned one "
            "reads "
            "two units: below 1/2"
        )
        return Finding(
            "law_ratio", f"The law U / (U + S) does not apply to 4 KiB writes here: {why}.", None, "ratio",
            doubts=doubts, details={"measured": measured},
        )  # fmt: skip
    ratio = misaligned_rate_ratio(_PAGE_BYTES, unit)
    holds = measured["low"] <= ratio <= measured["high"] or abs(measured["rate_ratio"] / ratio - 1) < 0.05
    statement = (
        f"A unit of {format_bytes_binary(unit)} leaves misaligned 4 KiB writes {format_percent(ratio)} of their rate "
        f"by the law U / (U + S); measured: {format_percent(measured['rate_ratio'])}."
    )
    if not holds:
        message = "the cost of a misaligned write is not that of one more unit, rewritten like the first"
        doubts = (
            *doubts,
            Doubt("LawDoesNotHold", message, "a buffer may join neighbours, or units cost unequal times"),
        )
    return Finding(
        "law_ratio", statement, ratio, "ratio", doubts=doubts, details={"measured": measured, "holds": holds}
    )


def _read_finding(cost: Cost | None, runs: list[Shifted], doubts: tuple[Doubt, ...]) -> Finding:
    rows = [
        {"start_sectors": run.start_bytes // _OLD_SECTOR_BYTES, "requests_per_second": SECOND_NS / run.time_ns}
        for run in runs
    ]
    if cost is None:
        statement = "How much slower reads are at a misaligned start is not known: too few starts were measured."
        return Finding("misaligned_read_cost_ratio", statement, None, "ratio", doubts=doubts, details={"runs": rows})
    text = (
        "Reads of 4 KiB take as long at every start."
        if cost.period_bytes is None
        else f"A misaligned start makes 4 KiB reads take {cost.ratio:.3g} times as long."
    )
    return Finding(
        "misaligned_read_cost_ratio", text, cost.ratio, "ratio", cost.low, cost.high,
        evidence=tuple(f"read 4 KiB from sector {run.start_bytes // _OLD_SECTOR_BYTES}" for run in runs),
        doubts=doubts, details={"runs": rows},
    )  # fmt: skip


def _names(runs: list[Shifted]) -> tuple[str, ...]:
    return tuple(
        f"write {format_bytes_binary(run.request_bytes)} from sector {run.start_bytes // _OLD_SECTOR_BYTES}"
        for run in runs
    )
