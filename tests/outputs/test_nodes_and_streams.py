"""No result turns a device, a pipe or a directory into a file; what takes a stream is written plainly."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.drives.bench import Bench

from .conftest import Laboratory, always_refused, node, refused

_NULL = os.makedev(1, 3)
_NO_DRIVER = os.makedev(254, 250)


def test_a_block_device_is_refused_and_stays_one(lab: Laboratory, bench: Bench) -> None:
    image = bench.image(size_bytes=1 << 20)
    image.write_bytes(os.urandom(1 << 20))
    device, before = bench.loop(image), image.read_bytes()
    for command in (
        lab.report_to(device),
        ("smart", "sim:onyx-32", "--html", device),
        ("smart", "fleet", lab.folder, "--sqlite", device),
        ("smart", "fleet", lab.folder, "--parquet", device),
    ):
        always_refused(lab, *command, because="is a block device")
    assert stat.S_ISBLK(os.stat(device).st_mode)
    assert image.read_bytes() == before


@pytest.mark.parametrize("output", ["disk", "link-to-disk"])
def test_a_node_of_a_block_device_anywhere_is_refused(lab: Laboratory, output: str) -> None:
    node(lab.folder / "disk", stat.S_IFBLK, _NO_DRIVER)
    (lab.folder / "link-to-disk").symlink_to("disk")
    before = lab.seen()
    always_refused(lab, *lab.report_to(output), because="is a block device")
    assert lab.seen() == before


def test_a_device_that_may_hold_data_is_refused(lab: Laboratory) -> None:
    node(lab.folder / "flash", stat.S_IFCHR, _NO_DRIVER)
    before = lab.seen()
    always_refused(lab, *lab.report_to("flash"), because="is a device (254:250); it may hold data")
    assert lab.seen() == before


def test_a_copy_of_dev_null_takes_a_report_and_stays_a_device(lab: Laboratory) -> None:
    node(lab.folder / "null", stat.S_IFCHR, _NULL)
    before = lab.seen()
    done = lab.report("null")
    assert done.exit_code == 0, done.output
    assert lab.seen() == before
    assert lab.report("/dev/null").exit_code == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_pipe_gets_the_page_and_stays_a_pipe(lab: Laboratory) -> None:
    pipe, got = lab.folder / "pipe", []
    os.mkfifo(pipe)

    def read() -> None:
        got.append(pipe.read_bytes())

    for arguments in (
        ("report", "--store", lab.store, "-o", pipe),
        ("smart", "sim:onyx-32", "--html", pipe),
    ):
        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        done = lab.call(*arguments)
        assert done.exit_code == 0, done.output
        assert stat.S_ISFIFO(pipe.lstat().st_mode)
        reader.join(30)
        assert got.pop().rstrip().endswith(b"</html>")


def test_a_table_of_sqlite_is_not_written_into_a_pipe(lab: Laboratory) -> None:
    os.mkfifo(lab.folder / "pipe")
    before = lab.seen()
    refused(lab.call("smart", "fleet", lab.folder, "--sqlite", "pipe"), "cannot be written to pipe")
    assert lab.seen() == before


def test_metrics_into_a_pipe_that_nobody_reads_are_told_and_the_watch_goes_on(lab: Laboratory) -> None:
    pipe = lab.folder / "m.prom"
    os.mkfifo(pipe)
    watch = ("smart", "watch", "sim:onyx-32", "--once", "--textfile", pipe)
    done = lab.call(*watch)
    assert done.exit_code == 0, done.output
    assert "a pipe that no program reads" in done.output
    handle = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = lab.call(*watch)
        assert done.exit_code == 0, done.output
        assert os.read(handle, 1 << 16).startswith(b"# HELP flashscope_")
    finally:
        os.close(handle)
    assert stat.S_ISFIFO(pipe.lstat().st_mode)


def test_metrics_are_not_put_in_place_of_a_node(lab: Laboratory) -> None:
    node(lab.folder / "m.prom", stat.S_IFBLK, _NO_DRIVER)
    before = lab.seen()
    refused(lab.call("smart", "watch", "sim:onyx-32", "--once", "--textfile", "m.prom", "--force"), "is a block device")
    assert lab.seen() == before


def test_a_report_on_standard_output_is_the_page_and_nothing_else(lab: Laboratory) -> None:
    command = [sys.executable, "-m", "flashscope", "report", "--store", str(lab.store), "-o"]
    piped = subprocess.run([*command, "-"], capture_output=True, check=True)
    assert piped.stdout.startswith(b"<!DOCTYPE html>")
    assert piped.stdout.rstrip().endswith(b"</html>")
    assert b"Report:" in piped.stderr
    with (lab.folder / "caught.html").open("wb") as caught:  # as by the shell's >
        subprocess.run([*command, "/dev/stdout"], stdout=caught, stderr=subprocess.DEVNULL, check=True)
    assert (lab.folder / "caught.html").read_bytes() == piped.stdout
    assert not (lab.folder / "-").exists()


def test_standard_output_is_not_mixed_of_a_page_and_json(lab: Laboratory) -> None:
    refused(lab.report("-", "--json"), "two results would go to standard output and be mixed there")


def test_standard_output_that_leads_into_a_store_or_a_block_device_is_refused(lab: Laboratory, bench: Bench) -> None:
    image = bench.image(size_bytes=1 << 20)
    device = bench.loop(image)
    other = lab.folder / "other.sqlite"
    other.write_bytes(lab.store.read_bytes())
    before = other.read_bytes()
    command = [sys.executable, "-m", "flashscope", "report", "--store", str(lab.store), "-o", "-"]
    for place, word in ((device, b"is a block device"), (str(other), b"it is a store"), (str(lab.store), b"the store")):
        handle = os.open(place, os.O_WRONLY)
        try:
            done = subprocess.run(command, stdout=handle, stderr=subprocess.PIPE)
        finally:
            os.close(handle)
        assert (done.returncode, word in done.stderr) == (2, True), done.stderr
    assert image.read_bytes() == bytes(1 << 20)
    assert other.read_bytes() == before


@pytest.mark.parametrize("name", ["/dev/flashscope-test.html", "/sys/flashscope-test.html", "/proc/flashscope-test"])
def test_no_new_file_appears_among_devices_and_the_kernels_own(lab: Laboratory, name: str) -> None:
    link = lab.folder / "link"
    link.symlink_to(name)
    try:
        for output in (name, link):
            always_refused(lab, *lab.report_to(output), because="among devices or the kernel's own files")
        refused(lab.call("report", "--store", lab.store, "--charts", Path(name).parent), "the kernel's own")
        refused(lab.call("list", "--store", name), "")
        assert not os.path.exists(name)
    finally:
        if os.path.exists(name):
            os.unlink(name)


def test_shared_memory_is_a_place_for_files(lab: Laboratory) -> None:
    if not os.path.ismount("/dev/shm"):
        pytest.skip("/dev/shm is no file system of its own here")
    path = Path(f"/dev/shm/flashscope-test-{os.getpid()}.html")
    try:
        assert lab.report(path).exit_code == 0
        assert path.is_file()
    finally:
        path.unlink(missing_ok=True)


def test_a_path_through_another_file_system_root_does_not_end_up_here(lab: Laboratory, bench: Bench) -> None:
    """In the name space of another process the same words mean another place."""
    (lab.folder / "there").mkdir()
    script = 'mount -t tmpfs none "$0" && echo ready && read wait'
    command = ["unshare", "--mount", "sh", "-c", script, str(lab.folder / "there")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as inner:
        assert inner.stdin is not None
        assert inner.stdout is not None
        if inner.stdout.readline() != b"ready\n":
            pytest.skip("no mount namespace can be made here")
        try:
            through = f"/proc/{inner.pid}/root{lab.folder}/there"
            before = lab.seen()
            refused(lab.report(f"{through}/page.html"), "leads to a place that this process cannot name")
            refused(
                lab.call("report", "--store", lab.store, "--charts", f"{through}/charts"), "this process cannot name"
            )
            refused(lab.call("list", "--store", f"{through}/new.sqlite"), "")
            assert lab.seen() == before
            assert os.listdir(through) == []
        finally:
            inner.stdin.close()


def test_a_working_directory_that_is_gone_is_told_in_words(lab: Laboratory) -> None:
    gone = lab.folder / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    for command in (lab.report_to("page.html"), ("report", "--store", lab.store, "--charts", "charts")):
        refused(lab.call(*command), "accepted:")
    for command in (("report", "--store", "new.sqlite"), ("examine", "sim:onyx-32", "--only", "stutter")):
        refused(lab.call(*command), "")


@pytest.mark.parametrize("name", ["folder", ".", "/", "records.sqlite/page.html", "a" * 300, "b/" * 3000 + "page"])
def test_a_place_that_is_none_is_told_in_words_and_nothing_changes(lab: Laboratory, name: str) -> None:
    (lab.folder / "folder").mkdir()
    before = lab.seen()
    always_refused(lab, *lab.report_to(name), because="accepted:")
    if name not in ("folder", ".", "/"):
        refused(lab.call("report", "--store", lab.store, "--charts", name), "")
    assert lab.seen() == before
