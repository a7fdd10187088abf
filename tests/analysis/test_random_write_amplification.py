"""The write amplification by a counter of few steps: an interval, and no end of it where no drive can be."""

from __future__ import annotations

import pytest

from flashscope.analysis.counters import Reading
from flashscope.analysis.erase_counter import ERASE_COUNT, Verdict, phase_slope
from flashscope.analysis.random_write_amplification import WriteAmplification, random_write_amplification
from flashscope.records import SmartSnapshot

UNIT = 252 * 2**30
"""Host bytes per step in sequential writing."""
TRUTH = 8.0
SMART = SmartSnapshot(0, "toy", "TOY", "1", UNIT, ())


def inferred(begins_at: float, drive_bytes: int = 256 * 10**9) -> WriteAmplification | None:
    """What the quick run infers: 3 fills in 24 chunks each, 0.3 fills at random in 32; begins_at: within a step."""
    chunk, late = drive_bytes // 24, drive_bytes * 3 // 10 // 32
    written = [("sequential", part * chunk) for part in range(73)]
    written += [("random", 72 * chunk + part * late) for part in range(33)]
    flash = [at if phase == "sequential" else 72 * chunk + TRUTH * (at - 72 * chunk) for phase, at in written]
    counts = tuple(int(begins_at + at / UNIT) for at in flash)
    readings = [Reading(phase, at, SMART) for phase, at in written]
    sequential = phase_slope(readings, counts, "sequential", slice(None))
    return random_write_amplification(readings, Verdict(173, "raw", ERASE_COUNT, "", 0, sequential, None, counts))


@pytest.mark.parametrize("begins_at", [number / 10 for number in range(10)])
def test_a_half_without_two_steps_does_not_open_the_interval_to_nothing(begins_at: float) -> None:
    found = inferred(begins_at)
    if found is not None:
        assert 1 < found.low <= TRUTH <= found.high
        assert found.low <= found.ratio <= found.high


def test_most_places_within_a_step_give_a_value() -> None:
    assert sum(inferred(number / 10) is not None for number in range(10)) >= 8
