"""Why an experiment is left out, read by somebody who knows only the address: what is missing, in words for it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.rules import Case
from flashscope.drives.guard.target import Target
from flashscope.drives.open import probe
from flashscope.drives.parts.part import list_parts, load_part
from flashscope.drives.real.block_device import block_facts
from flashscope.drives.system.view import Block, SystemView
from flashscope.drives.virtual.abilities import abilities_of, why_not_of
from flashscope.experiments.catalogue import all_experiments, find
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import why_left_out
from tests.facts import virtual_facts

GB = 10**9
SATA = Block("sdb", "8:16", "/dev/sdb", size_bytes=32 * GB, logical_sector_bytes=512, transport="sata")


def facts_of_part(name: str) -> DriveFacts:
    """What matters of a shipped part for its reasons, without building it."""
    part = load_part(name)
    facts = virtual_facts(32 * GB, *abilities_of(part))
    moving = frozenset() if Capability.SOLID_STATE in abilities_of(part) else frozenset({Capability.SOLID_STATE})
    return replace(facts, capabilities=facts.capabilities - moving, why_not=why_not_of(part))


def facts_of_device(block: Block) -> DriveFacts:
    target = Target(block.path, "block device", Path(block.path), "block device", block_name=block.name)
    return block_facts(Case(target, SystemView({block.name: block})))


def why(name: str, facts: DriveFacts, effort: Effort = STANDARD) -> str:
    return why_left_out(find(name), facts, effort)


@pytest.mark.parametrize("part", ["kc3000-1024", "micron-7450-max-800"])
def test_a_drive_with_a_health_log_alone_says_so(part: str) -> None:
    assert why("smart-inference", facts_of_part(part)) == (
        "the drive's SMART is the health log of NVMe, which has no attributes whose meaning is to be found"
    )


def test_a_drive_without_smart_says_so_once_whatever_was_wanted_of_it() -> None:
    facts = facts_of_part("mtron-3535-16")
    assert why("smart-inference", facts) == why("rber-against-erase-count", facts) == "the drive shows no SMART"


ONE_OF_EACH = ("kc3000-1024", "ramdisk", "wd20ears")


@pytest.mark.parametrize(
    "part", [part if part in ONE_OF_EACH else pytest.param(part, marks=pytest.mark.long) for part in list_parts()]
)
def test_no_shipped_part_is_told_what_is_not_true_of_it(part: str) -> None:
    facts = facts_of_part(part)
    for experiment, extent in itertools.product(all_experiments(), Extent):
        said = why_left_out(experiment, facts, Effort(extent))
        if not said:
            continue
        clauses = said.split("; ")
        assert len(set(clauses)) == len(clauses), "each reason once"
        assert "the drive shows no SMART attributes" not in clauses, "the drive's own reason"
        assert ("platters" in said) <= (Capability.SOLID_STATE not in facts.capabilities)
        assert ("--full" in said) <= (extent is not Extent.FULL)
        assert ("--quick" in said) <= (extent is Extent.QUICK)


def test_a_stripe_points_to_its_members_and_platters_stay_platters() -> None:
    facts = probe(parse_address("stripe:128KiB:sim:ramdisk*2"))
    assert why("smart-inference", facts) == "an array has no SMART of its own; take one of its members"
    disks = probe(parse_address("stripe:128KiB:sim:hds721616-160*2"))
    assert "the drive has platters" in why("three-states", disks)


def test_a_file_says_what_to_name_instead(tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(bytes(1 << 20))
    facts = probe(parse_address(f"file:{tmp_path / 'image'}"))
    assert (
        why("sector-emulation-copy", facts)
        == "a file holds no other files; name the directory that it is in (dir:PATH)"
    )
    assert why("smart-inference", facts) == "a file has no SMART; name the drive that it is on"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (
            replace(SATA, name="loop0", path="/dev/loop0", backing_file="/x/image"),
            "a loop device has no SMART; name the drive",
        ),
        (replace(SATA, name="vda", path="/dev/vda"), "/dev/vda is no SATA, SAS or NVMe drive"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_device_says_why_its_smart_cannot_be_read(block: Block, said: str) -> None:
    facts = facts_of_device(block)
    assert why("smart-inference", facts).startswith(said)
    assert why("sector-emulation-copy", facts) == Capability.FILES.missing


def test_an_nvme_drive_has_its_health_log_and_no_smartctl_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    nvme = replace(SATA, name="nvme0n1", path="/dev/nvme0n1", transport="nvme")
    monkeypatch.setattr("flashscope.drives.real.smart_access.find_program", lambda name: "/usr/sbin/smartctl")
    assert "health log" in why("smart-inference", facts_of_device(nvme))
    monkeypatch.setattr("flashscope.drives.real.smart_access.find_program", lambda name: None)
    assert "smartctl, which is not installed" in why("smart-inference", facts_of_device(nvme))
