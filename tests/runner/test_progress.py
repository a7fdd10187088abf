from __future__ import annotations

import io
import random

import pytest

from flashscope.runner.cost import expected_cost_s, share_done
from flashscope.runner.progress.choose import choose_progress
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import LINE_INTERVAL_S, Lines, Silent, StepAhead
from flashscope.runner.progress.remaining import RemainingTime, say_remaining
from flashscope.runner.progress.terminal import Bar
from flashscope.runner.progress.whole import Whole
from flashscope.workloads.steps import Idle

from .fakes import write_step


def test_the_time_left_is_unknown_until_it_was_measured() -> None:
    remaining = RemainingTime(100.0, 0.0)
    assert remaining.update(0.5, 0.5) is None
    assert remaining.update(0.9, 10.0) is None
    assert say_remaining(None) == "estimating"
    assert remaining.update(2.0, 20.0) == pytest.approx(980, rel=0.05)


def test_a_run_of_days_has_an_estimate_before_a_hundredth_of_it_is_over() -> None:
    remaining = RemainingTime(1e6, 0.0)
    assert remaining.update(10.0, 10.0) is None
    assert say_remaining(remaining.update(21.0, 21.0)) == "12 days left"


def test_at_a_steady_rate_the_time_left_counts_down_with_the_clock() -> None:
    remaining = RemainingTime(100.0, 0.0)
    shown = [remaining.update(float(second), float(second)) for second in range(1, 100)]
    for second, value in enumerate(shown, start=1):
        if value is not None:
            assert value == pytest.approx(100 - second, abs=0.1)


def test_a_noisy_rate_does_not_make_the_time_left_jump() -> None:
    noise = random.Random(1)
    remaining, done, last = RemainingTime(300.0, 0.0), 0.0, None
    ups = 0
    for tenth in range(1, 2500):
        done += 0.1 * noise.uniform(0.5, 1.5)
        shown = remaining.update(done, tenth / 10)
        if shown is not None and last is not None and shown > last + 1:
            ups += 1
        last = shown
    assert ups == 0
    assert last == pytest.approx(300 - done, abs=15)


def test_a_drive_that_slows_to_a_fifth_is_told_truly_within_half_a_minute() -> None:
    remaining, done = RemainingTime(200.0, 0.0), 0.0
    shown = None
    for second in range(1, 131):
        done += 1.0 if second <= 100 else 0.2
        shown = remaining.update(done, float(second))
    assert shown == pytest.approx((200 - done) / 0.2, rel=0.25)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.2, "1 s left"),
        (7.4, "7 s left"),
        (33.0, "35 s left"),
        (58, "1 min left"),
        (3500, "58 min left"),
        (3600, "1 h left"),
        (4830, "1 h 20 min left"),
    ],
)
def test_the_time_left_is_said_in_steps_a_person_can_read(seconds: float, said: str) -> None:
    assert say_remaining(seconds) == said


def test_lines_come_every_ten_seconds_and_for_steps_that_were_not_done() -> None:
    stream, now = io.StringIO(), [0.0]
    lines = Lines(stream, clock=lambda: now[0])
    lines.run_begins("demo on sim:onyx-32", [StepAhead("write", 60.0), StepAhead("SMART", 0.01)])
    lines.step_begins(0)
    for tenth in range(1, 601):
        now[0] = tenth / 10
        lines.advanced(tenth / 600, tenth * 10**6, tenth * 10**8)
    lines.step_ends("done", "")
    lines.step_begins(1)
    lines.step_ends("skipped", "there is no SMART on this file")
    lines.run_ends("done")
    said = stream.getvalue().splitlines()
    assert said[0] == "demo on sim:onyx-32: 2 steps"
    assert len(said) == 1 + 60 / LINE_INTERVAL_S + 1 + 1
    assert said[1] == "  [1/2] write: 16.7 %, 100 MB at 10 MB/s, 50 s left"
    assert said[-2] == "  [2/2] SMART: skipped (there is no SMART on this file)"
    assert said[-1] == "demo on sim:onyx-32: done in 60 s"


def test_hundreds_of_short_steps_do_not_flood_a_log_file() -> None:
    stream, now = io.StringIO(), [0.0]
    lines = Lines(stream, clock=lambda: now[0])
    lines.run_begins("demo", [StepAhead(f"chunk {index}", 0.1) for index in range(400)])
    for index in range(400):
        lines.step_begins(index)
        now[0] += 0.05
        lines.advanced(1.0, 10**6, 10**7)
        lines.step_ends("done", "")
    lines.run_ends("done")
    assert 3 <= len(stream.getvalue().splitlines()) <= 6


def test_the_bar_leaves_one_line_and_tells_of_steps_that_were_not_done() -> None:
    stream = io.StringIO()
    bar = Bar(stream)
    bar.run_begins("demo", [StepAhead("write [1]", 1.0), StepAhead("SMART", 0.01)])
    bar.step_begins(0)
    bar.advanced(0.5, 10**6, 10**9)
    bar.step_ends("done", "")
    bar.step_begins(1)
    bar.step_ends("skipped", "no SMART")
    bar.run_ends("done")
    said = [line for line in stream.getvalue().splitlines() if line]
    assert said == ["[2/2] SMART: skipped (no SMART)", "demo: done"]


def test_progress_is_silent_when_asked_and_lines_in_a_pipe() -> None:
    assert isinstance(choose_progress(io.StringIO(), silent=True), Silent)
    assert isinstance(choose_progress(io.StringIO(), silent=False), Lines)


def test_idle_time_costs_nothing_on_a_virtual_drive_only() -> None:
    idle = Idle("rest", 60 * 10**9)
    assert expected_cost_s(idle, virtual=True) < 1
    assert expected_cost_s(idle, virtual=False) == 60


def test_a_step_with_a_time_limit_is_over_by_bytes_or_by_time() -> None:
    step = write_step(io_bytes=100 * 4096, runtime_ns=10 * 10**9)
    assert share_done(step, 25 * 4096, 10**9) == 0.25
    assert share_done(step, 25 * 4096, 9 * 10**9) == 0.9
    assert share_done(step, 200 * 4096, 0) == 1.0


def test_where_the_plan_says_seconds_the_time_left_is_known_at_once_and_corrected_by_what_things_take() -> None:
    remaining = RemainingTime(1000.0, 0.0, in_seconds=True)
    assert remaining.update(1.0, 1.0) == pytest.approx(999, rel=0.02)
    shown = None
    for second in range(2, 400):  # everything takes twice as long as expected
        shown = remaining.update(second / 2, float(second))
    assert shown == pytest.approx(2 * (1000 - 200), rel=0.15)


def test_runs_in_turn_are_one_bar_with_one_time_left() -> None:
    stream, now = io.StringIO(), [0.0]
    whole = Whole(Lines(stream, clock=lambda: now[0]), "2 experiments on file:x", _RUNS)
    for run in ("first", "second"):
        whole.run_begins(run, [StepAhead("fill", 3.0), StepAhead("SMART", 0.0), StepAhead("rest", 1.0)])
        for step in range(3):
            whole.step_begins(step)
            now[0] += 15 if step != 1 else 0
            whole.advanced(1.0, 0, 0)
            whole.step_ends("skipped" if step == 1 else "done", "there is none" if step == 1 else "")
        whole.run_ends("done")
    whole.ends("done")
    said = stream.getvalue().splitlines()
    assert said[0] == "2 experiments on file:x: 2 steps"
    assert said[1] == "  [1/2] first: 75 %, 25 s left"
    assert said[2] == "  [1/2] first: skipped (SMART: there is none)"
    assert said[-1] == "2 experiments on file:x: done in 60 s"


_RUNS = [StepAhead("first", 30.0, in_seconds=True), StepAhead("second", 30.0, in_seconds=True)]


def test_no_more_time_is_left_than_until_the_run_is_ended_in_any_case() -> None:
    now = 0.0
    interruption, stream = Interruption(clock=lambda: now), io.StringIO()
    lines = Lines(stream, lambda: now, interruption.left_s)
    lines.run_begins("slow", [StepAhead("write", 100.0, in_seconds=True)])
    lines.step_begins(0)
    now = 60.0
    lines.advanced(0.01, 0, 0)
    assert "18 min left" in stream.getvalue().splitlines()[-1]
    interruption.end_at(120.0, "the end of the time")
    now = 90.0
    lines.advanced(0.02, 0, 0)
    assert "30 s left" in stream.getvalue().splitlines()[-1]
    assert not interruption.is_out_of_time
    now = 121.0
    assert interruption.is_out_of_time
    assert interruption.left_s() == 0.0
    interruption.request("Ctrl-C")
    assert interruption.requested_by == "Ctrl-C", "a person counts, also after the end"
