"""Arrays of 1, 2 ... N members: what each further drive gains, and where the host is the limit. DESTRUCTIVE.

    for n = 1 .. N:   form an array of n fresh members
                      write, read          64 MiB requests, one at a time; a write ends with a flush
                      write, read           1 MiB requests, one at a time; the same
                      both                  both of the latter at once           --> interference ratio
                      read the members      bytes to flash and erases of each    --> wear
                      random reads          4 KiB, 32 outstanding
                      random writes         4 KiB, one at a time                 --> longest freeze

The same bytes for every n. n members have n write buffers, so without the flush a larger share of these bytes would
still be in memory at the end, and four drives would seem more than four times as fast as one. Where that is seen all
the same, the count is left open.
Only an array of virtual drives can be formed again, so a real one is not examined here.
A request of 1 MiB over chunks of 128 KiB is 8 chunks: with 4, 5, 6 or 7 members one of them always has two, so small
requests stop scaling before the host becomes the limit. Analysis: `analysis/scaling.py`, `analysis/interference.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flashscope.analysis.interference import interference_ratio
from flashscope.analysis.scaling import most_beyond_even_share, shared_limit, useful_members
from flashscope.experiments.advice import further
from flashscope.experiments.measured import LAST_TRIED, finished, latency
from flashscope.experiments.read_streams import PAGE_BYTES, random_reads, sequential_reads
from flashscope.experiments.read_write_interference import as_pass
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, Table, WorkloadResult
from flashscope.records.abstention import visible
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_rate, format_time
from flashscope.workloads.job import Job
from flashscope.workloads.steps import FormStripe, Idle, ReadMembers, Step, Workload

_LARGE, _SMALL = 64 * MIB, MIB
_LOAD, _MEMBERS = "load", "members"  # roles
SIZES = {"64 MiB": _LARGE, "1 MiB": _SMALL}
_AMOUNT = (256 * MIB, 512 * MIB, 1024 * MIB)
_RANDOM_REQUESTS = (1_000, 4_000, 10_000)
_WRITES_MORE = "which writes more"


@dataclass
class Array:
    """What was measured on an array of so many members. ways: the way in which it was loaded -> result."""

    ways: dict[str, WorkloadResult] = field(default_factory=dict)
    members: Table | None = None


class StripeScaling:
    """Measures arrays of one to N members."""

    name = "stripe-scaling"
    title = "Stripe scaling"
    question = "What does each further drive of an array bring, and where does the host stop it?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"member_scaling", "host_limit"})
    needs = Needs(Capability.MEMBERS, writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The same work on arrays of one to N members; none on a drive that is no array, or read-only."""
        count = len(facts.members)
        if self.needs.missing(facts, effort):
            return []
        half = whole_requests(facts.user_bytes // count // 2, _LARGE)
        amount = min(effort.choose(*_AMOUNT), half)
        if amount < _LARGE:
            return []
        requests = effort.choose(*_RANDOM_REQUESTS)
        limit_ns = effort.choose(5, 15, 30) * SECOND_NS
        steps: list[Step] = []
        for members in range(1, count + 1):
            steps.append(FormStripe(f"form {members}", members, labels=Labels.of("form", members=members)))
            steps += _large_steps(members, amount, half)
            steps.append(ReadMembers(f"members {members}", labels=Labels.of(_MEMBERS, members=members)))
            steps += _random_steps(members, amount, requests, limit_ns)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """Useful members by request size, the host's limit, interference, longest freeze, wear of members."""
        if not record.steps:
            return []
        arrays = _arrays(record)
        if len(arrays) < 2:
            sentence = "How much another drive of the array brings is not known: fewer than two arrays were measured."
            return [Finding("useful_member_count_read_64_mib", sentence, None, "count")]
        rows = [_row(count, array) for count, array in arrays.items()]
        findings: list[Finding] = []
        for direction in ("read", "write"):
            for size in SIZES:
                findings += _useful(record, direction, size, arrays, rows if not findings else [])
        return [*findings, *_host_limit(arrays), *_interference(rows), *_freeze(record, rows), *_wear(rows)]


def _large_steps(members: int, amount: int, half: int) -> list[Step]:
    steps: list[Step] = []

    def add(name: str, jobs: tuple[Job, ...], written: int, read: int) -> None:
        labels = _labels(name, members)
        steps.append(Workload(f"{name} {members}", jobs, SECOND_NS // 50, written, read, labels=labels))
        if written:
            steps.append(Idle(f"after {name} {members}", 2 * SECOND_NS))

    for size, request in SIZES.items():
        write = sequential_writes(
            f"write-{members}", request_bytes=request, offset_bytes=half, size_bytes=amount, queue_depth=1
        )
        write = replace(write, end_fsync=True)
        read = sequential_reads(
            f"read-{members}", request_bytes=request, offset_bytes=half, size_bytes=amount, queue_depth=1
        )
        add(f"write {size}", (write,), amount, 0)
        add(f"read {size}", (read,), 0, amount)
    again = sequential_writes(f"again-{members}", request_bytes=_SMALL, size_bytes=amount, queue_depth=1)
    add("both 1 MiB", (read, replace(again, end_fsync=True)), amount, amount)
    return steps


def _random_steps(members: int, amount: int, requests: int, limit_ns: int) -> list[Step]:
    moved = min(requests * PAGE_BYTES, amount)
    reads = random_reads(
        f"random-reads-{members}", size_bytes=amount, io_bytes=moved, runtime_ns=limit_ns, queue_depth=32, seed=1
    )
    writes = random_writes(
        f"random-writes-{members}",
        request_bytes=PAGE_BYTES,
        grid_bytes=PAGE_BYTES,
        size_bytes=amount,
        io_bytes=moved,
        runtime_ns=limit_ns,
        seed=2,
    )
    return [
        Workload(f"{way} {members}", (job,), SECOND_NS // 50, written, read, labels=_labels(way, members))
        for way, job, written, read in (("random reads", reads, 0, moved), ("random writes", writes, moved, 0))
    ]


def _labels(way: str, members: int) -> Labels:
    """Labels of a load on an array of so many members; way: one of the loads in the table above."""
    return Labels.of(_LOAD, way=way, members=members, family=way)


def _arrays(record: Record) -> dict[int, Array]:
    """The finished arrays by their number of members, in order; the unfinished one of a stopped run is dropped."""
    arrays: dict[int, Array] = {}
    for step in finished(record, _LOAD):
        if step.workload is not None:
            arrays.setdefault(step.labels.count("members"), Array()).ways[step.labels.word("way")] = step.workload
    for step in record.steps_with(_MEMBERS):
        if step.members is not None:
            arrays.setdefault(step.labels.count("members"), Array()).members = step.members
    most = max((len(array.ways) for array in arrays.values()), default=0)
    return {count: array for count, array in sorted(arrays.items()) if len(array.ways) == most}


def _rate(result: WorkloadResult) -> float:
    moved = result.totals.get("read_bytes", 0) + result.totals.get("written_bytes", 0)
    return moved * SECOND_NS / max(result.duration_ns, 1)


def _rates(arrays: Mapping[int, Array], way: str) -> dict[int, float]:
    return {count: _rate(array.ways[way]) for count, array in arrays.items() if way in array.ways}


def _row(count: int, array: Array) -> dict[str, Any]:
    row: dict[str, Any] = {"members": count}
    for way, result in array.ways.items():
        row[f"{way.replace(' ', '_').lower()}_bytes_per_second"] = _rate(result)
    both, read, write = (array.ways.get(way) for way in ("both 1 MiB", "read 1 MiB", "write 1 MiB"))
    if both and read and write:
        ratio = interference_ratio(as_pass(both), as_pass(read), as_pass(write))
        if ratio is not None:
            row |= {"interference_ratio": ratio.value, "interference_low": ratio.low, "interference_high": ratio.high}
    if "random writes" in array.ways:
        writes = latency(array.ways["random writes"], "write")
        row |= {"longest_freeze_ns": writes.max_ns, "random_write_count": writes.total}
    if array.members is not None:
        for name in ("host_written_bytes", "nand_written_bytes", "erased_blocks"):
            row[f"member_{name}"] = [int(value) for value in array.members[name]]
    return row


def _useful(
    record: Record, direction: str, size: str, arrays: Mapping[int, Array], rows: list[dict[str, Any]]
) -> list[Finding]:
    way = f"{direction} {size}"
    rates = _rates(arrays, way)
    useful = useful_members(rates)
    if useful is None:
        return []
    most = max(rates)
    gain = max(rates.values()) / rates[min(rates)]
    key = f"useful_member_count_{direction}_{size.replace(' ', '_').lower()}"
    evidence = tuple(f"{way} {count}" for count in rates)
    details: dict[str, Any] = {"arrays": rows} if rows else {}
    beyond = most_beyond_even_share(rates)
    if beyond is not None:
        sentence = (
            f"How many drives help with {direction}s of {size} is not known: {beyond} of them reached "
            f"{rates[beyond] / rates[min(rates)]:.3g} times the rate of one, more than so many drives can add."
        )
        message = "the larger array was measured in another state than the single drive, such as with more cache"
        doubt = Doubt("NotAlike", message, further(record, "compare arrays of two drives and more", more=_WRITES_MORE))
        return [Finding(key, sentence, None, "count", evidence=evidence, doubts=(doubt,), details=details)]
    sentence = (
        f"With {direction}s of {size} every drive up to {most} helps: {gain:.3g} times the rate of one, "
        f"{format_rate(rates[most])}."
        if useful == most
        else f"With {direction}s of {size} more than {useful} drives do not help: they stop at "
        f"{format_rate(max(rates.values()))}, {gain:.3g} times one drive."
    )
    details[LAST_TRIED] = useful == most
    return [Finding(key, sentence, useful, "count", evidence=evidence, details=details)]


def _host_limit(arrays: Mapping[int, Array]) -> list[Finding]:
    rates = _rates(arrays, "read 64 MiB")
    limit = shared_limit(rates)
    if limit is None:
        return []
    evidence = tuple(f"read 64 MiB {count}" for count in rates)
    if limit.rate is None:
        sentence = f"The host's limit is not reached: it carries at least {format_rate(limit.at_least)}."
        details = {"at_least_bytes_per_second": limit.at_least} | visible(most=limit.at_least)
        return [Finding("host_limit_bytes_per_second", sentence, None, "bytes/s", evidence=evidence, details=details)]
    return [
        Finding(
            "host_limit_bytes_per_second",
            f"The host carries {format_rate(limit.rate)}: from {limit.last_useful_count} drives on it is the limit, "
            f"where one drive gives {format_rate(limit.member_rate)}.",
            limit.rate,
            "bytes/s",
            limit.low,
            limit.high,
            evidence=evidence,
            details={"last_useful_member_count": limit.last_useful_count, "member_bytes_per_second": limit.member_rate},
        )
    ]


def _interference(rows: list[dict[str, Any]]) -> list[Finding]:
    known = [row for row in rows if "interference_ratio" in row]
    if not known:
        return []
    one, most = known[0], known[-1]
    return [
        Finding(
            "stripe_interference_ratio",
            f"Reading and writing at once takes {most['interference_ratio']:.3g} times as long as one after the other "
            f"with {most['members']} drives, {one['interference_ratio']:.3g} times with {one['members']}.",
            most["interference_ratio"],
            "ratio",
            most["interference_low"],
            most["interference_high"],
            evidence=tuple(f"both 1 MiB {row['members']}" for row in known),
        )
    ]


def _freeze(record: Record, rows: list[dict[str, Any]]) -> list[Finding]:
    known = [row for row in rows if row.get("longest_freeze_ns")]
    if not known:
        return []
    one, most = known[0], known[-1]
    few = most["random_write_count"] < 1000
    message = f"only {most['random_write_count']} random writes were done"
    return [
        Finding(
            "stripe_longest_freeze_ns",
            f"The longest freeze of random 4 KiB writes is {format_time(most['longest_freeze_ns'])} with "
            f"{most['members']} drives, {format_time(one['longest_freeze_ns'])} with {one['members']}.",
            most["longest_freeze_ns"],
            "ns",
            evidence=tuple(f"random writes {row['members']}" for row in known),
            doubts=(Doubt("TooFewSamples", message, further(record, "compare several seeds")),) if few else (),
        )
    ]


def _wear(rows: list[dict[str, Any]]) -> list[Finding]:
    """Flash bytes per host byte of the worst member, divided by those of a single drive."""
    known = [row for row in rows if sum(row.get("member_nand_written_bytes", ())) > 0]
    if len(known) < 2:
        return []
    shares = [max(row["member_nand_written_bytes"]) / sum(row["member_host_written_bytes"]) for row in known]
    ratios = np.array(shares) / shares[0]
    most = known[-1]["members"] / known[0]["members"]
    return [
        Finding(
            "stripe_wear_ratio",
            f"With {known[-1]['members']} drives the most written one takes {ratios[-1]:.1%} of what one alone takes "
            f"for the same work; {1 / most:.1%} would be an even share of the writes.",
            float(ratios[-1]),
            "ratio",
            evidence=tuple(f"members {row['members']}" for row in known),
            details={
                "wear_ratio_by_members": {str(row["members"]): float(r) for row, r in zip(known, ratios, strict=True)}
            },
        )
    ]
