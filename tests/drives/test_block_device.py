"""A block device as a drive: its facts, and that it stays the one that was checked."""

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.guard import Refused
from flashscope.drives.guard.rules import Case
from flashscope.drives.guard.target import Target
from flashscope.drives.open import open_drive, probe, refusals
from flashscope.drives.real.block_device import BlockDevice, block_facts
from flashscope.drives.system.view import Block, SystemView
from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts

from .bench import MIB, Bench, run

DRIVE = Block(
    "sdb",
    "8:16",
    "/dev/sdb",
    size_bytes=32 * 10**9,
    logical_sector_bytes=512,
    physical_sector_bytes=4096,
    discard_max_bytes=2**31,
    model="OCZ-ONYX",
    serial="S1",
    revision="1.6",
    transport="sata",
)


def facts_of(name: str, *blocks: Block) -> DriveFacts:
    target = Target(f"/dev/{name}", "block device", Path(f"/dev/{name}"), "block device", block_name=name)
    return block_facts(Case(target, SystemView({block.name: block for block in blocks})))


def test_a_drive_says_what_it_is() -> None:
    facts = facts_of("sdb", DRIVE)
    assert (facts.kind_name, facts.model, facts.firmware, facts.serial) == ("block device", "OCZ-ONYX", "1.6", "S1")
    assert (facts.user_bytes, facts.sector_bytes, facts.can_trim) == (32 * 10**9, 512, True)
    assert facts.device is not None
    assert facts.device.physical_sector_bytes == 4096
    assert facts.warnings == ()


def test_a_partition_speaks_of_its_drive() -> None:
    facts = facts_of("sdb1", DRIVE, Block("sdb1", "8:17", "/dev/sdb1", size_bytes=MIB, partition_of="sdb"))
    assert (facts.model, facts.serial, facts.user_bytes) == ("OCZ-ONYX", "S1", MIB)
    assert "partition of /dev/sdb" in facts.warnings[0]


def test_a_drive_without_discard_takes_no_trim_and_a_rotating_one_says_so() -> None:
    facts = facts_of("sdb", replace(DRIVE, discard_max_bytes=0, rotational=True))
    assert not facts.can_trim
    assert "rotational" in facts.warnings[0]


def test_a_loop_device_shows_what_is_to_be_typed(bench: Bench) -> None:
    image = bench.image()
    facts = probe(parse_address(bench.loop(image, "--sector-size", "4096")))
    assert (facts.serial, facts.user_bytes, facts.sector_bytes) == (str(image), 64 * MIB, 4096)
    assert not facts.has_smart
    assert any("loop device" in warning for warning in facts.warnings)


def test_probing_a_drive_that_is_in_use_tells_its_facts_and_touches_nothing(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    bench.file_system(device, mounted_on="point")
    before = image.stat().st_mtime_ns
    assert probe(parse_address(device)).user_bytes == 64 * MIB
    assert image.stat().st_mtime_ns == before


def test_a_link_to_a_drive_is_followed(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    link = Path(f"/dev/flashscope-test-{Path(device).name}")
    link.symlink_to(device)
    bench.later(link.unlink)
    drive = open_drive(parse_address(str(link)), destructive=True, consent=Consent(serial=str(image)))
    assert isinstance(drive, BlockDevice)
    assert drive.held.name == Path(device)
    drive.close()
    drive.close()
    with pytest.raises(WrongUse, match="closed"):
        drive.guard_again()


def test_a_drive_that_takes_another_medium_after_it_was_checked_is_noticed(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    drive = open_drive(parse_address(device), destructive=True, consent=Consent(serial=str(image)))
    assert isinstance(drive, BlockDevice)
    with image.open("ab") as file:
        file.truncate(32 * MIB)
    run("losetup", "--set-capacity", device)
    with pytest.raises(WrongUse, match="another drive, or has another medium"):
        drive.guard_again()
    drive.close()


def test_a_drive_that_does_not_exist_is_refused() -> None:
    for check in (
        lambda address: probe(address),
        lambda address: open_drive(address, destructive=True, consent=Consent(serial="x")),
    ):
        with pytest.raises(Refused, match="there is no /dev/flashscope-none"):
            check(parse_address("/dev/flashscope-none"))


def test_a_character_device_is_refused() -> None:
    found = refusals(parse_address("/dev/null"), destructive=True)
    assert [each.rule for each in found] == ["kind"]


@pytest.mark.skipif(shutil.which("fio") is None, reason="not installed: fio")
def test_fio_writes_to_a_drive_that_is_held_exclusively(bench: Bench) -> None:
    image = bench.image()
    device = bench.loop(image)
    drive = open_drive(parse_address(device), destructive=True, consent=Consent(serial=str(image)))
    assert isinstance(drive, BlockDevice)
    drive.guard_again()
    words = ["fio", "--name=x", f"--filename={drive.held.path}", "--rw=write", "--size=1M", "--buffer_pattern=0xab"]
    subprocess.run([*words, "--end_fsync=1"], check=True, capture_output=True, pass_fds=[drive.held.handle])
    drive.close()
    assert image.read_bytes()[:MIB] == b"\xab" * MIB
