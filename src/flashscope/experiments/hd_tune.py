"""HD Tune Pro: transfer rate over the address range, access time, burst rate. DESTRUCTIVE.

    secure erase -> evenly spaced places written -> 5 s -> the same places read -> access time, burst rate
    --full: again with blocks of 4 MB and 64 MB, as the documents had them

The program reads a drive as it is. A flash drive answers reads of places never written without its flash, so the
curve of a new drive would show its interface: here each place is written just before the curves, which gives the
write curve too. --read-only: the read curve of what is there. Definitions: `profiles/hd_tune.py`.
"""

from __future__ import annotations

from typing import Any, Literal

from flashscope.experiments.profiles import hd_tune
from flashscope.experiments.profiles.marked import doubt_of_empty_places, doubts_of_run
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_percent, format_rate, format_time
from flashscope.workloads.steps import Idle, SecureErase, Step

_FASTER = 1.05  # the burst over the fastest place: below it, a memory of the drive does not show
_EVEN_RATIO = 0.9
_SETTLE_NS = 5 * SECOND_NS


class HdTune:
    """What HD Tune's benchmark page would show."""

    name = "hd-tune"
    title = "HD Tune"
    question = "How does the transfer rate change over the address range, and how long does an access take?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()  # others measure the same
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Secure erase, write curve, read curve, access time and burst; read-only without the first two."""
        count, point_bytes = effort.choose(8, 32, 64), hd_tune.POINT_BYTES * (4 if facts.is_rotational else 1)
        steps: list[Step] = []
        if not effort.read_only:
            steps += [SecureErase("secure erase")] if facts.can_secure_erase else []
            steps += hd_tune.hd_tune("", facts, direction="write", point_count=count, point_bytes=point_bytes)
            steps.append(Idle("write buffer empties", _SETTLE_NS))
        steps += hd_tune.hd_tune("", facts, point_count=count, point_bytes=point_bytes)
        steps += hd_tune.access_and_burst("", facts, runtime_ns=effort.choose(1, 2, 4) * SECOND_NS)
        if effort.extent is Extent.FULL:
            for block in hd_tune.LARGER_BLOCKS_BYTES:
                if 2 * block <= facts.user_bytes:
                    steps += hd_tune.hd_tune(_condition(block), facts, block_bytes=block, point_count=count // 4)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """seq_read (the average), seq_read_min, seq_read_max, the same of writes, burst_rate, access_time_read_ns."""
        findings: list[Finding] = []
        for direction in ("read", "write"):
            findings += _curve(record, direction)
        access_ns, burst = hd_tune.access_time_ns(record), hd_tune.burst(record)
        if access_ns is not None:
            findings.append(
                Finding(
                    "access_time_read_ns",
                    f"A random read of one sector anywhere on the drive takes {format_time(access_ns)} on average.",
                    access_ns,
                    "ns",
                    evidence=(f"{hd_tune.ACCESS_TIME} pass 1",),
                    doubts=doubt_of_empty_places(record),
                )
            )
        if burst is not None:
            statement = f"The same 64 KiB, read again and again, come at {format_rate(burst.value)}: "
            fastest = next((finding.value for finding in findings if finding.key == "seq_read_max"), None)
            statement += (
                "no faster than others, so they come from the medium, too, or the link is the limit of both."
                if isinstance(fastest, float) and burst.value < _FASTER * fastest
                else "this is the link without the medium."
            )
            findings.append(Finding("burst_rate", statement, burst.value, "bytes/s", evidence=burst.evidence))
        return findings + _larger_blocks(record)


def _condition(block_bytes: int) -> str:
    return f"{format_bytes_binary(block_bytes)} blocks"


def _curve(record: Record, direction: Literal["read", "write"]) -> list[Finding]:
    curve = hd_tune.curve(record, "", direction)
    if curve is None:
        return []
    doubts = (*doubts_of_run(record), *_failed_places(curve))
    shape = (
        "the same everywhere"
        if curve.minimum > _EVEN_RATIO * curve.maximum
        else f"the slowest place reaches {format_percent(curve.minimum / curve.maximum)} of the fastest"
    )
    words = "Reading" if direction == "read" else "Writing"
    details: dict[str, Any] = {
        "points": [{"offset_bytes": point.offset_bytes, "rate": point.rate} for point in curve.points],
        "block_bytes": hd_tune.BLOCK_BYTES,
    }
    evidence = tuple(point.step for point in curve.points)
    key = f"seq_{direction}"
    statement = f"{words} 64 KiB at a time runs at {format_rate(curve.average)} on average, {shape}."
    return [
        Finding(
            key,
            statement,
            curve.average,
            "bytes/s",
            curve.minimum,
            curve.maximum,
            evidence=evidence,
            doubts=doubts,
            details=details,
        ),
        _end(f"{key}_min", f"{words} is slowest", curve.minimum, evidence),
        _end(f"{key}_max", f"{words} is fastest", curve.maximum, evidence),
    ]


def _failed_places(curve: hd_tune.Curve) -> tuple[Doubt, ...]:
    if not curve.failed_count:
        return ()
    message = f"{curve.failed_count} more places have no rate: every request there failed"
    return (Doubt("RequestsFailed", message, "check whether the drive gives back what is written to it"),)


def _end(key: str, words: str, rate: float, evidence: tuple[str, ...]) -> Finding:
    return Finding(key, f"{words} at {format_rate(rate)}.", rate, "bytes/s", evidence=evidence)


def _larger_blocks(record: Record) -> list[Finding]:
    findings = []
    for block in hd_tune.LARGER_BLOCKS_BYTES:
        curve = hd_tune.curve(record, _condition(block))
        if curve is None:
            continue
        size = format_bytes_binary(block)
        findings.append(
            Finding(
                f"seq_read_{block >> 20}mib_blocks",
                f"Reading {size} at a time runs at {format_rate(curve.average)} on average.",
                curve.average,
                "bytes/s",
                curve.minimum,
                curve.maximum,
                evidence=tuple(point.step for point in curve.points),
                doubts=_failed_places(curve),
            )
        )
    return findings
