"""Every shipped virtual drive speaks the layout of what it stands for, and what is decoded is its own truth."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from flashscope import _core
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.drives.parts.part import list_parts, load_part
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.errors import WrongUse
from flashscope.records import FIRST_STATE_OUT_OF_USE, SmartAttribute
from flashscope.records.drive_facts import DriveFacts
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.dump import Dump
from flashscope.smart.readers.as_smartctl_json import as_smartctl_json
from flashscope.smart.readers.smartctl_json import read_smartctl_json
from flashscope.smart.readers.virtual import dump_of_virtual_drive
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.jobs_json import to_json

FAMILIES = {
    "ans9010b": NO_SMART,
    "c300-256": "micron",
    "counterfeit-64": NO_SMART,
    "hds721616-160": "disk",
    "hg3-512": "toshiba-hg",
    "intel-520": "intel-sandforce",
    "jmf602-32": "jmicron-602",
    "k5-64": "indilinx",
    "kc3000-1024": "nvme",
    "micron-7450-max-800": "nvme",
    "mobi3000": NO_SMART,
    "momentus-xt-500": "disk",
    "mtron-3535-16": NO_SMART,
    "onyx-32": "indilinx",
    "ramdisk": NO_SMART,
    "sm128ni-128": "samsung-old",
    "thnsns-120": "sandforce",
    "vertex-30": "indilinx",
    "vertex2-60": "sandforce",
    "wd20ears": "disk",
    "wd30ezrs": "disk",
    "x25m-80": "intel-x25",
    "x25v-40": "intel-x25",
}
COUNTS_HOST_BYTES = {"indilinx", "intel-sandforce", "intel-x25", "nvme", "sandforce"}
COUNTS_ERASES = {"indilinx", "jmicron-602", "micron", "samsung-old", "toshiba-hg"}
IS_FLASH = {"ans9010b": None, "ramdisk": None}  # memory tells nothing of itself
AGED = "?aged=fill:0.5,erases:40,spread:0.05"
LARGE = {"kc3000-1024", "micron-7450-max-800"}  # these take seconds to age, and their log counts no erases
WRITTEN_BYTES = (40 << 20) + 512 * 7
OVERWRITTEN = {"jmf602-32": 2}  # it counts erases and cannot be aged: drive fills
SMALLER = 32  # so much smaller are the copies of drives that cannot be aged and are too large to be overwritten


class Written(NamedTuple):
    """A drive that was aged and then written a little more: what it says, and what is so."""

    dump: Dump
    reading: Reading
    counters: Mapping[str, int]
    erase_counts: np.ndarray
    facts: DriveFacts


def opened(name: str) -> InVirtualTime:
    """An aged drive; as new where it cannot be aged (log blocks, compression), is too large, or has no flash."""
    address = f"sim:{name}"
    try:
        drive = open_drive(parse_address(f"{address}{AGED}" if is_aged(name) else address), destructive=True)
    except WrongUse:
        drive = open_drive(parse_address(address), destructive=True)
    assert isinstance(drive, InVirtualTime)
    return drive


def is_aged(name: str) -> bool:
    return has_flash(name) and name not in LARGE


def has_flash(name: str) -> bool:
    return FAMILIES[name] != "disk" and name not in IS_FLASH


@pytest.fixture(scope="module", params=list_parts())
def written(request: pytest.FixtureRequest) -> Written:
    drive = opened(request.param)
    for written_bytes in OVERWRITTEN.get(request.param, 0) * [drive.facts.user_bytes] + [WRITTEN_BYTES]:
        job = Job("write", "write", write_sizes=BlockSizes(weighted=((1 << 20, 100.0),)), io_bytes=written_bytes)
        run = drive.start([job], 10**12)
        while not run.advance(1 << 20):
            pass
    dump = dump_of_virtual_drive(drive.read_smart(0))
    inside: Mapping[str, np.ndarray] = drive.core.inside() if has_flash(request.param) else {}
    in_use = (
        inside["block_erase_counts"][inside["block_states"] < FIRST_STATE_OUT_OF_USE] if inside else np.array([], int)
    )
    return Written(dump, read(dump), drive.core.counters(), in_use, drive.facts)


def part_of(request: pytest.FixtureRequest) -> str:
    return str(request.node.callspec.params["written"])


def test_every_part_has_a_family_or_says_that_it_has_none(written: Written, request: pytest.FixtureRequest) -> None:
    part = part_of(request)
    family = FAMILIES[part]
    assert written.reading.family == family
    assert written.reading.is_flash is IS_FLASH.get(part, family != "disk")
    assert written.reading.contradictions == ()
    undecoded = [written.dump.attribute(id) for id in written.reading.undecoded]
    assert all(one is not None and not any(one.raw) for one in undecoded), "what has no meaning says nothing either"
    if family != NO_SMART:
        assert written.reading.confidence_ratio > 0.8


def test_host_bytes_are_the_drives_own_within_one_unit(written: Written, request: pytest.FixtureRequest) -> None:
    told = written.reading.fields.get("host_written_bytes")
    assert (told is not None) == (FAMILIES[part_of(request)] in COUNTS_HOST_BYTES)
    if told is None:
        return
    for key in ("host_written_bytes", "host_read_bytes"):
        if (one := written.reading.fields.get(key)) is not None:
            true = written.counters[key]
            assert one.low <= true <= one.high, (key, one)
            assert abs(one.value - true) <= max(512, one.high - one.low)


def test_erase_counts_are_the_drives_own(written: Written, request: pytest.FixtureRequest) -> None:
    told = written.reading.fields
    counts = written.erase_counts
    # The Toshiba layout has zeros both before the first erase and where the firmware shows none.
    silent = FAMILIES[part_of(request)] == "toshiba-hg" and not counts.any()
    assert ("erase_count_average" in told) == (FAMILIES[part_of(request)] in COUNTS_ERASES and not silent)
    for key, true in (("average", np.mean), ("min", np.min), ("max", np.max)):
        if (one := told.get(f"erase_count_{key}")) is not None:
            if part_of(request) in OVERWRITTEN or not written.facts.never_written:
                assert key == "min" or true(counts) > 0, "a test of zeros is none"
            assert one.low <= true(counts) <= one.high + (key == "average"), (key, one, true(counts))


@pytest.mark.parametrize("part", ["sm128ni-128", "hg3-512"])
def test_erase_counts_of_a_small_copy_that_was_overwritten_are_its_own(part: str) -> None:
    document = json.loads(load_part(part).to_core_json())
    document["geometry"]["blocks_per_plane"] //= SMALLER
    for key in ("user_bytes", "initial_bad_block_count", "reserved_block_count", "spare_block_count"):
        document["capacity"][key] //= SMALLER
    user_bytes = document["capacity"]["user_bytes"] * 9 // 10  # log blocks and open blocks stay as many
    document["capacity"]["user_bytes"] = user_bytes - user_bytes % (1 << 20)
    core = _core.Drive(json.dumps(document), 1)
    job = Job("write", "write", write_sizes=BlockSizes(weighted=((1 << 20, 100.0),)), io_bytes=core.user_bytes)
    for _ in range(4):
        assert core.start(to_json([job]), 10**12).advance(core, 2**62)
    attributes = tuple(SmartAttribute(*one) for one in core.smart_attributes())
    fields = read(Dump("a small copy", "", attributes=attributes, user_bytes=core.user_bytes, rotation_rpm=0)).fields
    inside = core.inside()
    counts = inside["block_erase_counts"][inside["block_states"] < FIRST_STATE_OUT_OF_USE]
    assert fields["erase_count_average"].value == int(np.mean(counts)) > 0
    if part == "hg3-512":
        assert fields["erase_count_max"].value == np.max(counts)


def test_life_left_is_what_the_erase_counts_leave_of_the_rating(written: Written) -> None:
    """By whole per cents, from 99 or 100 down."""
    if (life := written.reading.value("remaining_life_ratio")) is None or not len(written.erase_counts):
        return
    rated = written.reading.value("rated_pe_cycles")
    if rated is not None:
        assert life == pytest.approx(1 - np.mean(written.erase_counts) / rated, abs=0.021)
    else:
        assert 0 < life <= 1


def test_what_smartctl_would_print_reads_back_the_same(written: Written) -> None:
    again = read_smartctl_json(json.dumps(as_smartctl_json(written.dump)), "again")
    assert [replace(one, name="") for one in again.attributes] == list(written.dump.attributes)
    assert again.nvme_health == written.dump.nvme_health
    assert (again.model, again.firmware, again.user_bytes) == (
        written.dump.model,
        written.dump.firmware,
        written.dump.user_bytes,
    )
    reread = read(again)
    assert {key: (one.value, one.low, one.high) for key, one in reread.fields.items()} == {
        key: (one.value, one.low, one.high) for key, one in written.reading.fields.items()
    }
    assert (reread.family, reread.is_flash) == (written.reading.family, written.reading.is_flash)


def test_a_stripe_says_that_it_has_no_layout() -> None:
    drive = open_drive(parse_address("stripe:128KiB:sim:jmf602-32*2"), destructive=False)
    assert isinstance(drive, InVirtualTime)
    assert read(dump_of_virtual_drive(drive.read_smart(0))).family == NO_SMART


def test_every_part_is_named_here() -> None:
    assert set(FAMILIES) == set(list_parts())
