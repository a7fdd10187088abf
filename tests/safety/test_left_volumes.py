"""What is mounted or under a loop device in a folder that a killed run left: taken down where it is its own."""

import os
import subprocess
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.guard import Refused
from flashscope.drives.open import open_drive, refusals
from flashscope.drives.own_folders.leftovers import clear
from flashscope.drives.real.directory import DirectoryDrive

from ..drives.bench import MIB, Bench, run
from .left_folders import everything, left, refused


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    return place


def volume_in(folder: Path, bench: Bench, *, mounted: bool = True) -> str:
    """A volume as a killed run leaves it. Returns the path of its loop device."""
    backing = folder / "volume-512"
    with backing.open("wb") as file:
        file.truncate(16 * MIB)
    device = run("losetup", "--find", "--show", backing)
    bench.later(lambda: subprocess.run(["losetup", "--detach", device], check=False, capture_output=True))
    if mounted:
        run("mkfs.ext4", "-q", device)
        (folder / "mounted-512").mkdir()
        run("mount", device, folder / "mounted-512")
        bench.later(lambda: subprocess.run(["umount", folder / "mounted-512"], check=False, capture_output=True))
        (folder / "mounted-512" / "x").write_bytes(b"x")
    return device


def test_a_foreign_mount_in_it_is_not_crossed_and_keeps_the_folder(bench: Bench, place: Path) -> None:
    precious = bench.directory / "precious"
    precious.mkdir()
    (precious / "letter").write_text("dear reader")
    point = left(place) / "files" / "deep"
    run("mount", "--bind", precious, point)
    bench.later(lambda: run("umount", point))
    assert f"something that is not of that run is mounted on {point}" in refused(place)
    assert everything(precious) == {"letter": b"dear reader"}


def test_a_mount_on_the_folder_itself_keeps_it(bench: Bench, place: Path) -> None:
    folder, other = left(place), left(bench.directory)
    run("mount", "--bind", other, folder)
    bench.later(lambda: run("umount", folder))
    assert "something is mounted on it" in refused(place)


@pytest.mark.parametrize("mounted", [True, False])
def test_a_volume_is_taken_down_with_its_folder(mounted: bool, bench: Bench, place: Path) -> None:
    folder = left(place)
    device = volume_in(folder, bench, mounted=mounted)
    (found,) = clear(place)
    assert (found.state, device in found.why, "was mounted" in found.why) == ("removed", True, mounted)
    assert everything(place) == {}
    assert str(folder) not in run("losetup", "--list", "--noheadings", "--output", "BACK-FILE")


def test_a_volume_that_somebody_works_in_stays_with_its_folder(bench: Bench, place: Path) -> None:
    folder = left(place)
    volume_in(folder, bench)
    with (folder / "mounted-512" / "x").open():
        assert "could not be unmounted" in refused(place)
    assert [(found.state, found.why) for found in clear(place) if found.state != "removed"] == []


def test_what_is_mounted_where_a_volume_would_be_is_somebody_elses(bench: Bench, place: Path) -> None:
    folder = left(place)
    device = bench.loop(bench.image(size_bytes=16 * MIB))
    run("mkfs.ext4", "-q", device)
    (folder / "volume-512").write_bytes(b"")
    (folder / "mounted-512").mkdir()
    run("mount", device, folder / "mounted-512")
    bench.later(lambda: run("umount", folder / "mounted-512"))
    assert "not of that run" in refused(place)


def test_a_volume_that_is_mounted_elsewhere_too_stays(bench: Bench, place: Path) -> None:
    folder = left(place)
    device = volume_in(folder, bench)
    elsewhere = bench.directory / "elsewhere"
    elsewhere.mkdir()
    run("mount", device, elsewhere)
    bench.later(lambda: run("umount", elsewhere))
    assert f"is mounted on {elsewhere} too" in refused(place)


def test_a_loop_device_over_another_file_in_it_keeps_the_folder(bench: Bench, place: Path) -> None:
    folder = left(place)
    (folder / "files" / "image").write_bytes(bytes(MIB))
    device = bench.loop(folder / "files" / "image")
    volume_in(folder, bench)
    assert f"{device} lies over a file in it" in refused(place)


def test_two_loop_devices_over_one_volume_keep_the_folder(bench: Bench, place: Path) -> None:
    folder = left(place)
    volume_in(folder, bench, mounted=False)
    bench.loop(folder / "volume-512")
    assert "two loop devices" in refused(place)


def test_a_volume_in_another_mount_namespace_keeps_the_folder_until_that_has_ended(bench: Bench, place: Path) -> None:
    folder = left(place)
    device = volume_in(folder, bench)
    other = subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", "echo ready; exec sleep 600"],
        stdout=subprocess.PIPE,
    )
    assert other.stdout is not None
    other.stdout.readline()
    (found,) = clear(place)
    assert (found.state, str(other.pid) in found.why, device in found.why) == ("unproven", True, True)
    assert folder.is_dir()
    other.kill()
    other.communicate()
    assert [(found.state, found.why) for found in clear(place) if found.state != "removed"] == []


def test_somebody_elses_mount_in_another_mount_namespace_keeps_the_folder(bench: Bench, place: Path) -> None:
    folder = left(place)
    script = f"mount -t tmpfs tmpfs '{folder}/files' && echo ready; exec sleep 600"
    other = subprocess.Popen(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", script], stdout=subprocess.PIPE
    )
    assert other.stdout is not None
    other.stdout.readline()
    assert f"in the mount namespace of process {other.pid}" in refused(place)
    other.kill()
    other.communicate()
    assert [(found.state, found.why) for found in clear(place) if found.state != "removed"] == []


def test_a_volume_that_is_still_in_use_when_its_run_ends_is_left_whole_for_the_next(bench: Bench, place: Path) -> None:
    consent = Consent(write_ok=True, create_bytes=64 * MIB, allow=frozenset({"memory"}))
    drive = open_drive(parse_address(f"dir:{place}"), destructive=True, consent=consent)
    assert isinstance(drive, DirectoryDrive)
    mounted = drive.volume(512).name
    bench.later(lambda: subprocess.run(["umount", mounted], check=False, capture_output=True))
    (mounted / "x").touch()
    with (mounted / "x").open():
        drive.close()
        assert "could not be unmounted" in refused(place)
    assert [(found.state, found.why) for found in clear(place) if found.state != "removed"] == []


def test_what_took_all_the_room_is_removed_before_the_room_is_asked_for(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=256 * MIB)), mounted_on="small")
    with (left(point) / "volume-512").open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, 120 * MIB)
    address, consent = parse_address(f"dir:{point}"), Consent(write_ok=True, create_bytes=64 * MIB)
    assert [each.rule for each in refusals(address, destructive=True, consent=consent)] == ["space"]
    drive = open_drive(address, destructive=True, consent=consent)
    assert any("is removed now" in warning for warning in drive.facts.warnings)
    drive.close()


def test_a_run_that_is_refused_for_want_of_room_says_what_it_removed(bench: Bench) -> None:
    point = bench.file_system(bench.loop(bench.image(size_bytes=256 * MIB)), mounted_on="small")
    name = left(point).name
    with pytest.raises(Refused, match=f"{name} in {point} was left by a run that was killed, and is removed now"):
        open_drive(
            parse_address(f"dir:{point}"),
            destructive=True,
            consent=Consent(write_ok=True, create_bytes=500 * MIB),
        )
