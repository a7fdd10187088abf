"""The guard on the real system: loop devices, mounts, swap areas, partitions, another mount namespace."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import Address, parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.guard import Refused
from flashscope.drives.open import open_drive, refusals

from .bench import Bench, run
from .opened import open_real


def rules(address: Address | str, consent: Consent | None = None, store: Path | None = None) -> list[str]:
    parsed = parse_address(address) if isinstance(address, str) else address
    return [
        refusal.rule for refusal in refusals(parsed, destructive=True, consent=consent or Consent(), store_path=store)
    ]


def typed(image: Path, *allow: str) -> Consent:
    return Consent(serial=str(image), allow=frozenset(allow))


def test_a_free_loop_device_is_opened_once_its_backing_file_was_typed(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    assert rules(device) == ["serial"]
    assert rules(device, typed(image)) == []
    open_drive(parse_address(device), destructive=True, consent=typed(image)).close()


def test_a_mounted_loop_device_is_refused_until_it_is_unmounted(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    point = bench.file_system(device)
    run("mount", device, point)
    try:
        assert rules(device, typed(image)) == ["mounted", "busy", "file-system", "data"]
        with pytest.raises(Refused, match=f"is mounted on {point}"):
            open_drive(parse_address(device), destructive=True, consent=typed(image))
    finally:
        run("umount", point)
    assert rules(device, typed(image)) == ["file-system", "data"]
    assert rules(device, typed(image, "file-system", "data")) == []


def test_a_mount_in_another_mount_namespace_is_seen(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    point = bench.file_system(device)
    script = 'mount "$0" "$1" && echo mounted && read wait'
    inner = subprocess.Popen(
        ["unshare", "--mount", "sh", "-c", script, device, str(point)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert inner.stdin is not None
    assert inner.stdout is not None
    try:
        assert inner.stdout.readline() == "mounted\n"
        assert device not in Path("/proc/self/mountinfo").read_text()
        found = refusals(parse_address(device), destructive=True, consent=typed(image))
        assert [each.rule for each in found] == ["mounted", "busy", "file-system", "data"]
        assert f"process {inner.pid}" in found[0].found
    finally:
        inner.communicate("\n", timeout=10)
    assert rules(device, typed(image, "file-system", "data")) == []


def test_a_mounted_partition_holds_the_whole_drive_and_the_results_on_it_are_seen(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    if shutil.which("addpart") is None:
        pytest.skip("not installed: addpart")
    partition = bench.partition(device)
    point = bench.file_system(partition)
    run("mount", partition, point)
    store = point / "records.sqlite"
    try:
        assert rules(device, typed(image), store) == ["store", "mounted", "busy", "file-system", "data"]
        assert rules(partition, typed(image), store) == ["store", "mounted", "busy", "file-system", "data"]
    finally:
        run("umount", point)
    assert rules(partition, typed(image, "file-system", "data"), store) == []


def test_swap_on_a_loop_device_and_in_a_file_is_seen(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    file = bench.directory / "swapfile"
    file.write_bytes(bytes(8 * 1024 * 1024))
    file.chmod(0o600)
    for place in (device, file):
        run("mkswap", place)
    on_file = Consent(write_ok=True)
    run("swapon", device, file)
    try:
        assert rules(device, typed(image)) == ["swap", "busy", "file-system", "data"]
        assert rules(f"file:{file}", on_file) == ["swap", "busy", "file-system", "data"]
    finally:
        run("swapoff", device, file)
    assert rules(device, typed(image)) == ["file-system", "data"]
    assert rules(f"file:{file}", on_file) == ["file-system", "data"]


def test_a_file_under_a_loop_device_is_refused_until_it_is_detached(bench: Bench) -> None:
    image = bench.image()
    device = run("losetup", "--find", "--show", image)
    consent = Consent(write_ok=True)
    try:
        assert rules(f"file:{image}", consent) == ["loop", "busy"]
    finally:
        run("losetup", "--detach", device)
    assert rules(f"file:{image}", consent) == []


def test_a_file_that_is_mounted_from_elsewhere_is_refused(bench: Bench) -> None:
    other, named = bench.image("other"), bench.directory / "named"
    named.touch()
    run("mount", "--bind", other, named)
    bench.later(lambda: run("umount", named))
    assert rules(Address("file", str(named)), Consent(write_ok=True)) == ["hard-link"]
    assert rules(Address("file", str(named)), Consent(write_ok=True, allow=frozenset({"hard-link"}))) == []
    assert rules(Address("file", str(other)), Consent(write_ok=True)) == []


def test_two_loop_devices_over_one_file_are_refused(bench: Bench) -> None:
    image = bench.image()
    device, _ = bench.loop(image), bench.loop(image)
    assert rules(device, typed(image)) == ["loop", "serial"]


def test_a_loop_device_over_a_mounted_loop_device_is_refused(bench: Bench) -> None:
    image = bench.image()
    lower = bench.loop(image)
    upper = bench.loop(Path(lower))
    point = bench.file_system(lower)
    run("mount", lower, point)
    try:
        assert "mounted" in rules(upper, typed(image))
    finally:
        run("umount", point)
    assert rules(lower, typed(image, "file-system", "data")) == ["loop"]
    assert rules(upper, Consent(serial=lower)) == ["loop", "file-system", "file-system", "data", "serial"]


def test_a_read_only_loop_device_is_refused_and_may_be_read(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image, "--read-only")
    assert rules(device, typed(image)) == ["read-only"]
    open_drive(parse_address(device), destructive=False).close()


def test_a_loop_device_without_a_file_is_refused_as_empty(bench: Bench) -> None:
    device = run("losetup", "--find", "--show", bench.image())
    run("losetup", "--detach", device)
    assert "size" in rules(device) or "exists" in rules(device)


def test_a_partition_table_is_refused_until_it_is_allowed_by_name(bench: Bench) -> None:
    image = bench.image()
    sector = bytearray(512)
    sector[446:462] = bytes([0, 0, 0, 0, 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 0, 1, 0])  # one entry: sectors 2048 to 67583
    sector[510:] = b"\x55\xaa"
    with image.open("r+b") as file:
        file.write(sector)
    device = bench.loop(image)
    assert rules(device, typed(image)) == ["partition-table", "data"]
    assert rules(device, typed(image, "partition-table", "data")) == []


def test_without_wipefs_nothing_is_written(
    bench: Bench, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = bench.image()
    device = bench.loop(image)
    broken = tmp_path_factory.mktemp("broken") / "wipefs"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", f"{broken.parent}:{os.environ['PATH']}")
        assert rules(device, typed(image)) == ["unknown-contents"]
    assert rules(device, typed(image)) == []


@pytest.mark.skipif(shutil.which("pvcreate") is None, reason="not installed: pvcreate (lvm2)")
def test_a_logical_volume_managers_mark_is_refused_until_it_is_removed(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    run("pvcreate", "--devicesfile", "", "--quiet", device)
    assert rules(device, typed(image, "data")) == ["pool-member"]
    run("pvremove", "--devicesfile", "", "--quiet", device)
    assert rules(device, typed(image, "data")) == []


def test_a_drive_that_somebody_holds_exclusively_is_busy(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    handle = os.open(device, os.O_RDONLY | os.O_EXCL)
    try:
        assert rules(device, typed(image)) == ["busy"]
    finally:
        os.close(handle)
    assert rules(device, typed(image)) == []


def test_while_a_drive_is_used_the_kernel_lets_nobody_mount_it(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    point = bench.file_system(device)
    drive = open_drive(parse_address(device), destructive=True, consent=typed(image, "file-system", "data"))
    attempt = ["mount", device, str(point)]
    assert subprocess.run(attempt, capture_output=True).returncode != 0
    drive.close()
    run(*attempt)
    run("umount", point)


def test_what_happens_to_a_drive_between_the_checks_is_seen(bench: Bench) -> None:
    """A mount would be stopped by the kernel; a partition with a file system or a second loop device would not."""
    image = bench.image()
    device = bench.loop(image)
    drive = open_real(device, consent=typed(image))
    second = run("losetup", "--find", "--show", image)
    try:
        with pytest.raises(Refused, match="loop"):
            drive.guard_again()
    finally:
        run("losetup", "--detach", second)
    drive.guard_again()
    drive.close()


@pytest.mark.parametrize("place", ["/dev", "/proc", "/proc/self", "/sys", "/sys/block"])
def test_a_directory_of_the_kernel_is_refused_whatever_is_allowed(place: str) -> None:
    if not os.path.isdir(place):
        pytest.skip(f"there is no {place}")
    assert "kernel" in rules(f"dir:{place}", Consent(write_ok=True, allow=frozenset({"memory", "data"})))
    assert "kernel" in rules(f"file:{place}/flashscope-test", Consent(write_ok=True, create_bytes=1 << 20))


def test_the_drive_of_this_very_system_is_refused() -> None:
    from flashscope.drives.system.reader import read_system

    system = read_system()
    under = [system.blocks[name] for name in system.drives_under_path("/")]
    if not under:
        pytest.skip("the root file system lies on no block device that can be seen")
    for block in under:
        assert "system" in rules(block.path, Consent(serial=block.serial or None))
        assert "mounted" in rules(block.path)


def test_a_file_that_another_program_has_open_is_busy(tmp_path: Path) -> None:
    file = tmp_path / "x"
    file.write_bytes(bytes(4096))
    consent = Consent(write_ok=True)
    if not _takes_leases(tmp_path):
        pytest.skip("this file system takes no leases")
    with file.open("rb"):
        assert rules(f"file:{file}", consent) == ["busy"]
    assert rules(f"file:{file}", consent) == []


def _takes_leases(directory: Path) -> bool:
    probe = directory / "lease"
    probe.touch()
    handle = os.open(probe, os.O_RDONLY)
    try:
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
