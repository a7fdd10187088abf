"""Write known amounts, read SMART after each, find what changes. DESTRUCTIVE, and wears the drive by several cycles.

    1 1/4 fills   in order, to bring the drive into a known state (quick, on a virtual drive: the fill is laid out)
    4 drive-fills in order, in 96 chunks each, SMART after every chunk     -> host bytes per step
    idle, SMART                                                            -> what changes without writing
    1 drive-fill  of random 4 KiB writes in 96 chunks, SMART after each    -> write amplification
                  (a virtual drive above 96 GB: 0.6 at least, since it settles within 0.2; this saves time)

    standard      4 fills in 64 chunks each, 0.6 at random in 64
    quick         3 fills in 24 chunks each, 0.3 at random in 32: the interval is wider, and TooFewSteps is likely
                  (a virtual drive above 200 GB: 2.4 fills)
    least         1 fill in 24 chunks, 0.2 at random in 24: where a budget does not allow more

A chunk is much smaller than the host bytes per step of an erase counter, since all that is known of a step is that it
lies between two readings. Four fills hold three or four steps of it; with 64 chunks each the first and the last of them
are known so well that the bytes between two are known to a hundredth.
The first 1 1/4 fills are not used: as long as a drive has erased blocks, spare ones included, it fills those and does
not erase.
The places of the readings shift with the seed, so that runs with several seeds tell more than one.
On a block device every random chunk is limited to 75 s, two hours in all; the interval is wider with fewer bytes.
Analysis: `analysis/erase_counter.py`, `analysis/random_write_amplification.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

from flashscope.analysis.counters import Reading
from flashscope.analysis.erase_counter import (
    FLASH_BYTES,
    FLASH_SIDE,
    HOST_BYTES,
    REJECTED,
    Scale,
    Verdict,
    choose_erase_count,
    judge_attributes,
)
from flashscope.analysis.random_write_amplification import random_write_amplification
from flashscope.experiments.advice import further
from flashscope.experiments.smart_inference_extent import (
    CONDITIONING_FILLS,
    QUICK,
    chunk_limit_ns,
    conditioning_fills,
    extent_within,
    is_quick,
)
from flashscope.experiments.states import filled
from flashscope.experiments.streams import (
    SECOND_NS,
    large_request_bytes,
    random_writes,
    sequential_writes,
    whole_requests,
)
from flashscope.records import Doubt, Finding, Labels, Record
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_bytes_binary, format_number, format_time
from flashscope.workloads.job import Job
from flashscope.workloads.steps import Idle, ReadSmart, Step, Workload

_PAGE_BYTES = 4096
_IDLE_NS = PerTimeCost.by_clock(60 * SECOND_NS, free=2 * 3600 * SECOND_NS)
_SAMPLE_NS = 5 * SECOND_NS
_LEAST_STEPS = 2  # drives of flash: after less an erase counter has moved once or not at all
_SHIFT_RATIO = (math.sqrt(5) - 1) / 2  # of a chunk, for each step of the seed: places that never repeat
_READING = "reading of SMART"  # a role
_START, _IDLE = "conditioning", "idle"
_SEQUENTIAL, _RANDOM = "sequential", "random"  # phases, as is "idle"


class SmartInference:
    """Finds which SMART attribute counts erases, the host bytes per step of it, and the write amplification."""

    name = "smart-inference"
    title = "SMART inference"
    question = "Which SMART attribute counts erases, and how much flash is written for each random host write?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"wear_counter", "write_amplification"})
    needs = Needs(
        Capability.SOLID_STATE, Capability.SMART_ATTRIBUTES, writes=True, quick_fills=CONDITIONING_FILLS + QUICK.fills
    )

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Chunks of writing with SMART after each; no step on a drive without attributes (NVMe), or with platters."""
        if self.needs.missing(facts, effort):
            return []
        extent = extent_within(facts, effort)
        if extent is None:
            return []
        request = large_request_bytes(facts.user_bytes)
        span = whole_requests(facts.user_bytes, request)
        steps = [*_conditioned(facts, effort, span, request), _reading(_START, _SEQUENTIAL)]
        chunk = max(whole_requests(span // extent.chunks_per_fill, request), request)
        ends = _ends(span, chunk, request, facts)
        for turn in range(1, math.ceil(extent.fills) + 1):
            last = whole_requests(round(span * min(extent.fills - turn + 1, 1.0)), request)
            for part, (offset, end) in enumerate(pairwise((0, *ends)), start=1):
                if end > last:
                    break
                size = end - offset
                name = f"sequential {turn}.{part}"
                job = sequential_writes(
                    name.replace(" ", "-"), request_bytes=request, offset_bytes=offset, size_bytes=size
                )
                steps += [_load(name, job, size, _SEQUENTIAL), _reading(name, _SEQUENTIAL)]
        steps += [Idle(_IDLE, facts.per_time(_IDLE_NS)), _reading(_IDLE, _IDLE)]
        page = max(_PAGE_BYTES, facts.sector_bytes)
        total = extent.random_bytes(span, facts)
        chunk = max(whole_requests(total // extent.random_chunks, page), page)
        ends = _ends(chunk * extent.random_chunks, chunk, page, facts)
        for part, (before, end) in enumerate(pairwise((0, *ends)), start=1):
            name, size = f"random {part}", end - before
            job = random_writes(
                name.replace(" ", "-"),
                request_bytes=page,
                grid_bytes=page,
                size_bytes=span,
                io_bytes=size,
                runtime_ns=chunk_limit_ns(facts, effort, chunk),
                queue_depth=16,
                seed=part,
            )
            steps += [_load(name, job, size, _RANDOM), _reading(name, _RANDOM)]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """erase_count_attribute, erase_step_host_bytes, write_amplification_random, host_written_attribute."""
        readings = _readings(record)
        sequential = [reading for reading in readings if reading.phase == "sequential"]
        if len(sequential) < 3:
            why = _why_nothing(record, len(sequential))
            statement, untold = f"Nothing can be inferred from SMART: {why}.", could_not_tell(why)
            return [Finding("erase_count_attribute", statement, None, "attribute id", details=untold)]
        facts = record.drive_facts
        user = facts.user_bytes
        scale = Scale(
            user_bytes=user,
            raw_bytes=facts.raw_bytes,
            sequential_request_bytes=large_request_bytes(user),
            random_request_bytes=max(_PAGE_BYTES, facts.sector_bytes),
        )
        verdicts = judge_attributes(readings, scale)
        evidence = tuple(step.name for step in record.steps if step.smart is not None)
        chosen = choose_erase_count(verdicts)
        return [
            _erase_attribute(chosen, verdicts, readings, record, evidence),
            _erase_step(chosen, scale, record, evidence),
            _amplification(chosen, verdicts, readings, record, evidence),
            _host_written(verdicts, evidence),
        ]


def _conditioned(facts: DriveFacts, effort: Effort, span: int, request: int) -> list[Step]:
    """The drive written in order until no erased block is left. A quick run on a virtual drive lays the fill out."""
    total = whole_requests(int(span * conditioning_fills(facts, effort)), request)
    if not is_quick(facts, effort):
        fill = sequential_writes(_START, request_bytes=request, size_bytes=span, io_bytes=total)
        return [Workload(_START, (fill,), _SAMPLE_NS, total, 0)]
    beyond = sequential_writes(_START, request_bytes=request, size_bytes=span, io_bytes=total - span)
    return [filled(facts, f"{_START}: filled"), Workload(_START, (beyond,), _SAMPLE_NS, total - span, 0)]


def _ends(whole: int, chunk: int, request: int, facts: DriveFacts) -> list[int]:
    """Where SMART is read [bytes written]: after each chunk, on a grid that the seed of a virtual drive shifts.

    A counter of few steps gives one value for all drives whose steps fall between the same readings. With the readings
    in other places a run with another seed is a second measurement; seed 0 has a whole first chunk.
    """
    seed = facts.virtual.seed if facts.virtual is not None else 0
    first = max(chunk - whole_requests(round(chunk * (seed * _SHIFT_RATIO % 1)), request), request)
    return [*range(first, whole, chunk), whole]


def _load(name: str, job: Job, amount_bytes: int, phase: str) -> Workload:
    return Workload(name, (job,), _SAMPLE_NS, amount_bytes, 0, labels=Labels.of("load", phase=phase, family=phase))


def _reading(after: str, phase: str) -> ReadSmart:
    """SMART after a step; phase: what has been done to the drive just before."""
    return ReadSmart(f"SMART after {after}", labels=Labels.of(_READING, phase=phase))


def _why_nothing(record: Record, reading_count: int) -> str:
    facts = record.drive_facts
    if not facts.has_smart:
        return "this drive shows no SMART attributes"
    if facts.can(Capability.HEALTH_LOG):
        return "an NVMe drive has no attributes; its health log is the standard one, which counts no erases"
    return f"the run ended after {reading_count} SMART readings in sequential writing; 3 are the least"


def _readings(record: Record) -> list[Reading]:
    """The SMART snapshots in order, each with the host bytes before it; a new phase repeats the last one."""
    readings: list[Reading] = []
    written = 0
    for step in record.steps:
        if step.workload is not None:
            written += int(step.workload.totals.get("written_bytes", 0))
        if step.smart is None or step.labels.role != _READING:
            continue
        phase = step.labels.word("phase")
        if readings and readings[-1].phase != phase:
            readings.append(Reading(phase, readings[-1].host_bytes, readings[-1].smart))
        readings.append(Reading(phase, written, step.smart))
    return readings


def _erase_attribute(
    chosen: Verdict | None,
    verdicts: list[Verdict],
    readings: list[Reading],
    record: Record,
    evidence: tuple[str, ...],
) -> Finding:
    details: dict[str, Any] = {"attributes": [_row(verdict) for verdict in verdicts]}
    if chosen is None and (why := _too_little(readings, record)):
        statement = f"Could not tell whether a SMART attribute counts erases, because {why}."
        details |= could_not_tell(why)
        return Finding("erase_count_attribute", statement, None, "attribute id", evidence=evidence, details=details)
    if chosen is None:
        statement = (
            "No SMART attribute counts erases: none rises once per drive of flash in sequential writing. "
            "Follow the wear by the maker's indicator of life."
        )
        return Finding("erase_count_attribute", statement, None, "attribute id", evidence=evidence, details=details)
    details["layout"] = chosen.layout
    details["also_erase_counts"] = [
        verdict.attribute_id for verdict in verdicts if verdict.role == chosen.role and verdict is not chosen
    ]
    details["series"] = [
        {"phase": reading.phase, "host_bytes": reading.host_bytes, "count": count}
        for reading, count in zip(readings, chosen.counts, strict=True)
    ]
    others = details["also_erase_counts"]
    doubts = []
    if len(others) == 1:
        message = f"attribute {others[0]} moves alike; it is not known which of the two is the average"
        doubts.append(Doubt("Ambiguous", message, "compare them after uneven wear"))
    doubts += _doubt_of_idle(chosen, readings)
    middle = f" It lies between {', '.join(map(str, others))}, so it is the average." if len(others) >= 2 else ""
    statement = (
        f"{_name(chosen)} counts erases ({chosen.layout}): watch it to follow the wear; its value was "
        f"{chosen.counts[-1]} at the end.{middle}"
    )
    return Finding(
        "erase_count_attribute",
        statement,
        chosen.attribute_id,
        "attribute id",
        evidence=evidence,
        doubts=tuple(doubts),
        details=details,
    )


def _too_little(readings: list[Reading], record: Record) -> str:
    """Why an erase counter may have moved too little to be found; "" where it would have."""
    written = [reading.host_bytes for reading in readings if reading.phase == "sequential"]
    least = _LEAST_STEPS * max(record.drive_facts.raw_bytes, record.drive_facts.user_bytes)
    if written[-1] - written[0] >= least:
        return ""
    amount = format_bytes(written[-1] - written[0])
    return f"only {amount} were written in order, and such a counter rises once per drive of flash"


def _doubt_of_idle(chosen: Verdict, readings: list[Reading]) -> list[Doubt]:
    """A time counter looks like an erase counter when the idle time was too short for it to change."""
    idle = [reading.smart.elapsed_ns for reading in readings if reading.phase == "idle"]
    busy = [reading.smart.elapsed_ns for reading in readings if reading.phase == "sequential"]
    growth = chosen.sequential.growth if chosen.sequential else 0
    idle_ns = idle[-1] - idle[0] if idle else 0
    if growth and idle_ns >= (busy[-1] - busy[0]) / growth:
        return []
    message = f"the drive was idle for {format_time(idle_ns)}, too short to rule out that the attribute counts time"
    return [Doubt("IdleTooShort", message, "read SMART before and after leaving the drive idle for some hours")]


def _erase_step(chosen: Verdict | None, scale: Scale, record: Record, evidence: tuple[str, ...]) -> Finding:
    slope = chosen.sequential if chosen else None
    if slope is None:
        return _unknown("erase_step_host_bytes", "bytes", "The bytes written per erase are unknown", evidence)
    step = 1 / slope.rate
    of_flash = (
        f", {step / scale.raw_bytes:.3f} of the {format_bytes_binary(scale.raw_bytes)} of flash in the drive"
        if scale.raw_bytes
        else f", {step / scale.user_bytes:.3f} of the user capacity; about so much flash is in use"
    )
    statement = f"It rises by one per {format_bytes(step)} ({format_bytes_binary(step)}) written in order{of_flash}."
    doubts: tuple[Doubt, ...] = ()
    if slope.growth < 3:
        advice = further(record, "write more in order")
        doubts = (Doubt("TooFewSteps", f"only {slope.growth} steps were seen", advice),)
    high = 1 / slope.low if slope.low > 0 else None
    return Finding(
        "erase_step_host_bytes", statement, step, "bytes", 1 / slope.high, high, evidence=evidence, doubts=doubts
    )


def _amplification(
    chosen: Verdict | None,
    verdicts: list[Verdict],
    readings: list[Reading],
    record: Record,
    evidence: tuple[str, ...],
) -> Finding:
    key = "write_amplification_random"
    flash = (verdict for verdict in verdicts if verdict.role in (FLASH_BYTES, FLASH_SIDE))
    counter = chosen or next(flash, None)
    unit = 0 if counter is None or counter is chosen else _flash_unit_bytes(counter, verdicts)
    found = random_write_amplification(readings, counter, unit_bytes=unit) if counter else None
    if counter is None or found is None:
        return _unknown(key, "ratio", "The write amplification of random writing is unknown", evidence)
    doubts = [replace(doubt, advice=further(record, doubt.advice)) for doubt in found.doubts]
    if unit:
        yardstick = (
            f"in units of {format_bytes_binary(unit)}; sequential writing costs {found.sequential_ratio:.2f} by it"
        )
        message = f"attribute {counter.attribute_id} is taken to count in the unit of the host-write counter"
        doubts.append(Doubt("UnitAssumed", message, "compare with the maker's documentation"))
    else:
        yardstick = "sequential writing taken as 1"
    statement = (
        f"Random 4 KiB writes over the whole drive cost {format_number(found.ratio)} times their bytes in flash, "
        f"by {_name(counter)}, {yardstick}."
    )
    return Finding(key, statement, found.ratio, "ratio", found.low, found.high, evidence=evidence, doubts=tuple(doubts))


def _flash_unit_bytes(counter: Verdict, verdicts: list[Verdict]) -> int:
    """The unit of a flash-side counter that counts somewhat faster than a host-side one, else 0 [bytes].

    Makers use one unit for both; 0.95 to 2 flash bytes per host byte are plausible for sequential writing.
    """
    step_bytes = 1 / counter.sequential.rate if counter.sequential else 0.0
    units = [verdict.unit_bytes for verdict in verdicts if verdict.role == HOST_BYTES]
    return next((unit for unit in units if 0.5 <= step_bytes / unit <= 1.05), 0)


def _host_written(verdicts: list[Verdict], evidence: tuple[str, ...]) -> Finding:
    key = "host_written_attribute"
    counting = [verdict for verdict in verdicts if verdict.role == HOST_BYTES]
    # The finest unit; among equal ones attribute 241, which most makers use.
    counting.sort(key=lambda verdict: (verdict.unit_bytes, verdict.attribute_id != 241, verdict.attribute_id))
    if not counting:
        return _unknown(key, "attribute id", "No attribute counts the bytes the host has written", evidence)
    best = counting[0]
    statement = f"{_name(best)} counts host writes in units of {format_bytes_binary(best.unit_bytes)} ({best.layout})."
    details = {"unit_bytes": best.unit_bytes, "layout": best.layout}
    return Finding(key, statement, best.attribute_id, "attribute id", evidence=evidence, details=details)


def _unknown(key: str, unit: str, words: str, evidence: tuple[str, ...]) -> Finding:
    why = "no attribute moved as it would have to"
    return Finding(key, f"{words}: {why}.", None, unit, evidence=evidence, details=could_not_tell(why))


def _name(verdict: Verdict) -> str:
    return f"Attribute {verdict.attribute_id} (0x{verdict.attribute_id:02X})"


def _row(verdict: Verdict) -> dict[str, Any]:
    return {
        "attribute": verdict.attribute_id,
        "layout": verdict.layout,
        "role": verdict.role,
        "accepted": verdict.role != REJECTED,
        "reason": verdict.reason,
        "unit_bytes": verdict.unit_bytes or None,
        "first": verdict.counts[0] if verdict.counts else None,
        "last": verdict.counts[-1] if verdict.counts else None,
    }
