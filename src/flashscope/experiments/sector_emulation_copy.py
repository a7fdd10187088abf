"""Copy a tree of many small files, with logical sectors of 512 B and with 4096 B. DESTRUCTIVE.

    for each sector size      secure erase (where possible) and a new file system
                              write the tree from memory
                              copy it within the drive, three times

A file system keeps a record of 1 KiB for each file, and writes records in that size. With logical sectors of 4096 B a
record has 4 KiB, and no write is smaller than a cluster. A drive that must read, change and write back for smaller
writes gains from that. Virtual drives whose own sectors are larger than 512 B cannot be measured. In a directory, a
loop device over a file provides the sector size, with a file system of its own on it; that needs root.
Analysis: the ratio of mean durations, Student's interval over the passes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from flashscope.analysis.delay_ratio import positive_interval
from flashscope.experiments.advice import further
from flashscope.experiments.file_steps import ended_s, file_room_bytes, total
from flashscope.records import Doubt, Finding, Labels, Record, StepRecord
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_number, format_percent
from flashscope.workloads.file_trees import SOURCE_FILE_COUNT, in_memory, moved, source_tree
from flashscope.workloads.file_work import Copy, Program
from flashscope.workloads.steps import FileWork, SecureErase, Step

SECTORS_BYTES = (512, 4096)
PASSES = 3
_COPY = "copy"  # a role
_NOTICED_RATIO = 0.02
_STORED_BYTES_PER_FILE = 20_000  # clusters, record and directory, rounded up generously
_SAMPLE_NS = 100_000_000


class SectorEmulationCopy:
    """Finds what larger logical sectors gain with small files. file_count: replaces the effort's number."""

    name = "sector-emulation-copy"
    title = "Copy with emulated sectors"
    question = "Do logical sectors of 4096 B make the copy of many small files faster?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"small_write_cost", "file_work"})
    needs = Needs(Capability.FILES, Capability.VOLUMES, writes=True)

    def __init__(self, file_count: int = 0) -> None:
        self._file_count = file_count

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The tree, and three copies of it, for both sector sizes, where the sectors can be chosen."""
        if self.needs.missing(facts, effort):
            return []
        wanted = self._file_count or effort.choose(500, 1500, 8000)
        count = min(wanted, file_room_bytes(facts) // (PASSES + 1) // _STORED_BYTES_PER_FILE)
        write, *copies = _programs(count)
        steps: list[Step] = []
        for sector_bytes in SECTORS_BYTES:
            if facts.can_secure_erase:
                steps.append(SecureErase(f"secure erase before {sector_bytes} B"))
            steps.append(FileWork(f"write the tree, {sector_bytes} B", (write,), _SAMPLE_NS, sector_bytes))
            steps += [_copy(number, sector_bytes, copy) for number, copy in enumerate(copies, start=1)]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """sector_emulation_gain_ratio, and the durations with either sector size."""
        durations = {sector: _durations(record, sector) for sector in SECTORS_BYTES}
        small, large = (np.array(durations[sector]) for sector in SECTORS_BYTES)
        evidence = tuple(_name(number, sector) for sector in SECTORS_BYTES for number in range(1, PASSES + 1))
        doubts = _doubts(record)
        findings = []
        for sector, values in zip(SECTORS_BYTES, (small, large), strict=True):
            if len(values):
                bounds: tuple[float, float] | None = positive_interval(values)
                words = f"With sectors of {sector} B a copy of the tree takes {format_number(values.mean())} s."
                value: float | None = float(values.mean())
            else:
                words, value, bounds = f"With sectors of {sector} B no copy was completed.", None, None
            key, (low_s, high_s) = f"copy_duration_{sector}_s", bounds or (None, None)
            findings.append(Finding(key, words, value, "s", low_s, high_s, evidence=evidence, doubts=doubts))
        return [_gain(record, small, large, evidence, doubts), *findings]


def _gain(
    record: Record, small: np.ndarray, large: np.ndarray, evidence: tuple[str, ...], doubts: tuple[Doubt, ...]
) -> Finding:
    key = "sector_emulation_gain_ratio"
    if not len(small) or not len(large):
        statement = "It is not known whether larger sectors are faster: both sizes have to be measured."
        return Finding(key, statement, None, "ratio", evidence=evidence, doubts=doubts)
    ratio, factor = float(large.mean() / small.mean()), _uncertainty_factor(small, large)
    gain, low, high = 1 - ratio, 1 - ratio * factor, 1 - ratio / factor
    details: dict[str, Any] = {
        "durations_512_s": [float(value) for value in small],
        "durations_4096_s": [float(value) for value in large],
    } | {
        f"metadata_written_bytes_{sector}": total(_copied(record, 1, sector), "metadata_written_bytes")
        for sector in SECTORS_BYTES
    }
    words = f"{format_number(small.mean())} s with sectors of 512 B, {format_number(large.mean())} s with 4096 B"
    if low > _NOTICED_RATIO:
        statement = f"Larger sectors gain {format_percent(gain)} ({words}): format the drive with sectors of 4096 B."
    elif high < -_NOTICED_RATIO:
        statement = f"Larger sectors cost {format_percent(-gain)} ({words}): leave the sectors as they are."
    else:
        statement = f"No difference between the sector sizes is seen ({words})."
    return Finding(key, statement, gain, "ratio", low, high, evidence=evidence, doubts=doubts, details=details)


def _uncertainty_factor(small: np.ndarray, large: np.ndarray) -> float:
    """By what factor large / small may be off, from those of both means: so no interval reaches a gain of all time."""
    logs = [np.log(positive_interval(values)[1] / values.mean()) for values in (small, large)]
    return float(np.exp(np.hypot(*logs)))


@lru_cache(maxsize=4)
def _programs(file_count: int) -> tuple[Program, ...]:
    """What writes a tree of so many files, and the copies of it. Kept: a plan asks for the same tree several times."""
    tree = source_tree(file_count=file_count)
    sources = [moved(file, "source") for file in tree]
    write = Program("write", tuple(Copy(in_memory(file), file) for file in sources))
    return write, *(
        Program(
            "copy",
            tuple(Copy(source, moved(file, f"copy-{number}")) for source, file in zip(sources, tree, strict=True)),
        )
        for number in range(1, PASSES + 1)
    )


def _copy(number: int, sector_bytes: int, program: Program) -> FileWork:
    labels = Labels.of(_COPY, number=number, sector_bytes=sector_bytes)
    return FileWork(_name(number, sector_bytes), (program,), _SAMPLE_NS, sector_bytes, labels=labels)


def _name(number: int, sector_bytes: int) -> str:
    return f"copy {number}, {sector_bytes} B"


def _copied(record: Record, number: int, sector_bytes: int) -> StepRecord | None:
    return record.step_with(_COPY, number=number, sector_bytes=sector_bytes)


def _durations(record: Record, sector_bytes: int) -> list[float]:
    found = [ended_s(_copied(record, number, sector_bytes)) for number in range(1, PASSES + 1)]
    return [value for value in found if value is not None]


def _doubts(record: Record) -> tuple[Doubt, ...]:
    step = _copied(record, 1, SECTORS_BYTES[0])
    programs = (step.parameters.get("programs") or []) if step else []
    count = sum(sum(program.get("operation_counts", {}).values()) for program in programs)
    doubts = []
    if count < 0.9 * SOURCE_FILE_COUNT:
        message = f"{count} files instead of {SOURCE_FILE_COUNT}: what a longer copy would fill up stays empty"
        doubts.append(Doubt("TooShort", message, further(record, "take a larger drive")))
    if not record.drive_facts.in_virtual_time:
        message = "the host's loop driver makes the sectors above the drive, and the file system decides what it writes"
        doubts.append(Doubt("LoopDevice", message, "a drive that was formatted with either size tells more"))
    else:
        message = "host and file system are models; how they write file records is assumed"
        doubts.append(Doubt("ModelOfTheHost", message, "compare the two sizes, not the seconds"))
    return tuple(doubts)
