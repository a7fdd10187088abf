"""A directory as a drive: its facts, its one folder, and what is refused before anything is made."""

import os
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.guard import Refused
from flashscope.drives.guard.rules.place import RESERVE_BYTES
from flashscope.drives.open import open_drive, probe, refusals
from flashscope.drives.real.directory import DirectoryDrive
from flashscope.errors import WrongUse
from tests.known import known

from .bench import MIB, Bench, run

CONSENT = Consent(write_ok=True, create_bytes=8 * MIB)


def open_directory(path: Path, consent: Consent = CONSENT, *, destructive: bool = True) -> DirectoryDrive:
    drive = open_drive(parse_address(f"dir:{path}"), destructive=destructive, consent=consent)
    assert isinstance(drive, DirectoryDrive)
    return drive


def rules(path: Path, consent: Consent = CONSENT) -> list[str]:
    return [each.rule for each in refusals(parse_address(f"dir:{path}"), destructive=True, consent=consent)]


def test_everything_happens_in_one_folder_that_is_removed_and_nothing_else_is_touched(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear reader")
    drive = open_directory(tmp_path)
    assert drive.held.name.parent == tmp_path
    assert drive.held.name.name.startswith("flashscope-")
    (drive.held.name / "files" / "deep").mkdir(parents=True)
    (drive.held.name / "files" / "deep" / "x").write_bytes(b"x")
    (drive.held.name / "link").symlink_to(tmp_path / "letter")
    drive.guard_again()
    drive.close()
    drive.close()
    assert [entry.name for entry in tmp_path.iterdir()] == ["letter"]
    assert (tmp_path / "letter").read_text() == "dear reader"


def test_the_facts_tell_the_room_that_may_be_used(tmp_path: Path) -> None:
    facts = probe(parse_address(f"dir:{tmp_path}"))
    room = os.statvfs(tmp_path)
    assert facts.kind_name == "directory"
    assert facts.user_bytes <= room.f_bavail * room.f_frsize - RESERVE_BYTES + 64 * MIB
    assert facts.user_bytes % MIB == 0
    assert probe(parse_address(f"dir:{tmp_path}"), CONSENT).user_bytes == 8 * MIB
    assert list(tmp_path.iterdir()) == []


def test_a_directory_has_the_sector_of_the_drive_below_it(bench: Bench) -> None:
    for sector_bytes in (512, 4096):
        image = bench.image(f"image-{sector_bytes}", 128 * MIB)
        device = bench.loop(image, "--sector-size", str(sector_bytes))
        point = bench.file_system(device, mounted_on=f"point-{sector_bytes}")
        facts = probe(parse_address(f"dir:{point}"))
        assert (facts.sector_bytes, known(facts.place).file_system) == (sector_bytes, "ext4")
        assert not facts.can_trim, "mounted without discard"
        run("mount", "-o", "remount,discard", point)
        assert probe(parse_address(f"dir:{point}")).can_trim


def test_nothing_is_made_without_write_ok(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="write-ok"):
        open_directory(tmp_path, Consent())
    with pytest.raises(WrongUse, match="--serial does not go with"):
        open_directory(tmp_path, Consent(write_ok=True, serial="S1"))
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_only_reads_makes_no_folder_unless_it_may_write(tmp_path: Path) -> None:
    drive = open_directory(tmp_path, Consent(), destructive=False)
    assert not drive.may_write
    assert list(tmp_path.iterdir()) == []
    drive.close()
    drive = open_directory(tmp_path, Consent(write_ok=True), destructive=False)
    assert drive.may_write
    drive.close()


def test_a_file_is_no_directory_and_a_missing_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    assert rules(tmp_path / "file") == ["kind"]
    assert rules(tmp_path / "missing") == ["exists"]
    found = refusals(parse_address(f"file:{tmp_path}"), destructive=True, consent=Consent(write_ok=True))
    assert [each.rule for each in found] == ["kind"]
    assert f"write it as dir:{tmp_path}" in found[0].lift


def test_a_read_only_file_system_is_refused_before_a_folder_is_made(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=128 * MIB)), mounted_on="locked")
    assert rules(point) == []
    run("mount", "-o", "remount,ro", point)
    assert rules(point) == ["read-only"]


def test_a_directory_without_permission_is_refused(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    assert rules(locked) == ["access"]


def test_too_little_room_is_told_with_what_is_needed_and_what_is_there(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=128 * MIB)), mounted_on="small")
    (found,) = refusals(
        parse_address(f"dir:{point}"), destructive=True, consent=Consent(write_ok=True, create_bytes=100 * MIB)
    )
    assert found.rule == "space"
    assert str(100 * MIB) in found.found
    assert "bytes free" in found.found
    full = bench.file_system(bench.loop(bench.image("full-image", 32 * MIB)), mounted_on="full")
    assert rules(full, Consent(write_ok=True)) == ["size"]
    with pytest.raises(Refused, match="stay free"):
        probe(parse_address(f"dir:{full}"))
    assert rules(point, Consent(write_ok=True, create_bytes=0)) == ["size"]


def test_a_directory_in_memory_is_used_only_when_that_is_allowed(bench: Bench) -> None:
    point = bench.directory / "memory"
    point.mkdir()
    run("mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", point)
    bench.later(lambda: run("umount", point))
    with pytest.raises(Refused, match="is in memory"):
        open_directory(point)
    drive = open_directory(point, Consent(write_ok=True, allow=frozenset({"memory"})))
    assert any("measures the machine" in warning for warning in drive.facts.warnings)
    drive.close()


def test_a_file_system_that_copies_on_write_is_a_typed_doubt_with_a_way_round(bench: Bench) -> None:
    try:
        image = bench.image(size_bytes=256 * MIB)
        run("mkfs.btrfs", "-q", image)
        point = bench.directory / "copies"
        point.mkdir()
        run("mount", "-o", "compress=zstd", bench.loop(image), point)
    except (FileNotFoundError, OSError, RuntimeError) as missing:
        pytest.skip(f"no btrfs here: {missing}")
    bench.later(lambda: run("umount", point))
    facts = probe(parse_address(f"dir:{point}"))
    assert [doubt.kind for doubt in facts.doubts] == ["CompressedByFileSystem"] * 2
    assert "chattr +C" in facts.doubts[0].advice
    assert {doubt.message for doubt in facts.doubts} <= set(facts.warnings)
    in_place = point / "in-place"
    in_place.mkdir()
    run("chattr", "+C", in_place)
    assert not any("new place" in doubt.message for doubt in probe(parse_address(f"dir:{in_place}")).doubts)


def test_a_folder_that_a_killed_run_left_is_pointed_out(tmp_path: Path) -> None:
    (tmp_path / "flashscope-abc").mkdir()
    assert any("flashscope-abc" in warning for warning in probe(parse_address(f"dir:{tmp_path}")).warnings)


def test_results_on_the_same_file_system_are_pointed_out(tmp_path: Path) -> None:
    drive = open_drive(
        parse_address(f"dir:{tmp_path}"), destructive=True, consent=CONSENT, store_path=tmp_path / "records.sqlite"
    )
    drive.close()
    assert any("results store" in warning for warning in drive.facts.warnings)


def test_a_directory_that_is_replaced_is_noticed(tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    drive = open_directory(place)
    place.rename(tmp_path / "moved")
    with pytest.raises(WrongUse, match="is gone"):
        drive.guard_again()
    place.mkdir()
    with pytest.raises(WrongUse, match="another folder"):
        drive.guard_again()
    drive.close()
