"""Data of others are never taken for blank, in a file or on a device; and what is blank or our own is never refused.

The kinds of others stand in `foreign_kinds.py`.
"""

import fcntl
import os
import shutil
import signal
import struct
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.contents import naming, places
from flashscope.drives.guard.contents.own_data import DATA_MARK, STAMP_MAGIC, first_foreign
from flashscope.drives.guard.contents.survey import find_foreign
from flashscope.drives.guard.guard import Refused
from flashscope.drives.guard.rules import Refusal
from flashscope.drives.held.held import Held
from flashscope.drives.open import refusals
from flashscope.endurance.real.block_stamp import Stamper
from flashscope.endurance.real.settings import BLOCKS, WearSettings
from flashscope.runner.engines.fio.engine import run_jobs
from flashscope.runner.hands.trim import trim_range
from flashscope.workloads.job import BlockSizes, Job
from tests.endurance.real.worn import Worn

from .bench import Bench, why_no_loop_devices
from .foreign_kinds import KIB, KINDS, MIB, SIZE_BYTES, Foreign, noise, why_not
from .opened import open_real

_ZERO_OUT = 0x127F  # BLKZEROOUT, <linux/fs.h>
WRITE = Consent(write_ok=True)
with_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def refused(address: str, consent: Consent = WRITE) -> tuple[Refusal, ...]:
    return refusals(parse_address(address), destructive=True, consent=consent)


def put(path: Path | str, kind: Foreign) -> None:
    with open(path, "r+b", buffering=0) as drive:
        for at, piece in kind.parts():
            os.pwrite(drive.fileno(), piece, at)
        os.fsync(drive.fileno())


def check_refused(found: tuple[Refusal, ...], kind: Foreign) -> None:
    assert "data" in {refusal.rule for refusal in found}
    assert kind.says in "\n".join(refusal.found for refusal in found).lower()


@pytest.fixture(scope="module")
def loop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A loop device for all kinds, and its file."""
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    with ExitStack() as undo:
        bench = Bench(tmp_path_factory.mktemp("loop"), undo)
        image = bench.image(size_bytes=SIZE_BYTES)
        yield bench.loop(image), image


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_file_with_data_of_others_is_refused_and_told_what_it_is(kind: Foreign, tmp_path: Path) -> None:
    if reason := why_not(kind):
        pytest.skip(reason)
    path = tmp_path / "x"
    with path.open("wb") as file:
        file.truncate(SIZE_BYTES)
    put(path, kind)
    check_refused(refused(f"file:{path}"), kind)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_device_with_data_of_others_is_refused_and_told_what_it_is(kind: Foreign, loop: tuple[str, Path]) -> None:
    if reason := why_not(kind):
        pytest.skip(reason)
    device, image = loop
    with open(device, "r+b", buffering=0) as drive:
        fcntl.ioctl(drive, _ZERO_OUT, struct.pack("=QQ", 0, SIZE_BYTES))
    put(device, kind)
    check_refused(refused(device, Consent(serial=str(image))), kind)


def test_without_the_program_file_it_is_refused_and_has_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "letter"
    path.write_bytes(b"Dear diary\n" * 1000)
    monkeypatch.setattr(naming, "run_on_bytes", lambda *words, content: None)
    (found,) = refused(f"file:{path}")
    assert found.rule == "data"
    assert found.found.endswith("at byte 0")


def test_data_of_others_are_overwritten_only_when_that_rule_is_set_aside_by_name(tmp_path: Path) -> None:
    path = tmp_path / "letter"
    path.write_bytes(b"Dear diary\n" * 1000)
    for allow in ("file-system", "partition-table", "hard-link"):
        (found,) = refused(f"file:{path}", Consent(write_ok=True, allow=frozenset({allow})))
        assert "--allow data" in found.lift
    open_real(f"file:{path}", consent=Consent(write_ok=True, allow=frozenset({"data"}))).close()
    assert path.read_bytes() == b"Dear diary\n" * 1000


def test_what_is_put_on_a_drive_while_it_is_held_is_seen_before_the_first_write(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(MIB))
    drive = open_real(f"file:{path}", consent=WRITE)
    os.pwrite(drive.held.handle, b"Dear diary", 70000)
    with pytest.raises(Refused, match="at byte 69632"):
        drive.guard_again()
    drive.close()


def test_the_open_drive_is_read_and_not_what_its_name_leads_to(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"Dear diary")
    with Held.take(path, os.O_RDONLY) as held:
        path.rename(tmp_path / "y")
        path.write_bytes(bytes(10))
        found = find_foreign(held.handle, 10)
    assert found is not None
    assert found.name == "ASCII text, with no line terminators"


def test_a_drive_of_which_nothing_can_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(MIB))

    def broken(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(os, "pread", broken)
        assert [each.rule for each in refused(f"file:{path}")] == ["unknown-contents"]
    assert refused(f"file:{path}") == ()


def test_bytes_that_cannot_be_read_hide_nothing_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(512 * KIB) + noise(512 * KIB))
    read = os.pread

    def broken_at_the_start(handle: int, length: int, offset: int) -> bytes:
        if offset < 128 * KIB:
            raise OSError(5, "Input/output error")
        return read(handle, length, offset)

    monkeypatch.setattr(os, "pread", broken_at_the_start)
    (found,) = refused(f"file:{path}")
    assert "at byte 524288" in found.found


def test_little_is_read_of_a_large_drive_and_nothing_of_its_holes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x"
    with path.open("wb") as file:
        file.truncate(1 << 40)
        file.seek(300 << 30)
        file.write(bytes(MIB))
    lengths: list[int] = []
    read = os.pread

    def counted(handle: int, length: int, offset: int) -> bytes:
        lengths.append(length)
        return read(handle, length, offset)

    monkeypatch.setattr(os, "pread", counted)
    with Held.take(path, os.O_RDONLY) as held:
        assert find_foreign(held.handle, 1 << 40) is None
    assert len(lengths) <= 4
    all_of_it = sum(
        places.SAMPLE_BYTES if each.sample_bytes is not None else each.end_bytes - each.begin_bytes
        for each in places.stretches(1 << 40)
    )
    assert all_of_it < 64 * MIB


@pytest.mark.parametrize("size_bytes", [100 * MIB, 32_015_679_488, 1 << 40, 20 << 40])
def test_the_places_of_copies_are_looked_at_on_drives_of_every_size(size_bytes: int) -> None:
    """The places stand in the formats' own papers: ext (sparse superblocks), btrfs, md, LUKS2, GPT."""
    looked_at = [
        (each.begin_bytes, each.end_bytes) for each in places.stretches(size_bytes) if each.sample_bytes is None
    ]
    wanted = [0, 16 * KIB, 4 * MIB, 8 * MIB + KIB, 32 * MIB, 64 * MIB, 9 * MIB + KIB, 24 * MIB + KIB]
    wanted += [128 * MIB * group for group in (1, 3, 5, 7, 9, 25, 27, 49)] + [129 * MIB, 256 << 30, (256 << 30) + MIB]
    wanted += [size_bytes // 4, size_bytes // 2, size_bytes - 512, size_bytes - 65536, size_bytes - 1024]
    for place in wanted:
        if place < size_bytes:
            assert any(begin <= place < end for begin, end in looked_at), place


def test_every_thousandth_of_a_drive_gets_a_sample() -> None:
    size_bytes = 500 << 30
    samples = [each for each in places.stretches(size_bytes) if each.sample_bytes is not None]
    assert len(samples) == 1000
    for number, sample in enumerate(samples):
        assert sample.sample_bytes is not None
        assert -65536 <= sample.sample_bytes - size_bytes * number // 1000 < size_bytes // 1000


# Blank and our own


@pytest.mark.parametrize(
    ("content", "size_bytes"),
    [
        pytest.param(bytes(3 * MIB), 3 * MIB, id="zeros"),
        pytest.param(b"\xff" * 3 * MIB, 3 * MIB, id="erased flash"),
        pytest.param(b"", 200 * MIB, id="one hole"),
    ],
)
def test_a_blank_file_is_not_refused(content: bytes, size_bytes: int, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(content)
    os.truncate(tmp_path / "x", size_bytes)
    assert refused(f"file:{tmp_path / 'x'}") == ()


def test_a_file_that_flashscope_made_is_not_refused(tmp_path: Path) -> None:
    address = f"file:{tmp_path / 'x'}"
    open_real(address, consent=Consent(write_ok=True, create_bytes=4 * MIB)).close()
    assert refused(address) == ()


def sized(*sizes: int) -> BlockSizes:
    return BlockSizes(weighted=tuple((size, 100 / len(sizes)) for size in sizes), align_bytes=min(sizes))


REGION = 2 * MIB
OWN_JOBS = (
    Job("random", "write", write_sizes=sized(65536)),
    Job("in random order", "randwrite", write_sizes=sized(4096)),
    Job("small", "randwrite", write_sizes=sized(512)),
    Job("between pages", "write", write_sizes=sized(1536)),
    Job("of several sizes", "randwrite", write_sizes=sized(512, 4096, 8192)),
    Job("of a range", "randwrite", write_sizes=BlockSizes(range_bytes=(512, 65536), align_bytes=512)),
    Job("compressible", "write", write_sizes=sized(8192), compressible_ratio=0.46),
    Job("hardly compressible", "write", write_sizes=sized(8192), compressible_ratio=0.004),
    Job("fully compressible", "write", write_sizes=sized(8192), compressible_ratio=1.0),
    Job("zeros", "write", write_sizes=sized(8192), zero_buffers=True),
    Job("repeated", "randwrite", write_sizes=sized(4096), repeated_ratio=1.0),
    Job("half of it repeated", "randwrite", write_sizes=sized(4096), repeated_ratio=0.5, compressible_ratio=0.25),
    Job("mixed with reads", "randrw", write_sizes=sized(4096)),
)


def own_jobs(*, shifted_bytes: int = 0) -> list[Job]:
    """Each job in a region of its own, so that one fio runs them all."""
    return [
        replace(job, offset_bytes=number * REGION + shifted_bytes, size_bytes=REGION - 64 * KIB, seed=number)
        for number, job in enumerate(OWN_JOBS)
    ]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that fio filled in all ways, first from multiples of 4 KiB, then partly over that from between them."""
    path = tmp_path_factory.mktemp("filled") / "x"
    with path.open("wb") as file:
        file.truncate(len(OWN_JOBS) * REGION)
    with Held.take(path, os.O_RDWR) as held:
        for shifted_bytes in (0, 512 * 63):
            jobs = own_jobs(shifted_bytes=shifted_bytes)
            run_jobs(held, jobs, sample_interval_ns=10**8, on_progress=lambda *_: None)
    return path


@with_fio
def test_what_fio_wrote_for_us_is_not_refused_whatever_the_job_and_wherever_it_begins(filled: Path) -> None:
    assert refused(f"file:{filled}") == ()


@with_fio
@pytest.mark.parametrize("number", range(len(OWN_JOBS)), ids=lambda number: OWN_JOBS[number].name)
def test_every_sector_that_a_job_writes_bears_the_mark_or_is_blank(filled: Path, number: int) -> None:
    region = filled.read_bytes()[number * REGION :][: REGION - 64 * KIB]
    sectors = [region[at : at + 512] for at in range(0, len(region), 512)]
    blank = sum(not any(sector) for sector in sectors)
    assert sum(sector.rstrip(b"\0").endswith(DATA_MARK) for sector in sectors) + blank == len(sectors)
    only_zeros = OWN_JOBS[number].zero_buffers or OWN_JOBS[number].compressible_ratio == 1.0
    assert (blank == len(sectors)) == only_zeros


@with_fio
def test_the_mark_changes_neither_how_blocks_repeat_nor_that_they_differ(filled: Path) -> None:
    """fio repeats one buffer when its options come in another order."""
    content = filled.read_bytes()
    for number, job in enumerate(OWN_JOBS):
        if job.zero_buffers or job.compressible_ratio == 1.0 or job.direction == "randrw":
            continue
        region = content[number * REGION + 64 * KIB :][: REGION - 128 * KIB]
        sectors = [region[at : at + 512] for at in range(0, len(region), 512)]
        if job.repeated_ratio == 0:
            assert len(set(sectors)) == len(sectors), job.name
        else:
            assert len(set(sectors)) < (1.05 - job.repeated_ratio / 1.2) * len(sectors), job.name


@with_fio
def test_one_sector_of_others_among_our_own_is_found(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "x"
    shutil.copyfile(filled, path)
    with path.open("r+b") as file:
        file.seek(9 * MIB + 512)
        file.write(noise(512))
    (found,) = refused(f"file:{path}")
    assert f"at byte {9 * MIB + 512}" in found.found


@with_fio
def test_a_drive_that_was_filled_and_trimmed_in_part_is_not_refused(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "x"
    shutil.copyfile(filled, path)
    with Held.take(path, os.O_RDWR) as held:
        trim_range(held, 3 * MIB + 512, MIB + 1536, 512, lambda *_: None)
    assert refused(f"file:{path}") == ()


@with_fio
def test_a_drive_on_which_a_run_was_killed_is_not_refused(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with path.open("wb") as file:
        file.truncate(64 * MIB)
    job = Job("until it is killed", "randwrite", size_bytes=64 * MIB, time_based=True, runtime_ns=60 * 10**9)
    child = os.fork()
    if child == 0:
        with suppress(BaseException), Held.take(path, os.O_RDWR) as held:
            run_jobs(held, [job], sample_interval_ns=10**8, on_progress=lambda *_: None)
        os._exit(0)
    for _ in range(3000):
        if path.stat().st_blocks:
            break
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for _ in range(3000):  # fio ends with it, and holds the file until then
        if refused(f"file:{path}") == ():
            break
        time.sleep(0.01)
    assert path.stat().st_blocks > 0
    assert refused(f"file:{path}") == ()


def test_a_drive_that_was_worn_is_not_refused_whatever_store_is_used(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    settings = WearSettings(
        ("sequential",), 14 * MIB, checkpoint_bytes=14 * MIB, verify="none", figures=False, compressible_ratio=0.3
    )
    worn.begin(settings)
    assert worn.path.read_bytes().count(STAMP_MAGIC) > 100
    assert refused(worn.address) == ()
    with worn.path.open("r+b") as file:
        file.seek(5 * MIB + 8192)
        file.write(noise(4096))
    assert [each.rule for each in refused(worn.address)] == ["data"]


@pytest.mark.parametrize("block_bytes", BLOCKS)
def test_stamped_blocks_of_every_size_are_our_own_and_what_stands_between_them_is_not(block_bytes: int) -> None:
    count = MIB // block_bytes
    piece = bytearray(MIB)
    addresses = np.arange(count) * block_bytes
    Stamper(b"sixteen bytes id", block_bytes).fill(memoryview(piece), addresses, np.ones(count, dtype=np.int64))
    assert first_foreign(bytes(piece)) is None
    torn = bytes(piece[: 3 * block_bytes - 1024]) + noise(1024) + bytes(piece[3 * block_bytes :])
    assert first_foreign(torn) is None
    piece[block_bytes : block_bytes + 512] = noise(512)
    assert first_foreign(bytes(piece)) == block_bytes


def test_a_device_with_our_own_data_is_not_refused(loop: tuple[str, Path]) -> None:
    device, image = loop
    with open(device, "r+b", buffering=0) as drive:
        fcntl.ioctl(drive, _ZERO_OUT, struct.pack("=QQ", 0, SIZE_BYTES))
    jobs = [Job("fill", "write", size_bytes=SIZE_BYTES, write_sizes=sized(MIB))]
    with Held.take(Path(device), os.O_RDONLY | os.O_EXCL) as held:
        run_jobs(held, jobs, sample_interval_ns=10**8, on_progress=lambda *_: None)
        trim_range(held, 20 * MIB, 30 * MIB, 512, lambda *_: None)
    assert image.stat().st_blocks > 0
    assert refused(device, Consent(serial=str(image))) == ()


def test_a_piece_of_our_own_data_cut_off_anywhere_is_our_own() -> None:
    sector = noise(506) + DATA_MARK
    assert first_foreign(sector * 8) is None
    assert first_foreign(bytes(512) + sector + b"\xff" * 512 + bytes(100)) is None
    assert first_foreign(sector + noise(512) + sector) == 512
    assert first_foreign(sector[:-1] + b"\1") == 0
    assert first_foreign(b"x") == 0
    assert first_foreign(b"") is None
