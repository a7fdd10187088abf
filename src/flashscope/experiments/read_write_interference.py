"""Read, write, then both at once: how much do reading and writing hinder each other? DESTRUCTIVE.

    first half of the drive        | data to read  |
    second half                                    | to be written |

    fill the data to read, idle
    three times:  read     all of it in order
                  write    as much, in order
                  both     two streams at once, the same amounts          --> interference ratio
                  single read, single write                               the same, one request at a time
                  in turn  one stream of reads and writes, one at a time  --> the ratio for a program that copies

Requests of 1 MiB; 8 outstanding in each stream of the first three. The data comes from and goes to the program's
memory, so no time of a second drive has to be subtracted. Copying files within a drive, with its file system, is
another experiment.
Analysis: `analysis/interference.py`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flashscope.analysis.interference import Interference, Pass, interference_ratio, joined
from flashscope.experiments.advice import further
from flashscope.experiments.measured import finished, host_doubts, measured
from flashscope.experiments.read_streams import mixed_requests, sequential_reads
from flashscope.experiments.streams import SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, WorkloadResult
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_rate
from flashscope.workloads.steps import Idle, Step, Workload

READ, WRITE, BOTH = "read", "write", "both"
SINGLE_READ, SINGLE_WRITE, IN_TURN = "single read", "single write", "in turn"
_PASS = "pass"  # a role; its label "way" is one of the six above
_RATIOS = {
    "interference_ratio": (READ, WRITE, BOTH),
    "interference_ratio_in_turn": (SINGLE_READ, SINGLE_WRITE, IN_TURN),
}
_AMOUNT_BYTES = (128_000_000, 512_000_000, 1_000_000_000)
_LEAST_BYTES = 16_000_000
_WRITTEN_EACH_TURN = 4  # times the amount: write, both, single write, in turn
_MOST_REPEATS = 5
_HINDERED, _SIDE_BY_SIDE = 1.05, 0.95


class ReadWriteInterference:
    """Compares reading and writing at once with reading and writing one after the other."""

    name = "read-write-interference"
    title = "Read/write interference"
    question = "How much do reading and writing hinder each other when they happen at the same time?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"interference"})
    needs = Needs(writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A fill of the data to read, then the passes, several times; no step where nothing may be written."""
        if self.needs.missing(facts, effort):
            return []
        request = large_request_bytes(facts.user_bytes)
        half = whole_requests(facts.user_bytes // 2, request)
        turns = effort.choose(2, 3, _MOST_REPEATS)
        passes = 1 + turns * _WRITTEN_EACH_TURN
        amount = whole_requests(effort.at_most(min(effort.choose(*_AMOUNT_BYTES), half), 1 / passes), request)
        if amount < min(half, _LEAST_BYTES):
            return []
        fill = sequential_writes("prefill", request_bytes=request, size_bytes=amount)
        steps: list[Step] = [Workload("prefill", (fill,), SECOND_NS // 4, amount, 0), _rest("prefill")]
        for turn in range(1, turns + 1):
            steps += _turn(turn, request, amount, half)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """interference_ratio (two streams) and interference_ratio_in_turn (one stream)."""
        findings: list[Finding] = []
        for key, ways in _RATIOS.items():
            passes = {way: _passes(way, record) for way in ways}
            read, write, both = passes.values()
            evidence = tuple(step.name for step in finished(record, _PASS) if step.labels.word("way") in ways)
            ratio = interference_ratio(both, read, write) if both and read and write else None
            if ratio is None or both is None or read is None or write is None:
                if record.steps:
                    sentence = "How much reading and writing hinder each other is not known: a pass was not measured."
                    findings.append(Finding(key, sentence, None, "ratio", evidence=evidence))
                continue
            findings.append(
                Finding(
                    key,
                    _statement(ways[-1], ratio),
                    ratio.value,
                    "ratio",
                    ratio.low,
                    ratio.high,
                    evidence=evidence,
                    doubts=tuple(_doubts(record, ways[1])),
                    details={
                        "passes": [
                            {
                                "name": name,
                                "bytes_per_second": one.moved_bytes * SECOND_NS / one.duration_ns,
                                "duration_ns": one.duration_ns,
                                "moved_bytes": one.moved_bytes,
                            }
                            for name, one in passes.items()
                            if one is not None
                        ]
                    },
                )
            )
        return findings


def _rest(after: str) -> Idle:
    """Idle time before the next pass, to empty a write buffer and to finish garbage collection in idle time."""
    return Idle(f"after {after}", 2 * SECOND_NS)


def _turn(turn: int, request: int, amount: int, half: int) -> list[Step]:
    read = sequential_reads(f"read-{turn}", request_bytes=request, size_bytes=amount)
    write = sequential_writes(f"write-{turn}", request_bytes=request, offset_bytes=half, size_bytes=amount)
    mixed = mixed_requests(
        f"in-turn-{turn}",
        in_order=True,
        request_bytes=request,
        size_bytes=amount,
        read_share_ratio=0.5,
        io_bytes=amount,
        seed=turn,
    )
    steps: list[Step] = []
    for way, jobs, written, read_bytes in (
        (READ, (read,), 0, amount),
        (WRITE, (write,), amount, 0),
        (BOTH, (read, write), amount, amount),
        (SINGLE_READ, (replace(read, queue_depth=1),), 0, amount),
        (SINGLE_WRITE, (replace(write, queue_depth=1),), amount, 0),
        (IN_TURN, (mixed,), amount, amount),
    ):
        name = f"{way} {turn}"
        labels = Labels.of(_PASS, way=way, turn=turn, family=way)
        steps += [Workload(name, jobs, SECOND_NS // 50, written, read_bytes, labels=labels), _rest(name)]
    return steps


def _passes(way: str, record: Record) -> Pass | None:
    found = (measured(record, _PASS, way=way, turn=turn) for turn in range(1, _MOST_REPEATS + 1))
    return joined([as_pass(result) for result in found if result is not None])


def as_pass(result: WorkloadResult) -> Pass:
    """The bytes, times and rows of a workload step."""
    series = result.series
    amounts = np.asarray(series["read_bytes"], dtype=float) + np.asarray(series["written_bytes"], dtype=float)
    spans = np.diff(np.asarray(series["elapsed_ns"], dtype=float), prepend=0.0)
    totals = result.totals
    return Pass(totals.get("read_bytes", 0), totals.get("written_bytes", 0), result.duration_ns, amounts, spans)


def _statement(way: str, ratio: Interference) -> str:
    how = "at once" if way == BOTH else "in turn, one request at a time,"
    if ratio.low > _HINDERED:
        return (
            f"Reading and writing {how} takes {ratio.value:.3g} times as long as one after the other: they hinder each "
            "other; copy through another drive, or in large pieces."
        )
    if ratio.high < _SIDE_BY_SIDE:
        return (
            f"Reading and writing {how} takes {ratio.value:.0%} of the time of one after the other: they work "
            f"in parallel."
        )
    if ratio.low < _SIDE_BY_SIDE and ratio.high > _HINDERED:
        return (
            f"Reading and writing {how} takes {ratio.low:.2g} to {ratio.high:.2g} times as long as one after another: "
            "the passes differ too much to say more."
        )
    return f"Reading and writing {how} takes {ratio.value:.3g} times as long as one after the other: they take turns."


def _doubts(record: Record, way: str) -> list[Doubt]:
    doubts = host_doubts(record, 0.0)
    writes = [step.workload for step in finished(record, _PASS, way=way) if step.workload is not None]
    if writes:
        spread = [result.duration_ns for result in writes]
        if max(spread) > 1.25 * min(spread):
            rates = sorted(result.totals["written_bytes"] * SECOND_NS / result.duration_ns for result in writes)
            message = f"separate writes ran at {format_rate(rates[0])} to {format_rate(rates[-1])} from turn to turn"
            advice = further(record, "look at the single turns; a buffer or garbage collection is at work")
            doubts.append(Doubt("NotSteady", message, advice))
        amount = max(result.totals["written_bytes"] for result in writes)
        if min(spread) < SECOND_NS:
            message = f"{format_bytes(amount)} were written in less than a second: a cache may have taken them in"
            advice = further(record, "take a larger drive, of which more is written", more="which writes more")
            doubts.append(Doubt("CacheInTheWay", message, advice))
    return doubts
