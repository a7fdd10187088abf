"""In which state a step of a plan finds the drive, by what the steps before it wrote."""

from __future__ import annotations

from dataclasses import replace

import pytest

from flashscope.runner.planned_state import Medium, PlannedState
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import LaidOut, SecureErase, Trim, Workload

USER, RAW = 100 << 20, 110 << 20
_SIZES = BlockSizes(weighted=((4096, 100.0),))


def write(amount: int, *, at_random: bool = False, span: int = USER) -> Workload:
    job = Job("w", "randwrite" if at_random else "write", write_sizes=_SIZES, size_bytes=span, io_bytes=amount)
    return Workload("w", (job,), 10**9, amount, 0)


READ = Workload("r", (Job("r", "read", size_bytes=USER),), 10**9, 0, USER)


def after(*steps: Workload | SecureErase | Trim, merges: bool = False) -> PlannedState:
    state = PlannedState(USER, RAW, merges=merges)
    for step in steps:
        state.after(step, step.bytes_to_write)
    return state


def shares(state: PlannedState, step: Workload) -> dict[Medium, float]:
    return {medium: share for medium, share in state.mix(step, step.bytes_to_write).items() if share > 0}


def test_erased_blocks_are_used_first() -> None:
    assert shares(after(), write(USER)) == {Medium.EMPTY: 1.0}
    assert shares(after(write(USER)), write(20 << 20)) == {Medium.EMPTY: 0.5, Medium.ORDERED: 0.5}
    assert shares(after(write(USER), write(USER)), write(USER)) == {Medium.ORDERED: 1.0}


def test_random_writes_to_the_whole_of_a_full_drive_find_it_scattered() -> None:
    full = after(write(USER), write(USER))
    assert shares(full, write(USER, at_random=True)) == {Medium.SCATTERED: 1.0}
    little = after(write(RAW, span=10 << 20))
    mix = shares(little, write(USER, at_random=True, span=10 << 20))
    assert mix[Medium.SCATTERED] == pytest.approx(10 / 100, abs=0.02), "nine tenths of the flash hold no data"


def test_writing_it_all_in_order_again_puts_it_in_order() -> None:
    laid = LaidOut("o", write(USER).jobs, 10**9, USER, 0, overwritten=True)
    assert shares(after(laid), write(USER)) == {Medium.SCATTERED: 1.0}
    assert shares(after(laid), READ) == {Medium.SCATTERED: 1.0}
    assert shares(after(laid, write(USER)), write(USER)) == {Medium.ORDERED: 1.0}


@pytest.mark.parametrize("step", [SecureErase("e"), Trim("t", 0, USER)])
def test_an_erase_or_a_trim_of_all_begins_anew(step: SecureErase | Trim) -> None:
    state = after(write(USER, at_random=True), write(USER, at_random=True), step)
    assert shares(state, write(USER)) == {Medium.EMPTY: 1.0}
    assert shares(state, READ) == {Medium.EMPTY: 1.0}


def test_a_drive_mapped_by_blocks_is_slow_at_the_first_random_write_over_data() -> None:
    assert shares(after(write(USER), merges=True), write(4096, at_random=True)) == {Medium.SCATTERED: 1.0}
    assert shares(after(write(USER), merges=True), write(USER)) == {Medium.EMPTY: 1.0}
    assert shares(after(merges=True), replace(write(4096, at_random=True))) == {Medium.EMPTY: 1.0}
