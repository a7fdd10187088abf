"""Copy a file within the drive, and compare with writing it and reading it alone: the delay ratio. DESTRUCTIVE.

    pass 1, 2     memory -> drive     W                     delay ratio = C / ((W - w) + (R - r))
                  drive  -> memory    R
                  drive  -> drive     C                     1: reading and writing do not hinder each other
    at the end    read in memory      w                     3: they do, so the drive stalls when both occur together
                  write in memory     r

What memory takes on its own side is subtracted, as in the source: 0.82 s of a write of 4 GiB, 1.36 s of a read there.
Every time lasts until all data is on the drive. Analysis: `analysis/delay_ratio.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flashscope.analysis.delay_ratio import Pass, delay_ratio
from flashscope.experiments.advice import further
from flashscope.experiments.file_steps import ended_s, file_room_bytes, synced_s
from flashscope.records import Doubt, Finding, Labels, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_number
from flashscope.workloads.file_work import Copy, Create, Delete, File, HostName, Operation, Program, Read
from flashscope.workloads.steps import FileWork, SecureErase, Step

SOURCE_BYTES = 4_194_304 * 1024
"""The file of the source: 4,194,304 KiB."""

_MIB = 1 << 20
_PASSES = 2
_WRITE, _READ, _COPY = "write", "read", "copy"  # roles, as the next two
_MEMORY_READ, _MEMORY_WRITE = "read in memory", "write in memory"
_ROWS = 200
_SLOWEST_BYTES_PER_SECOND = 50e6
_HINDERED, _OVERLAPPED = 1.25, 0.9  # what a person notices
_A_LITTLE = 1.1
_SHORT_S = 2.0


class CopyWithinDrive:
    """Finds how much reading and writing hinder each other.

    file_bytes: replaces the effort's size. host: the one that uses a virtual drive.
    """

    name = "copy-within-drive"
    title = "Copy within the drive"
    question = "How much longer does a copy within the drive take than writing and reading the file alone?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"interference", "file_work"})
    needs = Needs(Capability.FILES, writes=True)

    def __init__(self, file_bytes: int = 0, *, host: HostName = "windows-7") -> None:
        self._file_bytes = file_bytes
        self._host: HostName = host

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Write, read and copy, twice, then memory alone; on a drive that holds files."""
        if self.needs.missing(facts, effort):
            return []
        wanted = self._file_bytes or effort.choose(SOURCE_BYTES // 32, SOURCE_BYTES // 16, SOURCE_BYTES)
        wanted = effort.at_most(wanted, 1 / (2 * _PASSES))
        size = min(wanted, file_room_bytes(facts) * 2 // 5) // _MIB * _MIB
        if size == 0:
            return []
        memory, first, second = File("memory.bin", size, "memory"), File("first.bin", size), File("second.bin", size)
        steps: list[Step] = [SecureErase("secure erase")] if facts.can_secure_erase else []
        for number in range(1, _PASSES + 1):
            steps += [
                _step(f"write {number}", size, Labels.of(_WRITE, number=number), Copy(memory, first)),
                _step(f"read {number}", size, Labels.of(_READ, number=number), Copy(first, memory)),
                _step(f"copy {number}", size, Labels.of(_COPY, number=number), Copy(first, second)),
                _step(f"delete {number}", size, Labels.of("delete", number=number), Delete(first), Delete(second)),
            ]
        steps += [
            _step("read in memory", size, Labels.of(_MEMORY_READ), Read(memory)),
            _step("write in memory", size, Labels.of(_MEMORY_WRITE), Create(memory)),
        ]
        return [replace(step, host=self._host) if isinstance(step, FileWork) else step for step in steps]

    def analyse(self, record: Record) -> list[Finding]:
        """delay_ratio, with the times of each pass in its details."""
        passes: list[Pass] = []
        evidence: list[str] = []
        for number in range(1, _PASSES + 1):
            steps = [record.step_with(role, number=number) for role in (_WRITE, _READ, _COPY)]
            write_s, read_s, copy_s = (synced_s(step) for step in steps)
            if write_s and read_s and copy_s:
                passes.append(Pass(write_s, read_s, copy_s))
                evidence += [step.name for step in steps if step is not None]
        memory_read_s, memory_write_s = (ended_s(record.step_with(role)) for role in (_MEMORY_READ, _MEMORY_WRITE))
        found = delay_ratio(passes, memory_read_s=memory_read_s or 0.0, memory_write_s=memory_write_s or 0.0)
        if found is None:
            statement = "Nothing can be said about copies within the drive: no pass was completed."
            return [Finding("delay_ratio", statement, None, "ratio", evidence=tuple(evidence))]
        size = _size_bytes(record)
        details: dict[str, Any] = {
            "passes": [
                {"write_s": one.write_s, "read_s": one.read_s, "copy_s": one.copy_s, "delay_ratio": ratio}
                for one, ratio in zip(passes, found.ratios, strict=True)
            ],
            "memory_read_s": memory_read_s,
            "memory_write_s": memory_write_s,
            "file_bytes": size,
        }
        doubts = _doubts(record, passes, size, memory_read_s is None or memory_write_s is None)
        return [
            Finding(
                "delay_ratio",
                _statement(found.value, found.copy_s, found.apart_s),
                found.value,
                "ratio",
                found.low,
                found.high,
                evidence=(*evidence, "read in memory", "write in memory"),
                doubts=doubts,
                details=details,
            )
        ]


def _step(name: str, size: int, labels: Labels, *operations: Operation) -> FileWork:
    interval_ns = max(round(size / _SLOWEST_BYTES_PER_SECOND * 1e9 / _ROWS), 1_000_000)
    return FileWork(name, (Program(name.replace(" ", "-"), operations),), interval_ns, labels=labels)


def _size_bytes(record: Record) -> int:
    step = record.step_with(_WRITE, number=1)
    if step is None or step.workload is None:
        return 0
    return step.workload.totals.get("data_written_bytes", step.workload.totals["written_bytes"])


def _statement(ratio: float, copy_s: float, apart_s: float) -> str:
    times = f"{format_number(copy_s)} s against {format_number(apart_s)} s for writing and reading apart"
    if ratio >= _HINDERED:
        return (
            f"A copy within the drive takes {ratio:.2f} times as long as writing and reading apart ({times}): "
            "expect freezes when something writes while something else reads, and copy through another drive."
        )
    if ratio <= _OVERLAPPED:
        return f"Reading and writing overlap: a copy within the drive takes {ratio:.2f} of the time apart ({times})."
    little = "hardly hinder each other" if ratio < _A_LITTLE else "hinder each other a little"
    return f"Reading and writing {little}: a copy takes {ratio:.2f} times as long ({times})."


def _doubts(record: Record, passes: list[Pass], size: int, without_memory: bool) -> tuple[Doubt, ...]:
    doubts = []
    if size < SOURCE_BYTES:
        message = f"the file has {format_bytes_binary(size)}; a write buffer or spare blocks may hold a good part of it"
        doubts.append(Doubt("CacheInTheWay", message, further(record, "take a larger drive")))
    if len(passes) < _PASSES:
        doubts.append(Doubt("TooFewSamples", f"{len(passes)} of {_PASSES} passes", "let the run go on to its end"))
    if min(min(one.write_s, one.read_s) for one in passes) < _SHORT_S and not record.drive_facts.in_virtual_time:
        advice = further(record, "take a larger drive")
        doubts.append(Doubt("TooShort", f"a pass took less than {_SHORT_S:.0f} s", advice))
    if without_memory:
        message = "the time that memory itself takes was not measured, so it is included in the numbers"
        doubts.append(Doubt("CpuBound", message, "let the run go on to its end"))
    return tuple(doubts)
