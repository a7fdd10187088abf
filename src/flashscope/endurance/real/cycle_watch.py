"""Checkpoints by erase counts: SMART is read often enough to notice that the given cycles have passed.

One cycle takes the drive's capacity divided by its write amplification [bytes], which is not known beforehand. So SMART
is first read after a sixteenth of the bytes at amplification 1, and then at distances from the pace measured so far.
When SMART does not answer any more, amplification 1 is assumed: checkpoints come late rather than never.
"""

from __future__ import annotations

from flashscope.endurance.real.smart_look import SmartLook
from flashscope.errors import WrongUse

ERASE_COUNT = "erase_count_average"
_LOOKS_PER_CHECKPOINT = 16


def check_can_count(seen: SmartLook) -> None:
    """Raises WrongUse when SMART has no erase count."""
    if ERASE_COUNT not in seen.numbers:
        raise WrongUse(
            f"checkpoints by erase counts need SMART that shows the erase count, and there is none: "
            f"{seen.failure or 'this drive shows no average erase count'}",
            accepted='--checkpoint-every with an amount such as "500 GB", or a time such as "6 h"',
            advice="nothing was written",
        )


class CycleWatch:
    """When a checkpoint by cycles is due.

    distance_cycles: between checkpoints, 0 for none. erase_count: at the last checkpoint, None when unknown.
    written_bytes: by the run so far.
    """

    def __init__(
        self, distance_cycles: int, capacity_bytes: int, erase_count: float | None, written_bytes: int
    ) -> None:
        self._distance_cycles, self._capacity_bytes = distance_cycles, capacity_bytes
        self.checkpoint_taken(erase_count, written_bytes)

    def checkpoint_taken(self, erase_count: float | None, written_bytes: int) -> None:
        """Count from here on."""
        self._from_cycles, self._from_bytes = erase_count, written_bytes
        self._is_due = False
        self._look_at_bytes = written_bytes + self._most_bytes(self._distance_cycles / _LOOKS_PER_CHECKPOINT)

    def looks_now(self, written_bytes: int) -> bool:
        """True when SMART must be read after so many bytes were written."""
        return bool(self._distance_cycles) and not self._is_due and written_bytes >= self._look_at_bytes

    def looked(self, seen: SmartLook, written_bytes: int) -> bool:
        """Note a reading of SMART. Returns whether a checkpoint is due."""
        cycles = seen.numbers.get(ERASE_COUNT)
        moved = written_bytes - self._from_bytes
        if cycles is None or self._from_cycles is None:
            self._is_due = moved >= self._most_bytes(self._distance_cycles)
            self._look_at_bytes = written_bytes + self._most_bytes(self._distance_cycles / _LOOKS_PER_CHECKPOINT)
            return self._is_due
        passed = cycles - self._from_cycles
        left = self._distance_cycles - passed
        self._is_due = left <= 0
        by_pace = moved * left / passed if passed > 0 else float("inf")
        # Half of the remaining way by the pace so far, since the pace may rise; at least one byte.
        step = min(by_pace / 2, self._most_bytes(max(left, 1) / _LOOKS_PER_CHECKPOINT))
        self._look_at_bytes = written_bytes + max(1, int(step))
        return self._is_due

    def _most_bytes(self, cycles: float) -> int:
        """Bytes for so many cycles at write amplification 1."""
        return max(1, int(self._capacity_bytes * cycles))
