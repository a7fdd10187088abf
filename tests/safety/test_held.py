"""A drive that is held: its name may come to mean anything, and what is held stays what it was."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from flashscope.drives.held import held as held_module
from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed, WrongUse

from ..drives.bench import MIB, Bench, run, why_no_loop_devices


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Held]:
    path = tmp_path / "disk #2.img"
    path.write_bytes(b"held" * 1024)
    with Held.take(path, os.O_RDWR) as held:
        yield held


def test_what_is_held_is_reached_by_its_path_whatever_became_of_its_name(file: Held, tmp_path: Path) -> None:
    file.name.rename(tmp_path / "moved")
    file.name.write_bytes(b"another")

    file.path.write_bytes(b"written")

    assert (tmp_path / "moved").read_bytes() == b"written"
    assert file.name.read_bytes() == b"another"


def test_a_name_that_still_leads_there_has_not_changed(file: Held) -> None:
    os.pwrite(file.handle, b"new", 0)
    os.utime(file.name)

    assert file.what_changed() == ""
    file.check()


def test_each_way_to_swap_a_file_is_noticed_and_named(file: Held, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    os.link(file.name, kept)
    assert "another name now (a hard link)" in file.what_changed()

    file.name.unlink()
    assert "deleted or moved" in file.what_changed()

    file.name.symlink_to(kept)
    assert "it is a symbolic link now" in file.what_changed()

    file.name.unlink()
    file.name.write_bytes(b"another")
    assert "another file took its place" in file.what_changed()

    file.name.unlink()
    file.name.mkdir()
    assert "it is a folder now" in file.what_changed()

    file.name.rmdir()
    kept.rename(file.name)
    assert file.what_changed() == ""

    os.truncate(file.name, 4095)
    assert "has 4095 bytes now and had 4096" in file.what_changed()
    with pytest.raises(DriveFailed, match="has 4095 bytes"):
        file.check()


def test_a_folder_that_was_moved_removed_or_replaced_is_noticed(tmp_path: Path) -> None:
    folder = tmp_path / "dir #1"
    folder.mkdir()
    with Held.take(folder, os.O_RDONLY | os.O_DIRECTORY) as held:
        (folder / "new").write_text("what is inside may change")
        assert held.what_changed() == ""

        folder.rename(tmp_path / "moved")
        assert "removed or moved it" in held.what_changed()

        folder.mkdir()
        assert "another folder took its place" in held.what_changed()


def test_a_link_is_not_followed_and_another_file_than_the_one_wanted_is_not_opened(tmp_path: Path) -> None:
    real, link, other, pipe = (tmp_path / name for name in ("real", "link", "other", "pipe"))
    real.write_bytes(b"x")
    other.write_bytes(b"y")
    link.symlink_to(real)
    os.mkfifo(pipe)
    with Held.take(real, os.O_RDONLY) as held:
        wanted = held.was.place
    Held.take(real, os.O_RDONLY, wanted=wanted).close()

    for name in (link, other, pipe):  # opening a pipe for reading would wait for a writer
        with pytest.raises(WrongUse, match=r"is not the one that was checked"):
            Held.take(name, os.O_RDONLY, wanted=wanted)


def test_a_file_made_in_a_held_folder_is_new_and_lands_there_wherever_the_name_leads(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "folder", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    with Held.take(folder, os.O_RDONLY | os.O_DIRECTORY) as held:
        folder.rename(tmp_path / "moved")
        folder.symlink_to(elsewhere)
        with Held.take(folder / "new", os.O_RDWR | os.O_CREAT, folder=held):
            assert [path.name for path in (tmp_path / "moved").iterdir()] == ["new"]
        with pytest.raises(FileExistsError):
            Held.take(folder / "new", os.O_RDWR | os.O_CREAT, folder=held)

    assert list(elsewhere.iterdir()) == []


def test_a_name_is_removed_only_while_it_leads_to_what_is_held(file: Held, tmp_path: Path) -> None:
    file.name.rename(tmp_path / "moved")
    file.name.write_bytes(b"another")
    file.unlink()
    assert file.name.exists()

    (tmp_path / "moved").rename(file.name)
    file.unlink()
    assert not file.name.exists()
    file.unlink()


def test_without_proc_nothing_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"x")
    handle = os.open(path, os.O_RDWR)
    monkeypatch.setattr(held_module, "_DESCRIPTORS", str(tmp_path / "no-proc"))

    with pytest.raises(WrongUse, match="/proc mounted"):
        Held(handle, path)
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(handle)
    with pytest.raises(WrongUse, match="/proc mounted"):
        Held.take(path, os.O_RDWR)


def test_a_run_without_proc_is_refused_in_clear_words(tmp_path: Path) -> None:
    if reason := why_no_loop_devices():
        pytest.skip(reason)
    (tmp_path / "x").write_bytes(bytes(MIB))
    (tmp_path / "job.fio").write_text("[w]\nrw=write\nsize=64k\n")
    command = f"{sys.executable} -m flashscope run file:x job.fio --write-ok --store records.sqlite"

    done = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", f"umount -l /proc; {command}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )

    assert (done.returncode, "/proc mounted" in done.stderr) == (2, True), done.stderr
    assert not any((tmp_path / "x").read_bytes())


def test_what_was_closed_says_so(file: Held) -> None:
    file.close()
    file.close()

    assert file.is_closed
    with pytest.raises(WrongUse, match="is closed"):
        _ = file.path


def test_a_block_device_is_told_by_its_number_medium_size_and_what_lies_below(bench: Bench) -> None:
    device = Path(bench.loop(bench.image()))
    with Held.take(device, os.O_RDONLY | os.O_EXCL) as held:
        assert held.what_changed() == ""
        assert held.was.size_bytes == 64 * MIB
        with pytest.raises(OSError, match="busy"):
            os.open(device, os.O_RDONLY | os.O_EXCL)

        os.truncate(bench.directory / "image", 32 * MIB)
        run("losetup", "--set-capacity", device)
        assert "has 33554432 bytes now and had 67108864" in held.what_changed()


def test_a_block_device_that_became_another_one_under_the_same_name_is_noticed(bench: Bench) -> None:
    one, other = Path(bench.loop(bench.image("one"))), Path(bench.loop(bench.image("other")))
    name = bench.directory / "node"
    os.mknod(name, 0o600 | 0o060000, os.stat(one).st_rdev)
    with Held.take(name, os.O_RDONLY) as held:
        name.unlink()
        assert "disconnected" in held.what_changed()
        os.mknod(name, 0o600 | 0o060000, os.stat(other).st_rdev)
        assert "another block device took its place" in held.what_changed()
