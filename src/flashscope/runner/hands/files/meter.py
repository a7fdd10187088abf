"""The measurements of one program: bytes and calls per interval, a histogram of call times, a counter for watchers."""

from __future__ import annotations

import mmap
import struct
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from flashscope.records.latency import bucket_of

COUNTER = struct.Struct("=Q")
ROW = ("read_bytes", "written_bytes", "read_requests", "write_requests")


class Meter:
    """Counts the calls of one program from its start.

    interval_ns: length of a row. counter: a file of eight bytes with the number of bytes moved so far, for the watcher.
    """

    def __init__(self, interval_ns: int, counter: Path) -> None:
        self._interval_ns = interval_ns
        self._rows: dict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        self._buckets: dict[str, dict[int, int]] = {"read": defaultdict(int), "write": defaultdict(int)}
        self._sums = {"read": [0, 0, 0], "write": [0, 0, 0]}  # sum, least, most [ns]
        self._memory = {"memory_read_bytes": 0, "memory_written_bytes": 0}
        self._moved_bytes = 0
        with counter.open("r+b") as file:
            self._counter = mmap.mmap(file.fileno(), COUNTER.size)
        self.began_ns = self.ended_ns = time.monotonic_ns()
        self.computed_ns = 0

    def begin(self) -> None:
        """Start the clock."""
        self.began_ns = time.monotonic_ns()
        self.computed_ns = -time.process_time_ns()

    def end(self) -> None:
        """Stop the clock."""
        self.ended_ns = time.monotonic_ns()
        self.computed_ns += time.process_time_ns()

    def moved(self, kind: str, length_bytes: int, since_ns: int, *, on_drive: bool) -> None:
        """One call is over. kind: "read" or "write". since_ns: when it began, on the monotonic clock."""
        if not on_drive:
            self._memory["memory_read_bytes" if kind == "read" else "memory_written_bytes"] += length_bytes
            return
        now_ns = time.monotonic_ns()
        row = self._rows[(now_ns - self.began_ns) // self._interval_ns]
        column = 0 if kind == "read" else 1
        row[column] += length_bytes
        row[column + 2] += 1
        took_ns = now_ns - since_ns
        self._buckets[kind][bucket_of(took_ns)] += 1
        sums = self._sums[kind]
        sums[1] = took_ns if sums[0] == 0 else min(sums[1], took_ns)
        sums[0] += took_ns
        sums[2] = max(sums[2], took_ns)
        self._moved_bytes += length_bytes
        COUNTER.pack_into(self._counter, 0, self._moved_bytes)

    def result(self) -> dict[str, Any]:
        """All measurements as plain data."""
        return {
            "began_ns": self.began_ns,
            "ended_ns": self.ended_ns,
            "computed_ns": self.computed_ns,
            "rows": self._rows,
            "buckets": self._buckets,
            "sums": self._sums,
            **self._memory,
        }
