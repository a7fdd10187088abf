"""The budget bounds what a drive may have taken, however often a run is cut short: every byte sent is counted."""

import mmap
import os
import random
import signal
import struct
import threading
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flashscope.endurance.real import job_traffic
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.runs import find_runs
from flashscope.endurance.real.settings import JOBS
from flashscope.records import Status

from .worn import MIB, PLAIN, Worn

_COUNT = struct.Struct("<Q")


class Counted:
    """Sessions of one run in children that kill themselves at a chosen moment: before or after any write or flush.

    sent_bytes: handed to the drive by all of them, counted before each write is made.
    """

    def __init__(self, worn: Worn, budget_bytes: int) -> None:
        self.worn = worn
        self._settings = replace(
            PLAIN, budget_bytes=budget_bytes, checkpoint_bytes=5 * MIB, verify="sampled", workloads=("random", "mixed")
        )
        self._shared = mmap.mmap(-1, mmap.PAGESIZE)

    @property
    def sent_bytes(self) -> int:
        return int(_COUNT.unpack_from(self._shared)[0])

    def session(self, *, moments: int = 0, writes: int = 0) -> str:
        """Begin or go on; killed at that moment, or after so many writes to the drive; 0: never. How it ended."""
        heard, told = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                self._die_after(moments, writes)
                resumes = bool(find_runs(self.worn.store_path).known)
                status = self.worn.resume().status if resumes else self.worn.begin(self._settings).status
                os.write(told, status.value.encode())
            except BaseException:
                os.write(told, traceback.format_exc().encode())
            finally:
                os._exit(0)
        os.close(told)
        with os.fdopen(heard) as said:
            words = said.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return "killed" if code == -signal.SIGKILL else words

    def _die_after(self, moments: int, writes: int) -> None:
        lock, left = threading.Lock(), {"moments": moments, "writes": writes}

        def passes(kind: str) -> None:
            left[kind] -= 1
            if left[kind] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        def around(name: str) -> None:
            real = getattr(os, name)

            def call(handle: int, *arguments: Any) -> Any:
                to_drive = name == "pwrite" and os.readlink(f"/proc/self/fd/{handle}") == str(self.worn.path)
                with lock:
                    passes("moments")
                    if to_drive:
                        _COUNT.pack_into(self._shared, 0, self.sent_bytes + len(arguments[0]))
                done = real(handle, *arguments)
                with lock:
                    passes("moments")
                    if to_drive:
                        passes("writes")
                return done

            setattr(os, name, call)

        for name in ("pwrite", "fsync", "fdatasync"):
            around(name)


def killed_often(folder: Path, kills: int, budget_bytes: int, most_moments: int, seed: int) -> Counted:
    """A run killed so often, and then finished."""
    chance, run = random.Random(seed), Counted(Worn(folder), budget_bytes)
    killed = 0
    while killed < kills:
        ended = run.session(moments=chance.randint(1, most_moments))
        assert ended == "killed", f"the run was over, or failed, after {killed} kills: {ended}"
        killed += 1
        assert run.sent_bytes <= budget_bytes
    assert run.session() == Status.DONE.value
    return run


def check_budget(run: Counted, budget_bytes: int) -> None:
    assert run.sent_bytes <= budget_bytes, f"{run.sent_bytes - budget_bytes} bytes too many were sent"
    ledger = run.worn.ledger()
    state = ledger.state
    assert run.sent_bytes <= state.written_bytes + state.doubtful_bytes <= budget_bytes
    assert state.written_bytes + state.doubtful_bytes > budget_bytes - 4096, "and it was used"
    assert state.ended == "budget"
    assert run.worn.verifier(ledger).everything().wrong_blocks == 0
    ledger.close()


def test_no_number_of_crashes_makes_a_run_send_more_than_its_budget(tmp_path: Path) -> None:
    budget_bytes = 24 * MIB
    run = killed_often(tmp_path, 24, budget_bytes, 60, seed=1)
    check_budget(run, budget_bytes)


@pytest.mark.long
def test_two_hundred_crashes_do_not_make_a_run_send_more_than_its_budget(tmp_path: Path) -> None:
    budget_bytes = 60 * MIB
    run = killed_often(tmp_path, 200, budget_bytes, 60, seed=2)
    check_budget(run, budget_bytes)


def test_a_run_killed_at_its_first_writes_again_and_again_ends_within_its_budget(tmp_path: Path) -> None:
    """The zeros at both ends, 1 MiB each, are sent before anything is acknowledged."""
    run = Counted(Worn(tmp_path), 7 * MIB)
    assert [run.session(writes=2) for _ in range(3)] == ["killed"] * 3
    assert run.sent_bytes == 6 * MIB
    assert run.session() == Status.DONE.value
    assert run.sent_bytes == 6 * MIB, "there was no room for zeros at both ends once more"


def test_a_job_that_time_ends_is_ended_by_its_share_of_the_budget_too(tmp_path: Path) -> None:
    layout = Layout.of(64 * MIB, 4096, 0.0)
    text = "[a]\nrw=randwrite\nbs=64k\nruntime=1\ntime_based\n[b]\nrw=write\nbssplit=4k/50:1m/50\nsize=8m\nruntime=60\n"
    settings = replace(PLAIN, workloads=(JOBS,), jobs_text=text, jobs_name="x.fio")
    jobs = job_traffic.jobs_of(settings, layout)
    assert [(job.time_based, job.io_bytes) for job in jobs] == [(False, 8 * 10**9), (False, 8 * MIB)]
    assert job_traffic.most_written_bytes(jobs) == 8 * 10**9 + 64 * 1024 + 9 * MIB
