"""Copy archives within the drive, unpack all at once by as many processes, and one after another. DESTRUCTIVE.

    write the 13 archives from memory
    copy them within the drive                          read and write, next to no computing
    unpack all at once, one process each                13 readers, 13 writers, every core at work
    unpack one after another, one process               read, compute and write in turn
    the last two once more in memory                    computing alone

A host with many cores computes 13 archives nearly as fast as one. The question is how the drive handles this: it may
serve the interleaved requests without loss, or lose more by them than the host gains.
Unpacking costs the virtual host 13.2 ns for each byte: 61 s for 4.62 GB in the source. A real host has its own time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flashscope.experiments.advice import further, once_more
from flashscope.experiments.file_steps import ended_s, file_room_bytes, synced_s, total
from flashscope.records import Doubt, Finding, Labels, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_number, format_percent
from flashscope.workloads.file_trees import (
    ARCHIVE_COUNT,
    ARCHIVES_BYTES,
    PICTURE_COUNT,
    Archive,
    archives,
    in_memory,
    moved,
)
from flashscope.workloads.file_work import Copy, Delete, Extract, File, Place, Program
from flashscope.workloads.steps import FileWork, SecureErase, Step

COMPUTE_NS_PER_BYTE = 13.2
_LOAD, _COPY, _PARALLEL, _SERIAL = "write archives", "copy", "extract in parallel", "extract in turn"
_MEMORY_PARALLEL, _MEMORY_SERIAL = "extract in parallel in memory", "extract in turn in memory"
_ROLES = {
    _LOAD: "write",
    _COPY: "copy",
    _PARALLEL: "parallel",
    _SERIAL: "serial",
    _MEMORY_PARALLEL: "parallel in memory",
    _MEMORY_SERIAL: "serial in memory",
}
"""The role of each displayed name."""
_ROOM_RATIO = 2.1  # archives, one set of pictures or a copy, and what the file system keeps for itself
_WRITTEN_SHARE = 6  # the archives, their copy, and what is unpacked from them twice
_ROWS = 200
_SLOWEST_BYTES_PER_SECOND = 30e6
_SAME_RATIO = 0.03


class Archives:
    """Finds what parallel work on files gains or loses.

    share_ratio: of the source's pictures; replaces the effort's share.
    """

    name = "archives"
    title = "Archives"
    question = "Does the drive gain or lose when many processes work on files at once?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"file_work"})
    needs = Needs(Capability.FILES, writes=True)

    def __init__(self, share_ratio: float = 0.0) -> None:
        self._share_ratio = share_ratio

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Write, copy, unpack at once and in turn, and the same in memory; on a drive that holds files."""
        if self.needs.missing(facts, effort):
            return []
        wanted = self._share_ratio or effort.choose(0.01, 0.03, 0.5)
        written = effort.at_most(ARCHIVES_BYTES * _WRITTEN_SHARE) / _WRITTEN_SHARE / ARCHIVES_BYTES
        share = min(wanted, written, file_room_bytes(facts) / _ROOM_RATIO / ARCHIVES_BYTES)
        if share * PICTURE_COUNT < ARCHIVE_COUNT:  # not a picture for each archive
            return []
        packed = archives("archives", share_ratio=share)
        steps: list[Step] = [SecureErase("secure erase")] if facts.can_secure_erase else []
        copied = [replace(archive.file, path=f"copy/{archive.file.path}") for archive in packed]
        pairs = list(zip(packed, copied, strict=True))
        return [
            *steps,
            _step(_LOAD, [Program("write", tuple(Copy(in_memory(one.file), one.file) for one in packed))]),
            _step(_COPY, [Program("copy", tuple(Copy(one.file, target) for one, target in pairs))]),
            _step("delete the copy", [Program("delete", tuple(Delete(target) for target in copied))]),
            _step(_PARALLEL, _at_once(packed, "parallel", "drive")),
            _step("delete the pictures", [_delete(packed, "parallel")]),
            _step(_SERIAL, [_in_turn(packed, "serial", "drive")]),
            _step(_MEMORY_PARALLEL, _at_once(packed, "parallel", "memory")),
            _step(_MEMORY_SERIAL, [_in_turn(packed, "serial", "memory")]),
        ]

    def analyse(self, record: Record) -> list[Finding]:
        """copy_duration_s, parallel_duration_s, serial_duration_s, parallel_gain_ratio."""
        steps = {name: record.step_with(role) for name, role in _ROLES.items()}
        copy_s, parallel_s, serial_s = (synced_s(steps[name]) for name in (_COPY, _PARALLEL, _SERIAL))
        memory = {
            "memory_parallel_s": ended_s(steps[_MEMORY_PARALLEL]),
            "memory_serial_s": ended_s(steps[_MEMORY_SERIAL]),
        }
        written = total(steps[_COPY], "written_bytes")
        size = f"{format_bytes(written)} of archives"
        doubts = _doubts(record, written)
        findings = []
        for key, step, value_s, words in (
            ("copy_duration_s", _COPY, copy_s, f"Copying {size} within the drive takes"),
            ("parallel_duration_s", _PARALLEL, parallel_s, "Unpacking all at once takes"),
            ("serial_duration_s", _SERIAL, serial_s, "Unpacking one after another takes"),
        ):
            statement = (
                f"{step.capitalize()}: not measured." if value_s is None else f"{words} {format_number(value_s)} s."
            )
            details = {
                "programs_ended_s": ended_s(steps[step]),
                "metadata_written_bytes": total(steps[step], "metadata_written_bytes"),
            }
            findings.append(Finding(key, statement, value_s, "s", evidence=(step,), doubts=doubts, details=details))
        return [*findings, _gain(copy_s, parallel_s, serial_s, memory, doubts)]


def _gain(
    copy_s: float | None,
    parallel_s: float | None,
    serial_s: float | None,
    memory: dict[str, float | None],
    doubts: tuple[Doubt, ...],
) -> Finding:
    """The share of the serial time that parallel work saves; below 0 when it takes longer."""
    evidence = (_PARALLEL, _SERIAL, _MEMORY_PARALLEL, _MEMORY_SERIAL)
    if parallel_s is None or serial_s is None:
        statement = "It is not known whether parallel work is faster: it was not measured both ways."
        return Finding("parallel_gain_ratio", statement, None, "ratio", evidence=evidence, doubts=doubts)
    gain = 1 - parallel_s / serial_s
    against_copy = f"; a copy of as many bytes takes {format_number(copy_s)} s" if copy_s else ""
    times = f"{format_number(parallel_s)} s at once, {format_number(serial_s)} s in turn{against_copy}"
    if gain > _SAME_RATIO:
        advice = (
            f"Parallel work on this drive is {format_percent(gain)} faster ({times}): let several programs run at once."
        )
    elif gain < -_SAME_RATIO:
        advice = (
            f"Parallel work on this drive takes {format_percent(-gain)} longer ({times}): let programs run one by one."
        )
    else:
        advice = f"Parallel work is neither faster nor slower ({times})."
    details = {"copy_s": copy_s, "parallel_s": parallel_s, "serial_s": serial_s, **memory}
    return Finding("parallel_gain_ratio", advice, gain, "ratio", evidence=evidence, doubts=doubts, details=details)


def _at_once(packed: Sequence[Archive], folder: str, on: Place) -> list[Program]:
    return [Program(f"unpack-{place:02d}", (_extract(one, folder, on),)) for place, one in enumerate(packed)]


def _in_turn(packed: Sequence[Archive], folder: str, on: Place) -> Program:
    return Program("unpack", tuple(_extract(one, folder, on) for one in packed))


def _extract(archive: Archive, folder: str, on: Place) -> Extract:
    pictures = tuple(replace(moved(picture, folder), on=on) for picture in archive.pictures)
    return Extract(replace(archive.file, on=on), pictures, COMPUTE_NS_PER_BYTE)


def _delete(packed: Sequence[Archive], folder: str) -> Program:
    files: list[File] = [moved(picture, folder) for archive in packed for picture in archive.pictures]
    return Program("delete", tuple(Delete(file) for file in files))


def _step(name: str, programs: Sequence[Program]) -> FileWork:
    step = FileWork(name, tuple(programs), 1, labels=Labels.of(_ROLES.get(name, "delete")))
    moved_bytes = max(step.bytes_to_write + step.bytes_to_read, 1 << 20)
    return replace(
        step, sample_interval_ns=max(round(moved_bytes / _SLOWEST_BYTES_PER_SECOND * 1e9 / _ROWS), 1_000_000)
    )


def _doubts(record: Record, written_bytes: int) -> tuple[Doubt, ...]:
    doubts = []
    if written_bytes < 0.9 * ARCHIVES_BYTES:
        amounts = f"{format_bytes(written_bytes)} of archives instead of {format_bytes(ARCHIVES_BYTES)}"
        message = f"{amounts}: a write buffer or spare blocks may hold them"
        doubts.append(Doubt("CacheInTheWay", message, further(record, "take a larger drive")))
    doubts.append(Doubt("TooFewSamples", "each measurement was made only once", once_more(record)))
    if record.drive_facts.in_virtual_time:
        message = "the host is a model: cores, cache and computing time are those stated for it"
        doubts.append(Doubt("ModelOfTheHost", message, "compare drives with each other, not with a stopwatch"))
    return tuple(doubts)
