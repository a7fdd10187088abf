"""Only the named range of a file or a device is written: what lies before it and after it stays, to the byte.

A part of a drive is named by an offset, by a partition, or by a loop device over a stretch of a file; a drive also ends
where it ends, whatever does not fit into it whole. Each is loaded by jobs, trims and wear that come as near to its ends
as they can.
"""

import os
import shutil
from pathlib import Path

import pytest

from tests.commands import in_process
from tests.own_data import own_data

from ..drives.bench import MIB, Bench, run

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

SIZE_BYTES = 24 * MIB
JOBS = {
    "all of it": "rw=write\nbs=64k",
    "what does not fit whole": "rw=write\nbs=3m\ntime_based\nruntime=200ms",
    "two sizes": "rw=rw\nbs=4k,3m\nio_size=40m",
    "hot places": "rw=randwrite\nbs=3m\nrandom_distribution=zipf:1.2\nio_size=60m",
    "ranges": "rw=randwrite\nbsrange=4k-1m\nnorandommap\nio_size=40m",
}
TRIMS = {
    "all of it": "rw=trim\nbs=1m",
    "what does not fit whole": "rw=trim\nbs=3m",
    "anywhere": "rw=randtrim\nbs=100k\nnorandommap",
}
SPANS = (
    "rw=write\nbs=3m",
    "rw=write\nbs=48k\nio_size=20m",
    "rw=write\nbs=100k\nblockalign=512\nio_size=20m",
    "rw=randrw\nbs=4k,3m\nio_size=40m",
    "rw=randwrite\nbs=3m\nio_size=40m\nrandom_distribution=zipf:1.2",
    "rw=write\nbssplit=4k/50:3m/50\nio_size=40m",
)


def flashscope(folder: Path, *arguments: str) -> None:
    done = in_process(folder, *arguments, "--quiet", "--store", folder / "records.sqlite")
    assert done.exit_code == 0, done.output


def jobs(folder: Path, texts: dict[str, str]) -> str:
    path = folder / "jobs.fio"
    path.write_text("\n".join(f"[{name}]\nstonewall\n{text}" for name, text in texts.items()))
    return str(path)


def filled(path: Path, size_bytes: int = SIZE_BYTES) -> bytes:
    """A file without two equal sectors side by side, so that any write, move or trim is seen."""
    content = own_data(size_bytes, seed=size_bytes)
    path.write_bytes(content)
    return content


def assert_only_changed(path: Path, was: bytes, begin_bytes: int, end_bytes: int) -> None:
    is_now = path.read_bytes()
    assert len(is_now) == len(was)
    assert is_now[:begin_bytes] == was[:begin_bytes], "written before the beginning"
    assert is_now[end_bytes:] == was[end_bytes:], "written after the end"
    for name, part in (("first", slice(begin_bytes, begin_bytes + 4096)), ("last", slice(end_bytes - 4096, end_bytes))):
        assert is_now[part] != was[part], f"the {name} bytes of the range were not reached, so nothing was shown"


def test_a_job_ends_with_the_last_request_that_its_span_holds_whole(tmp_path: Path) -> None:
    """Each job has 4 MiB of its own, behind 1 MiB that nobody may touch."""
    target = tmp_path / "x.img"
    was = filled(target, (1 + 5 * len(SPANS)) * MIB)
    spans = {f"job{at}": f"offset={5 * at + 1}m\nsize=4m\n{text}" for at, text in enumerate(SPANS)}
    flashscope(tmp_path, "run", f"file:{target}", jobs(tmp_path, spans), "--write-ok")
    is_now = target.read_bytes()
    for at, text in enumerate(SPANS):
        begin = 5 * at * MIB
        assert is_now[begin : begin + MIB] == was[begin : begin + MIB], f"written outside the span before {text!r}"
        assert is_now[begin + MIB : begin + 2 * MIB] != was[begin + MIB : begin + 2 * MIB], text
    assert is_now[-MIB:] == was[-MIB:]


@pytest.mark.parametrize(
    ("modifiers", "begin_bytes", "odd_bytes"),
    [
        pytest.param("", 0, 1000, marks=pytest.mark.long),
        pytest.param("@offset=1MiB", MIB, 0, marks=pytest.mark.long),
        pytest.param("@offset=63s", 63 * 512, 1000, marks=pytest.mark.long),
        ("@offset=63s@sector=4096", 63 * 512, 0),
    ],
)
def test_a_file_is_written_from_its_offset_to_its_last_whole_sector(
    modifiers: str, begin_bytes: int, odd_bytes: int, tmp_path: Path
) -> None:
    target = tmp_path / "x.img"
    was = filled(target, SIZE_BYTES + odd_bytes)
    flashscope(tmp_path, "run", f"file:{target}{modifiers}", jobs(tmp_path, JOBS), "--write-ok")
    sector_bytes = 4096 if "sector" in modifiers else 512
    end_bytes = SIZE_BYTES + odd_bytes - (SIZE_BYTES + odd_bytes - begin_bytes) % sector_bytes
    # Requests of 4 KiB and more come no nearer to an end that is not on their grid.
    is_now = target.read_bytes()
    assert len(is_now) == len(was)
    assert is_now[:begin_bytes] == was[:begin_bytes]
    assert is_now[end_bytes:] == was[end_bytes:]
    assert is_now[begin_bytes : begin_bytes + 4096] != was[begin_bytes : begin_bytes + 4096]


def test_a_loop_device_over_a_stretch_of_a_file_is_written_and_trimmed_within_the_stretch(bench: Bench) -> None:
    image = bench.directory / "x.img"
    was = filled(image)
    device = bench.loop(image, "--offset", str(MIB), "--sizelimit", str(20 * MIB))
    for texts in (JOBS, TRIMS):
        flashscope(
            bench.directory, "run", device, jobs(bench.directory, texts), "--serial", str(image), "--yes",
        )  # fmt: skip
        run("blockdev", "--flushbufs", device)
        assert_only_changed(image, was, MIB, 21 * MIB)


def test_a_partition_is_written_trimmed_and_worn_within_its_bounds(bench: Bench) -> None:
    image = bench.directory / "x.img"
    was = filled(image)
    device = bench.loop(image)
    run("addpart", device, 1, 2048, 32768)
    bench.later(lambda: run("delpart", device, 1))
    consent = ("--serial", str(image), "--yes")
    for texts in (JOBS, TRIMS):
        flashscope(bench.directory, "run", f"{device}p1", jobs(bench.directory, texts), *consent)
        run("blockdev", "--flushbufs", device)
        assert_only_changed(image, was, MIB, 17 * MIB)
    wear = ("--budget", "40MiB", "--confirm-total", "40MiB", "--no-figures")
    flashscope(bench.directory, "endure", f"{device}p1", *wear, *consent)
    run("blockdev", "--flushbufs", device)
    assert_only_changed(image, was, MIB, 17 * MIB)


def test_wear_ends_at_the_last_whole_block_of_a_file(tmp_path: Path) -> None:
    target = tmp_path / "x.img"
    was = filled(target, SIZE_BYTES + 1000)
    wear = ("--budget", "60MiB", "--confirm-total", "60MiB", "--no-figures")
    flashscope(tmp_path, "endure", f"file:{target}", *wear, "--write-ok")
    assert_only_changed(target, was, 0, SIZE_BYTES)


def test_a_trim_step_of_a_file_keeps_its_size_and_its_last_bytes(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=512 * MIB)), mounted_on="trims")
    run("mount", "-o", "remount,discard", point)
    target = point / "x.img"
    was = filled(target, SIZE_BYTES + 1000)
    flashscope(bench.directory, "run", f"file:{target}", "--experiment", "compressibility", "--quick", "--write-ok")
    is_now = target.read_bytes()
    assert len(is_now) == len(was)
    assert is_now[SIZE_BYTES + 512 :] == was[SIZE_BYTES + 512 :]
    assert os.stat(target).st_nlink == 1
