"""Where a benchmark program's test file lies on the drive: one run of bytes.

    0 ........ offset_bytes [ test file ] ........ end of the drive

The programs write their own file first and then read and write only that. Here the file is a span of the drive.
Not modelled here: where a file system would have put it (a quick-formatted one begins a few GB in), and the file's own
entry in the file system.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort, effort_of

MIB = 1 << 20
_FILE_SHARE = 1 / 4  # of what an experiment may write; the rest is for the loads on the file


@dataclass(frozen=True)
class TestFile:
    """offset_bytes: where it begins on the drive. size_bytes: its length."""

    __test__ = False  # the file of a benchmark, not a test case

    offset_bytes: int
    size_bytes: int


def place_test_file(
    facts: DriveFacts, wanted_bytes: int, *, offset_bytes: int = 0, effort: Effort = STANDARD
) -> TestFile:
    """A test file of the wanted size, in whole MiB (at least 1 MiB).

    At most half of the bytes after offset_bytes, and a quarter of what the experiment may write.
    """
    room_bytes = (facts.user_bytes - offset_bytes) // 2
    wanted_bytes = effort.at_most(wanted_bytes, _FILE_SHARE)
    return TestFile(offset_bytes, max(min(wanted_bytes, room_bytes) // MIB, 1) * MIB)


def placed_file_bytes(record: Record, wanted_bytes: int) -> int:
    """The size of the test file that a run at the beginning of a drive had [bytes]."""
    return place_test_file(record.drive_facts, wanted_bytes, effort=effort_of(record)).size_bytes
