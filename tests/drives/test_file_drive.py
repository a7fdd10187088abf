"""A file as a drive: making it, keeping it, and leaving nothing behind when a run is refused."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.guard import Refused
from flashscope.drives.open import open_drive, probe, refusals
from flashscope.drives.real.file import FileDrive
from flashscope.drives.real.file_system import file_system_of
from flashscope.drives.system.view import Block, Mount, SystemView
from flashscope.errors import WrongUse
from tests.known import known
from tests.own_data import own_data

from .bench import MIB, Bench, run

NEW = Consent(write_ok=True, create_bytes=4 * MIB)


def open_file(path: Path, consent: Consent = NEW, *, destructive: bool = True, store: Path | None = None) -> FileDrive:
    drive = open_drive(parse_address(f"file:{path}"), destructive=destructive, consent=consent, store_path=store)
    assert isinstance(drive, FileDrive)
    return drive


def test_a_new_file_has_the_size_that_was_asked_for_and_all_of_it_allocated(tmp_path: Path) -> None:
    path = tmp_path / "target.img"
    drive = open_file(path)
    assert drive.held.name == path
    assert path.stat().st_size == 4 * MIB == drive.facts.user_bytes
    assert path.stat().st_blocks * 512 >= 4 * MIB
    assert any("never written" in warning for warning in drive.facts.warnings)
    drive.close()
    assert path.exists()


def test_a_name_that_ends_like_a_modifier_is_never_taken_for_the_shorter_one(tmp_path: Path) -> None:
    short, whole = tmp_path / "disk.img", tmp_path / "disk.img@offset=1MiB"
    for path in (short, whole):
        path.write_bytes(own_data(4 * MIB))
    for destructive in (True, False):
        with pytest.raises(Refused, match=r"ambiguous: .* is there too"):
            open_file(whole, Consent(write_ok=True), destructive=destructive)
    whole.rename(tmp_path / "disk-from-1MiB.img")
    open_drive(parse_address(f"file:{whole}"), destructive=True, consent=Consent(write_ok=True)).close()


def test_a_new_file_that_was_refused_later_is_removed_and_an_old_one_is_kept(tmp_path: Path) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    before = own_data(MIB)
    old.write_bytes(before)
    open_file(new).abandon()
    open_file(old, Consent(write_ok=True)).abandon()
    assert not new.exists()
    assert old.read_bytes() == before


def test_an_existing_file_keeps_its_bytes_and_its_size(tmp_path: Path) -> None:
    path = tmp_path / "x"
    before = own_data(MIB)
    path.write_bytes(before)
    drive = open_file(path, Consent(write_ok=True, create_bytes=MIB))
    assert drive.facts.user_bytes == MIB
    assert not any("never written" in warning for warning in drive.facts.warnings)
    drive.close()
    assert path.read_bytes() == before


def test_a_refused_run_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for consent in (Consent(create_bytes=MIB), Consent(write_ok=True), Consent(write_ok=True, create_bytes=2**62)):
        with pytest.raises(Refused):
            open_file(path, consent)
        assert list(tmp_path.iterdir()) == []


def test_a_file_that_could_not_be_allocated_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, offset: int, length: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(WrongUse, match="No space left"):
        open_file(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_that_the_second_check_refuses_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"

    def made_read_by_another(handle: int, offset: int, length: int) -> None:
        os.truncate(path, length)
        os.link(path, tmp_path / "other-name")

    monkeypatch.setattr(os, "posix_fallocate", made_read_by_another)
    with pytest.raises(Refused, match="hard-link"):
        open_file(path)
    assert not path.exists()


def test_a_full_file_system_refuses_before_anything_is_written(bench: Bench) -> None:
    device = bench.loop(bench.image())
    point = bench.file_system(device, mounted_on="full")
    address = parse_address(f"file:{point}/x")
    found = refusals(address, destructive=True, consent=Consent(write_ok=True, create_bytes=64 * MIB))
    assert [each.rule for each in found] == ["space"]
    assert list(point.iterdir()) == [point / "lost+found"]


def test_a_file_on_a_read_only_file_system_is_refused_and_may_be_read(bench: Bench) -> None:
    device = bench.loop(bench.image())
    point = bench.file_system(device, mounted_on="locked")
    (point / "x").write_bytes(own_data(MIB))
    run("mount", "-o", "remount,ro", point)
    address = parse_address(f"file:{point}/x")
    found = refusals(address, destructive=True, consent=Consent(write_ok=True))
    assert [each.rule for each in found] == ["read-only"]
    open_drive(address, destructive=False).close()


def test_missing_directories_directories_links_and_pipes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "real").write_bytes(bytes(MIB))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "below-a-file").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")
    expected = {
        "missing/x": "exists",
        "real/x": "exists",
        "directory": "kind",
        "pipe": "kind",
        "link": "symbolic-link",
        "dangling": "symbolic-link",
    }
    for name, rule in expected.items():
        consent = Consent(write_ok=True) if name == "link" else NEW
        with pytest.raises(Refused) as refused:
            open_file(tmp_path / name, consent)
        assert [each.rule for each in refused.value.refusals] == [rule]
    assert not (tmp_path / "nowhere").exists()


def test_a_hard_link_is_opened_only_when_it_is_allowed_by_name(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(MIB))
    os.link(path, tmp_path / "y")
    with pytest.raises(Refused, match="hard-link"):
        open_file(path, Consent(write_ok=True))
    open_file(path, Consent(write_ok=True, allow=frozenset({"hard-link"}))).close()


def test_a_directory_without_permission_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        with pytest.raises(Refused, match="access"):
            open_file(locked / "x")
        return
    tmp_path.chmod(0o755)
    locked = tmp_path / "immutable"
    locked.mkdir()
    if subprocess.run(["chattr", "+i", str(locked)], capture_output=True).returncode != 0:
        pytest.skip("as root, and without chattr on this file system, every directory may be written")
    try:
        with pytest.raises(Refused, match="access"):
            open_file(locked / "x")
    finally:
        run("chattr", "-i", locked)


def test_a_file_that_only_gets_read_needs_no_consent_and_may_be_in_use(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(own_data(MIB))
    with path.open("rb"):
        open_file(path, Consent(), destructive=False).close()


def test_the_results_store_is_never_overwritten(tmp_path: Path) -> None:
    store = tmp_path / "records.sqlite"
    wal = tmp_path / "records.sqlite-wal"
    for path in (store, wal):
        path.write_bytes(own_data(MIB))
        with pytest.raises(Refused, match="is the results store"):
            open_file(path, Consent(write_ok=True), store=store)
    open_file(store, Consent(write_ok=True), store=tmp_path / "other.sqlite").close()


def test_a_file_that_is_replaced_after_it_was_opened_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "x"
    drive = open_file(path)
    drive.guard_again()
    path.rename(tmp_path / "moved")
    with pytest.raises(WrongUse, match="is gone"):
        drive.guard_again()
    path.write_bytes(bytes(4 * MIB))
    with pytest.raises(WrongUse, match="another file"):
        drive.guard_again()
    drive.close()
    with pytest.raises(WrongUse, match="closed"):
        drive.guard_again()


def test_probing_makes_nothing_and_tells_the_size_of_a_file_still_to_be_made(tmp_path: Path) -> None:
    address = parse_address(f"file:{tmp_path}/x")
    assert probe(address, NEW).user_bytes == 4 * MIB
    with pytest.raises(Refused, match="there is no"):
        probe(address)
    with pytest.raises(Refused, match="space"):
        probe(address, Consent(create_bytes=2**60))
    assert list(tmp_path.iterdir()) == []


def test_the_smallest_direct_request_is_the_sector_of_the_drive_below(bench: Bench) -> None:
    for sector_bytes in (512, 4096):
        image = bench.image(f"image-{sector_bytes}", 32 * MIB)
        device = bench.loop(image, "--sector-size", str(sector_bytes), "--direct-io=off")
        point = bench.file_system(device, mounted_on=f"point-{sector_bytes}")
        path = point / "x"
        path.write_bytes(own_data(MIB))
        facts = probe(parse_address(f"file:{path}"))
        assert facts.sector_bytes == sector_bytes
        assert facts.takes_direct_requests
        assert known(facts.place).file_system == "ext4"


def test_a_file_in_memory_says_that_no_drive_is_measured(bench: Bench) -> None:
    point = bench.directory / "memory"
    point.mkdir()
    run("mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", point)
    bench.later(lambda: run("umount", point))
    drive = open_file(point / "x")
    assert any("in memory (tmpfs)" in warning for warning in drive.facts.warnings)
    drive.abandon()


@pytest.mark.parametrize(
    ("kind", "options", "warning"),
    [
        ("btrfs", {"rw"}, "writes every block to a new place"),
        ("btrfs", {"rw", "nodatacow", "compress=zstd:3"}, "may compress"),
        ("zfs", {"rw"}, "writes every block to a new place"),
        ("f2fs", {"rw", "compress_algorithm=lz4"}, "may compress"),
        ("overlay", {"rw"}, "lies over another one"),
        ("fuse.sshfs", {"rw"}, "lies over another one"),
        ("nfs4", {"rw"}, "on another machine"),
    ],
)
def test_a_file_system_that_stands_between_says_so(kind: str, options: set[str], warning: str, tmp_path: Path) -> None:
    system = SystemView(mounts=(Mount("/", "0:40", kind, "", kind, frozenset(options)),))
    assert any(warning in each for each in file_system_of(system, str(tmp_path / "x")).warnings)


def test_a_plain_file_system_gives_no_warning_and_names_its_drive(tmp_path: Path) -> None:
    blocks = {"sda": Block("sda", "8:0"), "sda1": Block("sda1", "8:1", partition_of="sda")}
    system = SystemView(blocks, (Mount("/", "8:1", "/dev/sda1", "8:1", "ext4", frozenset({"rw"})),))
    facts = file_system_of(system, str(tmp_path / "x"))
    assert (facts.warnings, facts.drives) == ((), ("sda",))
