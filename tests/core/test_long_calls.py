"""Calls of the core that take long: they say how far they are, they can be ended, and a job comes back often."""

from __future__ import annotations

import contextlib
import gc
import itertools
import json
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from flashscope import _core
from flashscope.drives.parts.part import load_part
from flashscope.drives.virtual import signs_of_life
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json
from tests.core.drives import SECOND_NS, small_ssd

ODD = {
    "geometry.blocks_per_plane": "65536",
    "geometry.pages_per_block": "8",
    "capacity.user_size": "2 GiB",
    "capacity.initial_bad_block_count": "0",
    "capacity.reserved_block_count": "0",
}
"""Many small blocks: each block that is opened or collected costs a look at many others."""


class Enough(Exception):
    """What a listener ends a call with."""


def odd_drive() -> SimulatedDrive:
    return SimulatedDrive(load_part("onyx-32", ODD), seed=1, address="sim:odd")


@contextlib.contextmanager
def heard() -> Iterator[list[tuple[str, int, int, float]]]:
    said: list[tuple[str, int, int, float]] = []
    with signs_of_life.listening(lambda *sign: said.append(sign)):
        yield said


def ending_after(calls: int) -> Callable[[str, int, int, float], None]:
    count = itertools.count(1)

    def listener(phase: str, done: int, total: int, took_s: float) -> None:
        if next(count) >= calls:
            raise Enough(phase)

    return listener


TWO_AT_ONCE = """
import itertools, threading, time
from flashscope import _core
from tests.core.test_long_calls import Enough, odd_drive

count = itertools.count(1)

def listener(phase, done, total, took_s):
    time.sleep(0.3)  # lets the other thread take Python's lock meanwhile
    if next(count) >= 4:
        raise Enough(phase)

def age(drive):
    try:
        drive.core.age(0.9, "random", 3000, 0.3)
    except Enough:
        print("ended", flush=True)

drives = [odd_drive(), odd_drive()]
_core.listen(listener)
threads = [threading.Thread(target=age, args=(drive,)) for drive in drives]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_two_drives_whose_calls_are_heard_at_once_do_not_wait_for_each_other() -> None:
    """In a process of its own: threads that hold what the other one needs could not be ended from within."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", TWO_AT_ONCE], cwd=root, capture_output=True, timeout=120, check=True)
    assert done.stdout.split() == [b"ended", b"ended"]


def test_ageing_says_what_it_does_and_how_far_it_is() -> None:
    drive = odd_drive()
    with heard() as said, signs_of_life.listening(ending_after(12)), contextlib.suppress(Enough):
        drive.core.age(0.9, "random", 0, 0.0)
    assert said, "a long call gives signs of life"
    named = [(phase, done, total) for phase, done, total, _ in said if total]
    assert named
    assert all(0 <= done <= total for _, done, total in named)
    assert [took_s for *_, took_s in said] == sorted(took_s for *_, took_s in said)


def test_what_a_listener_raises_ends_the_call_and_all_that_comes_after_on_that_drive() -> None:
    drive = odd_drive()
    with signs_of_life.listening(ending_after(1)), pytest.raises(Enough) as first:
        drive.core.age(0.9, "random", 3000, 0.3)
    for verb in (drive.core.counters, drive.core.inside, lambda: drive.core.idle(1), drive.core.secure_erase):
        with pytest.raises(Enough) as again:
            verb()
        assert again.value.args == first.value.args
    assert drive.core.now_ns == 0, "what cannot fail is still said"


def test_a_drive_whose_call_was_ended_is_given_back() -> None:
    drive = odd_drive()
    with signs_of_life.listening(ending_after(1)), pytest.raises(Enough):
        drive.core.age(0.9, "random", 0, 0.0)
    gone = weakref.ref(drive)
    del drive
    gc.collect()
    assert gone() is None


def test_signs_come_from_the_thread_that_works() -> None:
    threads: set[int] = set()

    def listener(phase: str, done: int, total: int, took_s: float) -> None:
        threads.add(threading.get_ident())
        raise Enough

    def work() -> None:
        with contextlib.suppress(Enough):
            odd_drive().core.age(0.9, "random", 0, 0.0)

    with signs_of_life.listening(listener):
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert threads == {worker.ident}


def requests_of(size: int, count: int) -> str:
    sizes = BlockSizes(weighted=((size, 100.0),), align_bytes=size)
    return to_json([Job("w", "write", write_sizes=sizes, read_sizes=sizes, io_bytes=size * count)])


def test_one_huge_request_does_not_keep_a_job_from_coming_back_and_slices_change_nothing() -> None:
    configuration = small_ssd()
    configuration["geometry"].update(blocks_per_plane=64 * 128, page_bytes=512, pages_per_block=128)
    configuration["mapping"]["unit_bytes"] = 2048
    configuration["capacity"]["user_bytes"] *= 128
    text = json.dumps(configuration)
    huge = configuration["capacity"]["user_bytes"] // (1 << 20) * (1 << 20)
    results = []
    for budget in (1, 2**62):
        drive = _core.Drive(text, 1)
        run, calls = drive.start(requests_of(huge, 2), SECOND_NS), 1
        while not run.advance(drive, budget):
            calls += 1
        results.append((calls, run.result()[3], drive.counters()))
    (small_calls, *small), (large_calls, *large) = results
    assert small == large
    assert large_calls == 1
    assert small_calls > 2, "two requests of the whole drive: more events than one call may take"
