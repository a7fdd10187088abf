"""Every verb of the core with numbers that nobody means: words, or the thing done; no panic, no abort, no hang."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

import numpy as np
import pytest

from flashscope import _core
from flashscope.drives.parts.part import load_part
from flashscope.workloads.file_system import HOSTS
from flashscope.workloads.job import Job
from flashscope.workloads.jobs_json import to_json
from tests.core.drives import KINDS, REFUSALS, SECOND_NS, small_ssd, used_drive, write

P = ParamSpec("P")
YEAR_NS = 365 * 86_400 * SECOND_NS
WHOLE = (0, 1, 511, 512, 2**31, 2**32 - 1, 2**62, 2**63, 2**64 - 512, 2**64 - 1)
BROKEN = (0.0, 1e-300, 0.5, 1e300, -1.0, float("inf"), float("nan"))
LOAD = {
    "pattern": "random",
    "sequential_block_bytes": 131072,
    "random_block_bytes": 4096,
    "queue_depth": 8,
    "static_ratio": 0.0,
}


def no_fault(what: object, verb: Callable[P, object], *numbers: P.args, **named: P.kwargs) -> None:
    """Do it; a refusal is as good as an answer."""
    try:
        verb(*numbers, **named)
    except REFUSALS:
        pass
    except BaseException as fault:  # a panic
        pytest.fail(f"{what}: {type(fault).__name__}: {fault}")


def numbers_in(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every number of a JSON document."""
    if isinstance(document, dict | list):
        for key, value in document.items() if isinstance(document, dict) else enumerate(document):
            yield from numbers_in(value, (*path, key))
    elif isinstance(document, int | float) and not isinstance(document, bool):
        yield path


def with_number(document: Any, path: tuple[Any, ...], number: float) -> str:
    """The document as JSON with another number at that path."""
    changed = json.loads(json.dumps(document))
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = number
    return json.dumps(changed)


def test_virtual_time_ends_in_words_and_the_drive_lives_on_until_then() -> None:
    for kind in KINDS:
        drive = used_drive(kind)
        with pytest.raises(_core.OutOfTime, match="virtual time ends after 250 years"):
            drive.idle(2**64 - 1)
        write(drive, 1 << 18)
        drive.idle(249 * YEAR_NS)
        with pytest.raises(_core.OutOfTime, match="accepted: at most"):
            drive.idle(YEAR_NS)
        drive.check()
        assert _core.Drive.restore(drive.snapshot(), 1).now_ns == drive.now_ns


@pytest.mark.parametrize("kind", KINDS)
def test_a_drive_takes_or_refuses_any_number(kind: str) -> None:
    drive = used_drive(kind)
    for number in WHOLE:
        no_fault(("sample interval", number), write_sampled, drive, number)
        no_fault(("erase cycles", number), drive.age, 0.5, "random", number, 0.1)
        for other in WHOLE:
            no_fault(("trim", number, other), drive.trim, number, other)
    for ratio in BROKEN:
        no_fault(("age", ratio), drive.age, ratio, "none", 1, ratio)
        for number in (0, 1, YEAR_NS, 2**64 - 1):
            no_fault(("off", number), drive.power_off, number, ratio)
    drive.check()
    write(drive, 1 << 18)


def write_sampled(drive: _core.Drive, sample_interval_ns: int) -> None:
    """A short run with a series of that interval."""
    run = drive.start(to_json([Job("w", "write", io_bytes=1 << 16, thinktime_ns=SECOND_NS)]), sample_interval_ns)
    while not run.advance(drive, 2**64 - 1):
        pass
    run.result()


def test_a_job_with_any_number_runs_or_is_refused() -> None:
    drive = used_drive("ssd")
    document = json.loads(to_json([Job("w", "randrw", io_bytes=1 << 16)]))

    def run(text: str) -> None:
        started = drive.start(text, SECOND_NS)
        try:
            for _ in range(20):
                if started.advance(drive, 100):
                    break
        finally:
            started.stop(drive)
        started.result()

    for path in numbers_in(document):
        for number in (*WHOLE, 0.5, 1e300, -1):
            no_fault((path, number), run, with_number(document, path, number))


def test_a_part_with_any_number_makes_a_drive_or_is_refused() -> None:
    document = small_ssd()

    def make(text: str) -> None:
        _core.Drive(text, 1).counters()

    for path in numbers_in(document):
        for number in (0, 3, 2**20, 2**32 - 1, 2**64 - 512, 1e300):
            if path[-1] == "blocks_per_plane" and number == 2**20:
                continue  # a drive of many tables, which only takes long to make
            no_fault((path, number), make, with_number(document, path, number))


def test_what_makes_a_stripe_may_be_any_number() -> None:
    member = load_part("ramdisk").to_core_json()
    for count in (0, 1, 2, 65):
        for number in WHOLE:
            for sizes in ((number, 10**9, 0, 0), (4096, number, number, 0), (4096, 10**9, 0, number)):
                no_fault((count, sizes), write_striped, [member] * count, sizes)


def write_striped(members: list[str], sizes: tuple[int, int, int, int]) -> None:
    """A stripe with the largest seed, and a little written to it."""
    write(_core.Drive.striped(members, 2**64 - 1, *sizes), 1 << 14)


def test_what_wears_a_drive_may_be_any_number() -> None:
    drive = used_drive("ssd")

    def wear(load: str, written_bytes: int, erase_count: float) -> None:
        life = _core.Wear(drive, load, 2**64 - 1, True)
        life.advance(drive, written_bytes, erase_count, 100)

    for path in numbers_in(LOAD):
        for number in (*WHOLE, *BROKEN[:5]):
            no_fault((path, number), wear, with_number(LOAD, path, number), 1, 1.0)
    for number in (-(2**63), -1, 0, 2**63 - 1):
        for ratio in BROKEN:
            no_fault((number, ratio), wear, json.dumps(LOAD), number, ratio)
    drive.check()


def test_a_trace_of_file_work_and_its_host_may_hold_any_number() -> None:
    drive = used_drive("ssd")
    host = json.loads(HOSTS["windows-7"].settings_json())
    columns = {
        "program_ends": [2],
        "operations": [0, 0, 0, 1000, 1, 0, 0, 4096],
        "file_ends": [1],
        "extents": [4096, 8192],
    }

    def work(changed: dict[str, list[int]], host_text: str) -> None:
        program_ends, operations, file_ends, extents = (np.array(changed[name], np.uint64) for name in columns)
        contents = np.array([0], np.uint8)
        run = drive.start_file_work(program_ends, operations, file_ends, extents, contents, host_text, SECOND_NS)
        try:
            for _ in range(20):
                if run.advance(drive, 100):
                    break
        finally:
            run.stop(drive)
        run.result()

    work(columns, json.dumps(host))
    for path in numbers_in(host):
        for number in (*WHOLE, -1):
            no_fault((path, number), work, columns, with_number(host, path, number))
    for path in numbers_in(columns):
        for number in (*WHOLE, *range(2, 10)):
            changed = json.loads(with_number(columns, path, number))
            no_fault((path, number), work, changed, json.dumps(host))


def test_a_drive_is_held_by_the_run_that_has_requests_in_it() -> None:
    drive, other = used_drive("ssd"), used_drive("ssd")
    jobs = to_json([Job("w", "write", io_bytes=1 << 20, queue_depth=8)])
    first, second = drive.start(jobs, SECOND_NS), drive.start(jobs, SECOND_NS)
    assert not first.advance(drive, 10)
    for verb in (
        lambda: second.advance(drive, 10),
        lambda: drive.idle(1),
        lambda: drive.trim(0, 4096),
        drive.secure_erase,
        drive.power_cut,
    ):
        with pytest.raises(ValueError, match="a run is under way on this drive"):
            verb()
    with pytest.raises(ValueError, match="started on another drive"):
        first.advance(other, 10)
    first.stop(drive)
    assert second.advance(drive, 10_000)
    drive.idle(1)
