"""SMART read again and again while a workload runs, on the workload's own time axis.

    bytes moved   0 ----- every ----- 2 every ----- ...          a reading each time so much more was moved
    series        elapsed_ns | 173_value 173_worst 173_raw | ...

Counted by bytes and not by time, so that a virtual drive gives the same readings for any slices of its run.
An attribute that is missing from one of the readings is left out of all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flashscope.records import SmartSnapshot, Table


class SmartSeries:
    """Readings of one step. every_bytes: between two readings. read: gives SMART now, or None without an answer."""

    def __init__(self, every_bytes: int, read: Callable[[int], SmartSnapshot | None]) -> None:
        self._every_bytes = every_bytes
        self._read = read
        self._next_bytes = 0
        self._readings: list[SmartSnapshot] = []

    def moved(self, bytes_done: int, elapsed_ns: int) -> None:
        """Read SMART when it is due. bytes_done, elapsed_ns: since the step began."""
        if bytes_done < self._next_bytes:
            return
        self._next_bytes = (bytes_done // self._every_bytes + 1) * self._every_bytes
        reading = self._read(elapsed_ns)
        if reading is not None:
            self._readings.append(reading)

    def table(self) -> Table | None:
        """All readings as columns; None when there are none."""
        if not self._readings:
            return None
        rows = [{attribute.id: attribute for attribute in reading.attributes} for reading in self._readings]
        columns: dict[str, tuple[str, object]] = {
            "elapsed_ns": ("ns", np.array([reading.elapsed_ns for reading in self._readings], dtype=np.int64))
        }
        for number in sorted(set.intersection(*(set(row) for row in rows))):
            of = [row[number] for row in rows]
            columns[f"{number}_value"] = ("count", np.array([each.value for each in of], dtype=np.uint8))
            columns[f"{number}_worst"] = ("count", np.array([each.worst for each in of], dtype=np.uint8))
            raw = [int.from_bytes(each.raw, "little") for each in of]
            columns[f"{number}_raw"] = ("count", np.array(raw, dtype=np.uint64))
        return Table.of(**columns)
