"""Work that lasts: what is said of it, and how soon a Ctrl-C is heard. A fake clock; no test waits."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from flashscope.errors import Interrupted
from flashscope.records import Table, WorkloadResult
from flashscope.runner.engines.virtual_time import advanced_to_the_end
from flashscope.runner.progress.interrupt import GRACE_S, Interruption
from flashscope.runner.progress.long_calls import FIRST_LINE_S, LongCalls


class Clock:
    """A clock that is set by hand [s]."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_a_call_that_is_soon_over_is_not_told_of_and_a_long_one_every_ten_seconds() -> None:
    clock, stream = Clock(), io.StringIO()
    calls = LongCalls(stream, clock)
    for tenth in range(1, 300):
        clock.now_s = 100.0 + tenth / 10
        calls.heard("filling in order", tenth, 400, tenth / 10)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("  filling in order: 5 %")
    assert "s left" in lines[1], "an estimate, once the speed was measured"
    assert lines[2].startswith("  filling in order: 55 %, 20 s left"), "the rest of 40 s"


def test_a_call_whose_end_is_unknown_says_how_long_it_has_taken() -> None:
    stream = io.StringIO()
    calls = LongCalls(stream, Clock())
    calls.heard("", 0, 0, FIRST_LINE_S / 2)
    assert stream.getvalue() == ""
    calls.heard("", 0, 0, FIRST_LINE_S + 1)
    assert stream.getvalue() == "  one request takes long: 3 s so far (Ctrl-C stops it)\n"


def test_a_call_is_ended_a_moment_after_a_stop_was_asked_for_and_not_before() -> None:
    clock = Clock()
    interruption = Interruption(clock=clock)
    interruption.heard("", 0, 0, 1e6)
    interruption.request("Ctrl-C")
    clock.now_s += GRACE_S * 0.99
    interruption.heard("", 0, 0, 1e6)
    clock.now_s += GRACE_S * 0.02
    with pytest.raises(Interrupted, match="stopped by Ctrl-C"):
        interruption.heard("", 0, 0, 1e6)


class EndedInTheMiddle:
    """A run whose call of the core, or whose waiting for what is under way, is ended by a stop."""

    def __init__(self, *, in_advance: bool) -> None:
        self._in_advance = in_advance

    def keep_jobs(self, interval_ns: int) -> None:
        pass

    def advance(self, budget_requests: int) -> bool:
        if self._in_advance:
            raise Interrupted("stopped by Ctrl-C")
        return False

    def progress(self) -> dict[str, int]:
        return {"requests": 1, "bytes_done": 4096, "elapsed_ns": 10}

    def stop(self) -> None:
        raise Interrupted("stopped by Ctrl-C")

    def result(self) -> WorkloadResult:
        return WorkloadResult(10, Table({}), {}, {"read_bytes": 4096})


@pytest.mark.parametrize("in_advance", [True, False])
def test_what_was_measured_before_a_call_was_ended_is_kept(in_advance: bool) -> None:
    def watch(bytes_done: int, elapsed_ns: int) -> None:
        raise Interrupted("stopped by Ctrl-C")

    loaded = advanced_to_the_end(EndedInTheMiddle(in_advance=in_advance), watch)
    assert loaded.stopped == "stopped by Ctrl-C"
    assert loaded.result.totals == {"read_bytes": 4096}


AGED_FOR_LONG = (
    "sim:onyx-32?geometry.blocks_per_plane=131072&geometry.pages_per_block=8&capacity.user_size=8 GiB"
    "&capacity.initial_bad_block_count=0&capacity.reserved_block_count=0&gc.policy=cost-benefit&aged=worn"
)
STARTS_AND_WAITS = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from flashscope.drives.virtual import signs_of_life
def interrupt(*sign):
    if sign[3] > 0.2 and not sent:
        sent.append(1)
        os.kill(os.getpid(), signal.SIGINT)
    assert sign[3] < 30, "nobody heard the signal"
sent = []
signs_of_life._listeners.append(interrupt)
from flashscope.cli.main import main
main()
"""


def test_a_ctrl_c_while_an_aged_state_is_laid_out_ends_the_command(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STARTS_AND_WAITS, "run", AGED_FOR_LONG, "--experiment", "write-buffer"]
    ended = subprocess.run(
        [*command, "--store", str(tmp_path / "s")], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert ended.returncode == 1, ended.stderr
    assert "flashscope: stopped" in ended.stderr
    assert os.listdir(tmp_path) == [], "nothing was begun"
