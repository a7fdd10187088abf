"""What a drive is said to take is what a process that uses all of it takes, and what does not fit is refused."""

from __future__ import annotations

import resource
import subprocess
import sys
from dataclasses import replace

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import assemble, memory_needed, open_drive, parts_of
from flashscope.drives.system import free_memory as free
from flashscope.drives.virtual.load_memory import load_bytes
from flashscope.errors import WrongUse
from flashscope.runner.workers import workers_for
from flashscope.workloads.job import BlockSizes, Job
from tests.fuzz.made_up import PARTS

MIB = 1 << 20
OWN_BYTES = 16 * MIB
"""What the process takes in any case while it works: series, histograms, the interpreter."""

FILLS = """\
import re, sys
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.workloads.job import BlockSizes, Job
def field(name):
    return int(re.search(name + r":\\s+(\\d+) kB", open("/proc/self/status").read())[1]) * 1024
def run(drive, direction, size, share):
    # at random with repeats: no map of places is kept
    sizes = BlockSizes(weighted=((size, 100.0),), align_bytes=size)
    whole = drive.facts.user_bytes // size * size
    job = Job("j", direction, read_sizes=sizes, write_sizes=sizes, size_bytes=whole, io_bytes=int(whole * share),
              random_map=False)
    started = drive.start([job], 10**12)
    while not started.advance(100000):
        pass
TINY = ("sim:onyx-32?capacity.user_size=64MiB&geometry.blocks_per_plane=64"
        "&capacity.initial_bad_block_count=0&capacity.reserved_block_count=0")
tiny = open_drive(parse_address(TINY), destructive=True)
run(tiny, "randwrite", 4096, 0.1)
before = field("VmRSS")
drive = open_drive(parse_address(sys.argv[1]), destructive=True)
if drive.facts.raw_bytes and "aged" not in sys.argv[1]:
    run(drive, "write", 1 << 20, 1.0)
run(drive, "randrw", 4096, 1e-4)
print(field("VmHWM") - before)
"""


def measured(address: str) -> int:
    """The growth of the peak memory of a process that fills this drive [bytes]."""
    done = subprocess.run([sys.executable, "-c", FILLS, address], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def holds(address: str) -> None:
    said, taken = memory_needed(parse_address(address)), measured(address)
    print(f"{address}: {said / MIB:.0f} MiB said, {taken / MIB:.0f} taken")
    assert 0.8 * taken - OWN_BYTES <= said <= 1.5 * taken + OWN_BYTES, f"{said >> 20} MiB said, {taken >> 20} taken"


def test_a_drive_takes_what_was_said() -> None:
    holds("sim:x25v-40?aged=steady")


ODD = (
    "sim:onyx-32?gc.policy=cost-benefit&wear_leveling.static_spread=9 cycles",
    "sim:jmf602-32?log_blocks.count=100",
    "sim:onyx-32?geometry.pages_per_block=8&geometry.blocks_per_plane=65536",
    "sim:onyx-32?geometry.pages_per_block=8&geometry.blocks_per_plane=65536&aged=worn",
    "stripe:128KiB:sim:onyx-32*4",
)


@pytest.mark.long
@pytest.mark.parametrize("address", [*(f"sim:{part}" for part in PARTS), *ODD])
def test_every_shipped_drive_and_some_odd_ones_take_what_was_said(address: str) -> None:
    holds(address)


def test_a_stripe_takes_what_its_members_take_and_the_largest_has_a_number() -> None:
    one, four = (memory_needed(parse_address(text)) for text in ("sim:onyx-32", "stripe:128KiB:sim:onyx-32*4"))
    assert four == 4 * one
    assert memory_needed(parse_address("stripe:128KiB:sim:kc3000-1024*64")) > 100 << 30


@pytest.mark.parametrize("address", ["sim:kc3000-1024", "stripe:128KiB:sim:kc3000-1024*64", "sim:onyx-32?aged=worn"])
def test_what_does_not_fit_is_refused_before_it_is_built_with_both_figures(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(free.VARIABLE, str(130 * MIB))
    with pytest.raises(WrongUse, match=r"take up to .* of memory, and --memory allows 130 MiB") as refused:
        open_drive(parse_address(address), destructive=True)
    assert "--memory SIZE" in refused.value.advice


def test_the_least_limit_counts_and_what_a_person_says_takes_the_place_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(free.VARIABLE, raising=False)
    found = free.free_memory()
    assert 0 < found.free_bytes < 1 << 60
    monkeypatch.setenv(free.VARIABLE, str(3 << 60))
    assert free.free_memory().free_bytes > found.free_bytes
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1 << 40, -1))
    assert free.free_memory().limit.startswith("the limit of this process (ulimit -")


def test_workers_share_three_quarters_of_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flashscope.runner.workers._processors", lambda: 16)
    monkeypatch.setenv(free.VARIABLE, str(4 * (1 << 30)))
    assert workers_for(100, (1 << 30) - free.RESULTS_BYTES) == 3
    assert workers_for(100, 1 << 40) == 1, "one always runs"
    assert workers_for(2, 1) == 2


def test_thousands_of_huge_requests_are_refused_before_the_job_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = BlockSizes(weighted=((1 << 30, 100.0),), align_bytes=1 << 30)
    job = Job("j", "write", write_sizes=sizes, read_sizes=sizes, queue_depth=1024)
    address = parse_address("sim:onyx-32?link.queue_depth=1024")
    drive = assemble(address, parts_of(address))
    needed = load_bytes([job], drive.resolved_part(), drive.facts.user_bytes)
    assert needed > 10 << 30
    monkeypatch.setenv(free.VARIABLE, str(1 << 30))
    with pytest.raises(WrongUse, match="the requests of these jobs and their maps of places take up to"):
        drive.start([job], 10**9)
    drive.start([Job("j", "write", queue_depth=1024)], 10**9)


def test_maps_of_places_of_hundreds_of_jobs_are_refused_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    several = BlockSizes(range_bytes=(512, 1 << 20), align_bytes=512)
    job = Job("j", "randread", read_sizes=several)
    address = parse_address("sim:wd30ezrs")
    drive = assemble(address, parts_of(address))
    assert load_bytes([job], {}, 3 * 10**12) > 3 * 10**12 // 512 // 8
    assert load_bytes([replace(job, random_map=False)], {}, 3 * 10**12) < MIB
    monkeypatch.setenv(free.VARIABLE, str(8 << 30))
    with pytest.raises(WrongUse, match="norandommap"):
        drive.start([job] * 256, 10**9)
