"""One trial: something made up is done with the product, and how that ended.

    refused    in words                        done    to the end, or as far as its budget goes
    long       a call of the core went on after LONG_S: it gave signs of life, said how far it is, and could be stopped

Anything else is a fault: another exception, more memory than was announced. What never gives a sign of life, or ends
the process, ends the trials with it: `campaign.py` runs them in child processes.
"""

from __future__ import annotations

import random
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import assemble, memory_needed, parts_of
from flashscope.drives.system.free_memory import RESULTS_BYTES
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.drives.virtual.load_memory import load_bytes
from flashscope.drives.virtual.signs_of_life import listening
from flashscope.errors import FlashscopeError, WrongUse
from flashscope.workloads.job_file import parse_job_file
from tests.fuzz import made_up

LONG_S = 0.3
SLACK_BYTES = 32 << 20
"""Memory that a trial itself takes: libraries that are loaded late, parsed files."""


class Long(Exception):
    """A call gave signs of life for longer than a trial waits."""


def _stop_when_long(phase: str, done: int, total: int, took_s: float) -> None:
    assert total == 0 or done <= total * 1.1 + 64, f"{phase}: {done} of {total}"
    if took_s >= LONG_S:
        raise Long(phase)


def ended(trial: Callable[[], str]) -> str:
    """How a trial ended: "refused", "long", or what it returns."""
    try:
        with listening(_stop_when_long):
            return trial()
    except Long:
        return "long"
    except WrongUse:
        return "refused"
    except FlashscopeError:
        return "failed in words"


def live(drive: InVirtualTime, job: str, calls: int = 6) -> str:
    """Run a job on a drive for a few calls, and look at everything it shows."""
    jobs = parse_job_file(job, source="a.fio", drive_bytes=drive.facts.user_bytes)
    run = drive.start(jobs, 10**9)
    for _ in range(calls):
        if run.advance(300):
            break
    run.stop()
    run.result()
    drive.idle(10**9)
    drive.read_smart(drive.now_ns)
    drive.inside()
    drive.counters()
    return "done"


def of_job(drive: InVirtualTime, job: str) -> int:
    """What the jobs themselves are said to take [bytes]; 0 when they are refused."""
    try:
        jobs = parse_job_file(job, source="a.fio", drive_bytes=drive.facts.user_bytes)
    except WrongUse:
        return 0
    return load_bytes(jobs, drive.resolved_part(), drive.facts.user_bytes)


def grown(before_bytes: int) -> int:
    """The highest memory of this process so far, above an earlier one [bytes]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before_bytes


def with_address(text: str, job: str) -> str:
    """Build the drive of an address as it says, and run a job on it."""
    address = parse_address(text)
    if not address.is_virtual:
        return "not virtual"
    announced, before = memory_needed(address), grown(0)
    drive = assemble(address, parts_of(address))
    how = ended(lambda: live(drive, job))
    most = announced + of_job(drive, job) + RESULTS_BYTES + SLACK_BYTES
    assert grown(before) <= most, f"{grown(before) >> 20} MiB, and {announced >> 20} were announced for the drive"
    return how


def with_part(text: str, path: Path, job: str) -> str:
    """The same with a part file."""
    path.write_text(text, encoding="utf-8")
    return with_address(f"sim:{path}", job)


def trial_of(kind: str, number: int, folder: Path) -> tuple[Any, Callable[[], str]]:
    """What the trial of that number is about, and the trial. kind: "address", "part" or "job"."""
    chance = random.Random(f"{kind} {number}")
    plain_job = "[j]\nrw=randrw\nbs=4k\nio_size=4m\niodepth=8\n"
    if kind == "address":
        text, job = made_up.address(chance), made_up.job_text(chance) if chance.random() < 0.3 else plain_job
        return (text, job), lambda: with_address(text, job)
    if kind == "part":
        text = made_up.part_text(chance)
        return text, lambda: with_part(text, folder / "made-up.toml", plain_job)
    part, job = chance.choice(made_up.PARTS), made_up.job_text(chance)
    aged = chance.choice(("", "", "", "?aged=full"))
    return (part + aged, job), lambda: with_address(f"sim:{part}{aged}", job)
