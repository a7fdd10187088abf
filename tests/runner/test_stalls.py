"""A process that was stopped says so, and one that worked for long does not."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

from flashscope.runner.stalls import Stalls
from tests.known import known

PROGRAM = """
import time
from flashscope.runner.stalls import Stalls
from tests.known import known
with Stalls() as stalls:
    print("ready", flush=True)
    time.sleep(2.5)
print(stalls.count > 0, stalls.longest_s > 0.9)
"""


def test_a_process_that_was_stopped_notes_for_how_long() -> None:
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert known(process.stdout).readline() == "ready\n"
    process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    process.send_signal(signal.SIGCONT)
    said, _ = process.communicate(timeout=60)
    assert said == "True True\n"


def test_own_work_and_short_delays_are_no_stall() -> None:
    stalls = Stalls()
    stalls.noted(3.1, 2.9)
    stalls.noted(0.3, 0.0)
    assert stalls.doubts() == []
    stalls.noted(4.1, 0.01)
    stalls.noted(1.1, 0.01)
    (doubt,) = stalls.doubts()
    assert doubt.kind == "Stalled"
    assert "stood still 2 times during the run, for up to 4 s" in doubt.message
