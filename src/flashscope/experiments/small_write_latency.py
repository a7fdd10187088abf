"""The time of a 512 B write as AS SSD measures it, and of a 4 KiB write; the time of a random read. DESTRUCTIVE.

    secure erase -> 1 GB written in order -> 5 s -> random reads over the whole drive, one at a time: 512 B | 4 KiB
                 -> random writes inside the gigabyte: 512 B | 4 KiB aligned

AS SSD's "Acc.time": mean time of random 512 B writes inside a 1 GB file, and of random reads over the whole drive.
A drive that keeps its data in larger units must read, change and rewrite a unit for each 512 B, so 512 B take
longer than 4 KiB although they are an eighth of the data. If a buffer gathers them, it does so only once per unit. The
first half of the writes is not used: until then a write buffer may accept writes faster than the flash does them.
--read-only: the reads alone.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.experiments.advice import further
from flashscope.experiments.profiles.as_ssd import FILE_BYTES
from flashscope.experiments.profiles.marked import doubt_of_empty_places, doubts_of_run
from flashscope.experiments.profiles.passes import Load, one_pass
from flashscope.experiments.profiles.test_file import MIB, TestFile, place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding, Labels, Record, Status, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_time
from flashscope.vocabulary import Direction
from flashscope.workloads.steps import Idle, SecureErase, Step

_SMALL_BYTES, _PAGE_BYTES = 512, 4096
_SMALL_REQUESTS = "small requests"  # a role
_DEARER_RATIO = 1.15
_SETTLE_NS = 5 * SECOND_NS


class SmallWriteLatency:
    """Finds how long a 512 B write takes, and whether that is more than it should be."""

    name = "small-write-latency"
    title = "Small-write latency"
    question = "How long does a 512 B write take, and does it cost a read and a rewrite?"
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset({"small_write_cost"})
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The file in order, the two kinds of writes inside it, the two kinds of reads over the whole drive."""
        file, whole = place_test_file(facts, FILE_BYTES, effort=effort), TestFile(0, facts.user_bytes // MIB * MIB)
        runtime_ns = effort.choose(1, 4, 10) * SECOND_NS
        steps: list[Step] = []
        if not effort.read_only:
            steps += [SecureErase("secure erase")] if facts.can_secure_erase else []
            steps += [one_pass("test file", Load("test_file", "write", MIB), file), Idle("buffer empties", _SETTLE_NS)]
        directions: list[tuple[str, Direction, TestFile, int]] = [("read", "randread", whole, runtime_ns // 2)]
        if not effort.read_only:
            directions.append(("write", "randwrite", file, runtime_ns))
        return steps + [
            replace(
                one_pass(_name(word, size), Load(word, direction, size), span, runtime_ns=limit_ns),
                labels=Labels.of(_SMALL_REQUESTS, direction=word, request_bytes=size),
            )
            for word, direction, span, limit_ns in directions
            for size in _sizes(facts.sector_bytes)
        ]

    def analyse(self, record: Record) -> list[Finding]:
        """access_time_write_ns, access_time_read_ns, the same with 4 KiB, small_write_cost_ratio."""
        sizes = _sizes(record.drive_facts.sector_bytes)
        doubts = doubts_of_run(record, wanted_bytes=FILE_BYTES)
        if sizes[0] > _SMALL_BYTES:
            message = f"the drive's sector is {format_bytes_binary(sizes[0])}, so 512 B cannot be asked for"
            doubts.append(Doubt("CellsLeftOut", message, "compare with drives of the same sector only"))
        findings: list[Finding] = []
        times: dict[tuple[str, int], tuple[float, float, float]] = {}
        for direction in ("write", "read"):
            for size in sizes:
                step = record.step_with(_SMALL_REQUESTS, direction=direction, request_bytes=size)
                found = None if step is None else _time_per_request(step, direction)
                if found is None:
                    continue
                times[direction, size] = found
                own = (*doubts, *doubt_of_empty_places(record)) if direction == "read" else tuple(doubts)
                findings.append(_time(direction, size, size == sizes[0], found, own))
        if len(sizes) == 2 and ("write", sizes[0]) in times and ("write", sizes[1]) in times:
            small, page = times["write", sizes[0]], times["write", sizes[1]]
            advice = further(record, "take both sizes as equally dear")
            findings.append(_cost(small, page, sizes, tuple(doubts), advice))
        return findings


def _sizes(sector_bytes: int) -> tuple[int, ...]:
    """The smallest request and 4 KiB; only one size where they are equal [bytes]."""
    return tuple(dict.fromkeys((max(_SMALL_BYTES, sector_bytes), max(_PAGE_BYTES, sector_bytes))))


def _name(direction: str, size_bytes: int) -> str:
    return f"{direction} {format_bytes_binary(size_bytes)}"


def _time_per_request(step: StepRecord, direction: str) -> tuple[float, float, float] | None:
    """Mean time of a request with its interval [ns]: at queue depth 1, elapsed time / requests."""
    result = step.workload
    if result is None or step.status not in (Status.DONE, Status.INTERRUPTED):
        return None
    requests = np.asarray(result.series[f"{direction}_requests"], dtype=float)
    spans = np.diff(np.asarray(result.series["elapsed_ns"], dtype=float), prepend=0.0)
    half = len(requests) // 2 if direction == "write" else 0
    if requests[half:].sum() == 0:
        return None
    return ratio_of_sums(spans[half:], requests[half:])


def _time(
    direction: str, size: int, is_smallest: bool, found: tuple[float, float, float], doubts: tuple[Doubt, ...]
) -> Finding:
    mean, low, high = found
    where = "inside a written gigabyte" if direction == "write" else "anywhere on the drive"
    return Finding(
        f"access_time_{direction}_ns" if is_smallest else f"access_time_{direction}_4k_ns",
        f"A random {direction} of {format_bytes_binary(size)} {where} takes {format_time(mean)}.",
        mean,
        "ns",
        low,
        high,
        evidence=(_name(direction, size),),
        doubts=doubts,
        details={"request_bytes": size},
    )


def _cost(
    small: tuple[float, float, float],
    page: tuple[float, float, float],
    sizes: tuple[int, ...],
    doubts: tuple[Doubt, ...],
    advice: str,
) -> Finding:
    """advice: what to do where the two times cannot be told apart."""
    ratio, low, high = small[0] / page[0], small[1] / page[2], small[2] / page[1]
    words = format_bytes_binary(sizes[0])
    if low > _DEARER_RATIO:
        statement = (
            f"A {words} write takes {ratio:.1f} times as long as one of 4 KiB: it costs a read and a rewrite; "
            "give the drive whole 4 KiB (logical-sector emulation, larger clusters)."
        )
    elif high < _DEARER_RATIO:
        statement = (
            f"A {words} write takes no longer than one of 4 KiB ({ratio:.2f} times): its cost is hidden by a buffer, "
            "there is none, or 4 KiB writes are rewritten too; the small-write matrix shows which."
        )
    else:
        statement = f"Whether a {words} write costs more than one of 4 KiB is not known ({ratio:.2f} times)."
        doubts += (Doubt("TooFewSamples", "the two times overlap", advice),)
    evidence = (_name("write", sizes[0]), _name("write", sizes[1]))
    return Finding("small_write_cost_ratio", statement, ratio, "ratio", low, high, evidence=evidence, doubts=doubts)
