"""Checkpoints by erase counts."""

from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.endurance.real import smart_look
from flashscope.endurance.real.checkpoint import checkpoints_of
from flashscope.endurance.real.cycle_watch import ERASE_COUNT, CycleWatch
from flashscope.endurance.real.settings import parse_distance
from flashscope.endurance.real.smart_look import SmartLook
from flashscope.errors import WrongUse
from tests.endurance.real.worn import PLAIN, Worn

GB = 10**9


def checkpoints_when(amplification: float, distance_cycles: int = 10, answers: bool = True) -> tuple[list[float], int]:
    """Cycles at which checkpoints were due on a drive of 100 GB, and how often SMART was asked."""
    watch = CycleWatch(distance_cycles, 100 * GB, 0.0, 0)
    due: list[float] = []
    looks, written = 0, 0
    while len(due) < 3:
        written += GB // 4
        cycles = written * amplification / (100 * GB)
        if not watch.looks_now(written):
            continue
        looks += 1
        seen = SmartLook(numbers={ERASE_COUNT: float(int(cycles))}) if answers else SmartLook(failure="no answer")
        if watch.looked(seen, written):
            due.append(cycles)
            watch.checkpoint_taken(seen.numbers.get(ERASE_COUNT), written)
    return due, looks


@pytest.mark.parametrize("amplification", [1.0, 2.5, 8.0])
def test_a_checkpoint_comes_with_its_cycle_whatever_the_amplification(amplification: float) -> None:
    due, looks = checkpoints_when(amplification)
    assert due == pytest.approx([10.0, 20.0, 30.0], abs=1.0)
    assert looks < 200


def test_without_an_answer_amplification_one_is_taken() -> None:
    due, _ = checkpoints_when(3.0, answers=False)
    assert due == pytest.approx([30.0, 60.0, 90.0], abs=3.0)


def test_a_run_takes_its_checkpoints_by_what_smart_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def look(read_smart: object, elapsed_ns: int) -> SmartLook:
        asked.append(1)
        return SmartLook(numbers={ERASE_COUNT: float(len(asked))})

    monkeypatch.setattr(smart_look, "look", look)
    record = Worn(tmp_path).begin(replace(PLAIN, checkpoint_bytes=0, checkpoint_cycles=3))
    counts = [seen["smart"][ERASE_COUNT] for seen in checkpoints_of(record.steps)]
    assert len(counts) > 3
    assert counts[1] - counts[0] > 3, "asked until three cycles had passed, then once more for the checkpoint"


def test_a_drive_that_tells_no_erase_count_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    with pytest.raises(WrongUse, match="need SMART that shows the erase count"):
        worn.begin(replace(PLAIN, checkpoint_bytes=0, checkpoint_cycles=3))


def test_the_distance_is_an_amount_a_time_or_cycles() -> None:
    assert parse_distance("500 GB") == {"checkpoint_bytes": 500 * GB}
    assert parse_distance("6 h") == {"checkpoint_ns": 6 * 3600 * GB}
    assert parse_distance("100 cycles") == {"checkpoint_cycles": 100}
    for text in ("", "0 cycles", "often", "-3 GB"):
        with pytest.raises(WrongUse, match="erase counts such as"):
            parse_distance(text)
