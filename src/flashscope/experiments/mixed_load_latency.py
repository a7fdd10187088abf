"""Latency of small reads alone, and beside writing at several shares of the drive's own rate. DESTRUCTIVE.

    first half of the drive    | data to read |          second half   | to be written |

    fill the data to read, idle
    alone          4 KiB random reads, one at a time
    write alone    128 KiB writes in order, as fast as the drive takes them      --> its own write rate W
    beside 25 %    the same reads, and writes at 25 % of W
    beside 50 %    ... 50 %
    beside 75 %    ... 75 %

The rate of the background writes follows from the write rate that the same run has measured (`Pace`), so 50 % is an
equally heavy load for every drive. Analysis: `analysis/quantiles.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flashscope.analysis.quantiles import Quantile, quantile
from flashscope.experiments.advice import further
from flashscope.experiments.measured import host_doubts, latency, measured
from flashscope.experiments.read_streams import PAGE_BYTES, random_reads
from flashscope.experiments.streams import SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_number, format_percent, format_rate, format_time
from flashscope.workloads.steps import Idle, Pace, Step, Workload

ALONE, WRITE_ALONE, BACKGROUND = "alone", "write alone", "background"
_ALONE, _WRITE_ALONE, _BESIDE = "reads alone", "writes alone", "reads beside writes"  # roles
SHARES = (0.25, 0.5, 0.75)
_STATED_SHARE = 0.5
_QUANTILES = ((0.5, "p50"), (0.99, "p99"), (0.999, "p999"))
_SPAN_BYTES = 1_000_000_000
_SPAN_SHARE = 1 / 8  # of what may be written
_ALL_SHARES = 1 + sum(SHARES)
_LEAST_SECONDS, _LEAST_BYTES_PER_SECOND = 2, 500_000_000
_WRITE_BYTES = 128 * 1024
_WRITE_DEPTH = 4
_KEPT_UP_RATIO = 0.9


@dataclass(frozen=True)
class Level:
    """Reads beside writing at a share of the drive's own rate [ratio]; 0 is alone."""

    share_ratio: float
    name: str
    result: WorkloadResult
    write_rate: float


_MOST_BYTES_PER_SECOND = PerTimeCost.by_clock(10**9, free=4 * 10**9)  # a real drive is not given more load than that


class MixedLoadLatency:
    """Measures how much longer reads wait beside writing at a quarter, half and three quarters of the write rate."""

    name = "mixed-load-latency"
    title = "Mixed-load latency"
    question = "How much longer do small reads wait while the drive is being written to?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"latency_tail", "interference"})
    needs = Needs(writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Reads alone, writes alone, then both at each share; none where nothing may be written."""
        if self.needs.missing(facts, effort):
            return []
        request = large_request_bytes(facts.user_bytes)
        half = whole_requests(facts.user_bytes // 2, request)
        span = min(whole_requests(effort.at_most(_SPAN_BYTES, _SPAN_SHARE), request), half)
        runtime_ns = effort.choose(2, 5, 20) * SECOND_NS
        write_bytes = min(_WRITE_BYTES, request)
        fill = sequential_writes("prefill", request_bytes=request, size_bytes=span)
        steps: list[Step] = [Workload("prefill", (fill,), SECOND_NS // 4, span, 0), _rest("prefill")]
        # Upper bounds for the plan: the bytes that can be moved within the time limit.
        most_written = runtime_ns // SECOND_NS * facts.per_time(_MOST_BYTES_PER_SECOND)
        if effort.most_bytes is not None:
            most_written = min(most_written, whole_requests(round((effort.most_bytes - span) / _ALL_SHARES), request))
            if most_written < _LEAST_SECONDS * min(facts.link_bytes_per_second, _LEAST_BYTES_PER_SECOND):
                return []  # the writing would end long before the reading beside it
        most_read = runtime_ns // SECOND_NS * 100_000 * PAGE_BYTES

        def reads(seed: int) -> Workload:
            job = random_reads(
                "reads", size_bytes=span, io_bytes=most_read, runtime_ns=runtime_ns, time_based=True, seed=seed
            )
            return Workload(ALONE, (job,), SECOND_NS // 50, 0, most_read, labels=Labels.of(_ALONE))

        writes = sequential_writes(
            BACKGROUND,
            request_bytes=write_bytes,
            offset_bytes=half,
            size_bytes=span,
            io_bytes=most_written,
            runtime_ns=runtime_ns,
            queue_depth=_WRITE_DEPTH,
        )
        steps += [
            reads(1),
            Workload(WRITE_ALONE, (writes,), SECOND_NS // 50, most_written, 0, labels=Labels.of(_WRITE_ALONE)),
            _rest(WRITE_ALONE),
        ]
        for seed, share in enumerate(SHARES, start=2):
            name = _beside(share)
            pace = Pace(BACKGROUND, _WRITE_ALONE, share)
            both, written = (*reads(seed).jobs, writes), round(most_written * share)
            labels = Labels.of(_BESIDE, share_ratio=share)
            steps += [Workload(name, both, SECOND_NS // 50, written, most_read, pace, labels=labels), _rest(name)]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """How many times as long reads wait beside writing at half rate: median, slowest 1 in 100 and 1 in 1000."""
        if not record.steps:
            return []
        alone, write_alone = measured(record, _ALONE), measured(record, _WRITE_ALONE)
        levels = [
            Level(share, _beside(share), result, _rate(result))
            for share in SHARES
            if (result := measured(record, _BESIDE, share_ratio=share)) is not None
        ]
        stated = next((level for level in levels if level.share_ratio == _STATED_SHARE), None)
        whole = 0.0 if write_alone is None else _rate(write_alone)
        if alone is None or stated is None or whole <= 0:
            sentence = "How long reads wait beside writing is not known: a level was not measured."
            return [Finding(f"read_wait_{name}_ratio", sentence, None, "times") for _, name in _QUANTILES]
        rows = [_row(Level(0.0, ALONE, alone, 0.0)), *(_row(level) for level in levels)]
        evidence = (ALONE, WRITE_ALONE, *(level.name for level in levels))
        doubts = _doubts(record, levels, whole)
        findings = []
        for share, name in _QUANTILES:
            before, beside = quantile(latency(alone, "read"), share), quantile(latency(stated.result, "read"), share)
            if before is None or beside is None:
                continue
            findings.append(
                Finding(
                    f"read_wait_{name}_ratio",
                    _sentence(name, before, beside, stated.write_rate, whole),
                    beside.value_ns / before.value_ns,
                    "times",
                    beside.low_ns / before.high_ns,
                    beside.high_ns / before.low_ns,
                    evidence=evidence,
                    doubts=(*doubts, *_few(record, before, beside)),
                    details={"levels": rows, "write_bytes_per_second": whole} if name == "p50" else {},
                )
            )
        return findings


def _beside(share: float) -> str:
    return f"beside {share:.0%}".replace("%", " %")


def _rest(after: str) -> Idle:
    return Idle(f"after {after}", 2 * SECOND_NS)


def _rate(result: WorkloadResult) -> float:
    return result.totals.get("written_bytes", 0) * SECOND_NS / max(result.duration_ns, 1)


def _sentence(name: str, before: Quantile, beside: Quantile, written: float, whole: float) -> str:
    """written: the rate of the writes beside the reads, whole: that of writes alone [bytes/s]."""
    which = {"p50": "An ordinary read", "p99": "1 read in 100", "p999": "1 read in 1000"}[name]
    times = beside.value_ns / before.value_ns
    more = "waits as long" if times < 1.05 else f"waits {format_number(times)} times as long"
    share = format_percent(written / whole)
    reached = f"half its rate ({format_rate(_STATED_SHARE * whole)})"
    if written < _KEPT_UP_RATIO * _STATED_SHARE * whole:
        reached = f"{share} of its rate ({format_rate(written)}), as it took no more beside reads"
    return (
        f"{which} {more} while the drive is written to at {reached}: "
        f"{format_time(before.value_ns)} alone, {format_time(beside.value_ns)} beside."
    )


def _few(record: Record, before: Quantile, beside: Quantile) -> list[Doubt]:
    beyond = min(before.beyond_count, beside.beyond_count)
    if beyond >= 10:
        return []
    advice = further(record, "compare the median instead")
    return [Doubt("TooFewSamples", f"only {beyond} reads lie beyond it", advice)]


def _doubts(record: Record, levels: list[Level], whole: float) -> list[Doubt]:
    doubts = host_doubts(record, 0.0)
    behind = [level for level in levels if level.write_rate < _KEPT_UP_RATIO * level.share_ratio * whole]
    if behind:
        said = ", ".join(f"{level.write_rate / whole:.0%} for {level.share_ratio:.0%}" for level in behind)
        message = f"the writes beside the reads did not reach their rates, as shares of the drive's own: {said}"
        doubts.append(
            Doubt(
                "BackgroundFellBehind",
                message,
                "beside reads the drive takes fewer writes; compare drives by the shares that were reached",
            )
        )
    return doubts


def _row(level: Level) -> dict[str, Any]:
    reads = latency(level.result, "read")
    row: dict[str, Any] = {
        "name": level.name,
        "share_ratio": level.share_ratio,
        "written_bytes_per_second": level.write_rate,
        "request_count": reads.total,
        "max_ns": reads.max_ns,
    }
    for share, name in _QUANTILES:
        found = quantile(reads, share)
        if found is not None:
            row |= {f"{name}_ns": found.value_ns, f"{name}_low_ns": found.low_ns, f"{name}_high_ns": found.high_ns}
    return row
