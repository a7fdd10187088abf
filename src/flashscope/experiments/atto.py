"""ATTO Disk Benchmark: write and read rate by request size, 512 B to 64 MB, queue depth 4. DESTRUCTIVE.

    secure erase -> 256 MiB file -> each power of two: write, read

Each size ends after 0.3 s (--quick), 2 s, or 10 s (--full), or when the file is done. --read-only: the reads on what
lies there. Definitions: `profiles/atto.py`.
"""

from __future__ import annotations

from typing import Any

from flashscope.experiments.advice import further
from flashscope.experiments.profiles import atto
from flashscope.experiments.profiles.marked import doubts_of_run
from flashscope.experiments.profiles.passes import Score
from flashscope.experiments.profiles.test_file import place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_rate
from flashscope.workloads.steps import SecureErase, Step

_FULL_SPEED_RATIO = 0.9


class Atto:
    """The bars of ATTO's window."""

    name = "atto"
    title = "ATTO Disk Benchmark"
    question = "How large must sequential requests be for the drive to reach its full rate?"
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset()  # others measure the same
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Secure erase where possible, the file, then write and read for each size; --quick every second size."""
        erase = facts.can_secure_erase and not effort.read_only
        file = place_test_file(facts, atto.FILE_BYTES, effort=effort)
        wanted = effort.choose(atto.SIZES_BYTES[1::2], atto.SIZES_BYTES, atto.SIZES_BYTES)
        return [
            *([SecureErase("secure erase")] if erase else []),
            *atto.atto(
                "",
                file,
                sizes_bytes=atto.sizes_for(file, facts.sector_bytes, wanted),
                at_most_ns=round(effort.choose(0.3, 2.0, 10.0) * SECOND_NS),
                pause_ns=effort.choose(atto.PAUSE_NS // 2, atto.PAUSE_NS, atto.PAUSE_NS),
                reads_only=effort.read_only,
            ),
        ]

    def analyse(self, record: Record) -> list[Finding]:
        """read_rate_max, write_rate_max (bytes/s) and the size from which 90 % of it comes; the bars in details."""
        found = atto.scores(record)
        doubts = doubts_of_run(record, wanted_bytes=atto.FILE_BYTES)
        if found["write"]:
            message = (
                "the data are zeros, as in the program: a drive that compresses or skips them looks faster than it is"
            )
            doubts.append(Doubt("CompressibleData", message, "compare with a program that writes random data"))
        findings = []
        for direction in ("read", "write"):
            findings += _of_direction(direction, found[direction], (*doubts, *_cut_short(record, found[direction])))
        return findings


def _cut_short(record: Record, scores: dict[int, Score]) -> list[Doubt]:
    """When the fastest size ended by its time, a write buffer may have taken in all of it."""
    if not scores:
        return []
    step = record.step(max(scores.values(), key=lambda score: score.value).evidence[0])
    moved = step.workload.totals if step.workload else {}
    planned = step.parameters["bytes_to_write"] + step.parameters["bytes_to_read"]
    if moved.get("read_bytes", 0) + moved.get("written_bytes", 0) >= planned:
        return []
    message = (
        "the time limit ended the fastest size before the whole file was written; a buffer may have held all of it"
    )
    return [Doubt("TooShort", message, further(record, "look at the smaller bars, whose files were written whole"))]


def _of_direction(direction: str, scores: dict[int, Score], doubts: tuple[Doubt, ...]) -> list[Finding]:
    if not scores:
        return []
    best_size, best = max(scores.items(), key=lambda item: item[1].value)
    enough = min(size for size, score in scores.items() if score.value >= _FULL_SPEED_RATIO * best.value)
    evidence = tuple(step for score in scores.values() for step in score.evidence)
    bars: list[dict[str, Any]] = [{"request_bytes": size, "rate": score.value} for size, score in scores.items()]
    words = "Reads" if direction == "read" else "Writes"
    reach = f"{words} reach {format_rate(best.value)} at {format_bytes_binary(best_size)}"
    statement = f"{reach}; requests of {format_bytes_binary(enough)} already have nine tenths of it."
    return [
        Finding(
            f"{direction}_rate_max",
            statement,
            best.value,
            "bytes/s",
            evidence=evidence,
            doubts=doubts,
            details={"bars": bars},
        ),
        Finding(
            f"{direction}_size_for_full_rate_bytes",
            f"{words} of {format_bytes_binary(enough)} and more run at full rate with four outstanding.",
            enough,
            "bytes",
            evidence=evidence,
            doubts=doubts,
        ),
    ]
