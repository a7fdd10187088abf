"""Facts of a drive in records: what is kept is read again, and so are the facts of the layout before."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DeviceFacts, DriveFacts, SeenPart
from flashscope.records.plain import from_json, to_json
from flashscope.records.time_cost import PerTimeCost, TimeCost
from flashscope.store.rows.facts_json import facts_from_json
from tests.known import known
from tests.records.make_records import facts as any_facts

ONYX: dict[str, Any] = {
    "address": "sim:onyx-32@offset=32256B", "kind": "virtual", "model": "OCZ-ONYX", "firmware": "1.6", "serial": "S",
    "user_bytes": 32 * 10**9, "sector_bytes": 512, "raw_bytes": 1 << 35, "rated_pe_cycles": 5000, "can_trim": True,
    "can_secure_erase": True, "has_smart": True, "is_rotational": False, "warnings": ["so"], "doubts": [],
    "extra": {
        "part": "onyx-32", "kind": "ssd", "seed": 7, "smart_layout": "indilinx", "partition_offset_bytes": 32256,
        "sector_bytes_below": 512,
    },
}  # fmt: skip
NVME: dict[str, Any] = {
    "address": "/dev/nvme0n1p1", "kind": "block device", "user_bytes": 10**12, "has_smart": True,
    "extra": {
        "path": "/dev/nvme0n1p1", "physical_sector_bytes": 4096, "transport": "nvme", "partition_of": "/dev/nvme0n1",
    },
}  # fmt: skip


@given(any_facts())
def test_facts_are_read_as_they_were_kept(facts: DriveFacts) -> None:
    assert facts_from_json(from_json(to_json(facts.to_json()))) == facts


def test_a_virtual_drive_of_the_layout_before_can_what_it_could() -> None:
    facts = facts_from_json(ONYX)
    assert facts.in_virtual_time
    assert facts.capabilities == set(Capability) - {Capability.HEALTH_LOG, Capability.MEMBERS, Capability.STAMPED}
    assert facts.partition == SeenPart(32256, 512)
    assert (facts.kind_name, known(facts.virtual).part, known(facts.virtual).seed) == ("virtual drive", "onyx-32", 7)
    assert facts.never_written
    assert facts.warnings == ("so",)


def test_a_block_device_of_the_layout_before_keeps_all_that_was_known_of_it() -> None:
    facts = facts_from_json(NVME)
    assert facts.time_cost is TimeCost.OWN
    assert facts.capabilities == {
        Capability.BARE, Capability.SOLID_STATE, Capability.HEALTH_LOG, Capability.ERROR_BITS,
    }  # fmt: skip
    assert facts.device == DeviceFacts("/dev/nvme0n1p1", 4096, "nvme", partition_of="/dev/nvme0n1")


def test_files_and_directories_of_the_layout_before_are_not_the_drive_itself() -> None:
    file = facts_from_json({"kind": "file", "user_bytes": 1, "extra": {"file_system": "btrfs", "direct_io": False}})
    assert not file.can(Capability.BARE)
    assert known(file.place).file_system == "btrfs"
    assert not file.takes_direct_requests
    folder = facts_from_json({"kind": "directory", "extra": {"why_no_volumes": "losetup is not installed"}})
    assert folder.can(Capability.FILES)
    assert folder.why_it_cannot(Capability.VOLUMES) == "losetup is not installed"


def test_a_capability_of_a_later_version_is_left_out() -> None:
    assert facts_from_json({"capabilities": ["bare", "telepathy"]}).capabilities == {Capability.BARE}


def test_a_value_per_time_cost_has_one_for_each() -> None:
    values = PerTimeCost(free="free", own="own", shared="shared")
    assert [values.at(cost) for cost in TimeCost] == [cost.value for cost in TimeCost]


def test_every_capability_has_a_reason_that_ends_a_sentence() -> None:
    reasons = [capability.missing for capability in Capability]
    assert len(set(reasons)) == len(reasons)
    for reason in reasons:
        assert reason[0].islower(), reason
        assert " " in reason
        assert not reason.endswith("."), reason
