"""A drive seen through other eyes: from a later start, or by larger sectors."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.addresses.modifiers import Modifier
from flashscope.drives.drive import Drive
from flashscope.drives.glass.glass import open_glass
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive, probe
from flashscope.drives.real.shifted import seen_facts
from flashscope.errors import WrongUse
from flashscope.experiments.streams import random_writes
from flashscope.records.drive_facts import SeenPart
from flashscope.runner.hands.choose import choose_hands
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Workload
from tests.drives.opened import open_virtual

MIB = 1 << 20
needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


@pytest.mark.parametrize(
    ("text", "scheme", "target", "values"),
    [
        ("sim:onyx-32@sector=4096", "sim", "onyx-32", {"sector": 4096}),
        ("sim:onyx-32@sector=4KiB", "sim", "onyx-32", {"sector": 4096}),
        ("sim:c300-256?seed=7@offset=63s", "sim", "c300-256", {"offset": 63 * 512}),
        ("sim:c300-256?seed=7&aged=steady@offset=31.5KiB", "sim", "c300-256", {"offset": 63 * 512}),
        ("file:a@home.img@offset=1MiB", "file", "a@home.img", {"offset": MIB}),
        ("file:a@b=c.img", "file", "a@b=c.img", {}),
        ("/dev/sdb@offset=63s", "device", "/dev/sdb", {"offset": 63 * 512}),
        ("stripe:128KiB:sim:a*2?seed=1@sector=4096@offset=1MiB", "stripe", "128KiB:sim:a*2", None),
    ],
)
def test_modifiers_are_read_from_the_end_and_put_back(
    text: str, scheme: str, target: str, values: dict[str, int] | None
) -> None:
    address = parse_address(text)
    assert (address.scheme, address.target) == (scheme, target)
    assert values is None or {one.name: one.value for one in address.modifiers} == values
    assert str(address) == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sim:onyx-32@sector=1000", "a power of two"),
        ("sim:onyx-32@sector=256", "a power of two"),
        ("sim:onyx-32@offset=63", "63s"),
        ("sim:onyx-32@offset=", "a number with a unit"),
        ("sim:onyx-32@ofset=63s", "@offset=63s"),
        ("sim:onyx-32@offset=1s@offset=2s", "each once"),
        ("sim:onyx-32@offset=63s?seed=7", "sim:onyx-32?seed=7@offset=63s"),
    ],
)
def test_a_wrong_modifier_is_told_what_would_do(text: str, word: str) -> None:
    with pytest.raises(WrongUse) as refused:
        parse_address(text)
    assert word in f"{refused.value} "


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("sim:onyx-32@offset=1000B", "@offset=512B and @offset=1024B"),
        ("sim:onyx-32@sector=4096@offset=63s", "multiple of 4096 B"),
        ("sim:onyx-32@offset=40GB", "an offset below"),
        ("sim:onyx-32@offset=32017046528B@sector=4096", "no whole sector"),
    ],
)
def test_what_does_not_fit_the_drive_is_refused_before_anything_is_done(text: str, word: str) -> None:
    with pytest.raises(WrongUse) as refused:
        probe(parse_address(text))
    assert word in str(refused.value)


def test_facts_follow_from_the_left_to_the_right() -> None:
    whole = probe(parse_address("sim:onyx-32"))
    misaligned = probe(parse_address("sim:onyx-32@offset=63s@sector=4096"))
    assert misaligned.sector_bytes == 4096
    assert misaligned.user_bytes == (whole.user_bytes - 63 * 512) // 4096 * 4096
    assert misaligned.partition == SeenPart(offset_bytes=63 * 512, sector_bytes_below=512)
    assert misaligned.address == "sim:onyx-32@offset=63s@sector=4096"


def test_a_sector_below_the_drives_own_is_refused() -> None:
    facts = replace(probe(parse_address("sim:onyx-32")), sector_bytes=4096)
    with pytest.raises(WrongUse, match="below the drive's own sectors of 4096 B"):
        seen_facts(facts, (Modifier("sector", 512, "@sector=512"),))


def work(drive: Drive, job: Job) -> int:
    """Carries out one job and returns its duration [ns]."""
    outcome = choose_hands(drive, 1).perform(Workload("w", (job,), 10**8, 64 * MIB, 0), lambda *_: None)
    assert outcome.workload is not None, outcome.note
    return outcome.workload.duration_ns


def small_writes(size: int = 4096, grid: int = 4096) -> Job:
    return random_writes("w", request_bytes=size, grid_bytes=grid, size_bytes=16 * MIB, io_bytes=MIB, seed=3)


def test_alignment_is_counted_from_the_shifted_start() -> None:
    drives = {text: open_virtual(f"sim:wd20ears{text}") for text in ("", "@offset=1MiB", "@offset=63s")}
    for drive in drives.values():
        work(drive, small_writes())
    counted = {text: drive.counters()["unaligned_write_requests"] for text, drive in drives.items()}
    assert counted == {"": 0, "@offset=1MiB": 0, "@offset=63s": 256}


def test_smaller_and_unaligned_requests_are_refused_as_a_drive_would() -> None:
    drive = open_drive(parse_address("stripe:128KiB:sim:onyx-32*2@sector=4096"), destructive=True)
    assert work(drive, small_writes()) > 0
    for job in (small_writes(512, 4096), small_writes(4096, 512)):
        with pytest.raises(WrongUse, match="sectors of 4096 B"):
            work(drive, job)
    reader = Job("r", "randread", read_sizes=BlockSizes(((4096, 100.0),)), size_bytes=MIB, io_bytes=MIB)
    assert work(drive, reader) > 0  # the sizes of writes it never makes do not matter


def test_a_job_may_not_reach_beyond_the_seen_end_and_none_means_up_to_it() -> None:
    drive = open_drive(parse_address("sim:onyx-32@offset=63s"), destructive=True)
    whole = Job("r", "read", read_sizes=BlockSizes(((MIB, 100.0),), align_bytes=MIB), io_bytes=MIB)
    assert work(drive, whole) > 0
    beyond = Job("r", "read", size_bytes=drive.facts.user_bytes + 512)
    with pytest.raises(WrongUse, match="ends at"):
        work(drive, beyond)


def test_truth_smart_and_glass_stay_those_of_the_drive() -> None:
    drive = open_virtual("sim:onyx-32?seed=2@offset=63s")
    assert drive.truth()["mapping_unit_bytes"] == 16384
    assert drive.read_smart(0).attributes
    assert len(drive.inside()) > 0
    assert open_glass(drive)
    work(drive, small_writes())
    drive.trim(0, 16 * MIB)
    drive.idle(10**9)
    assert drive.counters()["host_trimmed_bytes"] == 16 * MIB
    assert drive.resolved_part()["mapping"]["unit_bytes"] == 16384


@needs_fio
def test_a_file_is_written_from_its_shifted_start_only(tmp_path: Path) -> None:
    path = tmp_path / "drive.img"
    path.write_bytes(b"\xff" * (18 * MIB))
    address = parse_address(f"file:{path}@offset=1MiB@sector=4096")
    drive = open_drive(address, destructive=True, consent=Consent(write_ok=True))
    try:
        assert drive.facts.user_bytes == 17 * MIB
        with pytest.raises(WrongUse, match="sectors of 4096 B"):
            work(drive, small_writes(512, 512))
        job = Job("w", "write", write_sizes=BlockSizes(((4096, 100.0),)), size_bytes=2 * MIB, zero_buffers=True)
        work(drive, job)
    finally:
        drive.close()
    held = path.read_bytes()
    assert held[:MIB] == b"\xff" * MIB
    assert held[MIB : 3 * MIB] == bytes(2 * MIB)
    assert held[3 * MIB :] == b"\xff" * (15 * MIB)
