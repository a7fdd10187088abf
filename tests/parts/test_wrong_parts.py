"""A part that is wrong is refused with file, key, value found and what is accepted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from flashscope.drives.parts.part import Part, load_part
from flashscope.errors import WrongUse

PART = """\
name = "mine"
nand = "imft-l63b-34nm"
model = "MINE"
firmware = "1"
[geometry]
channels = 2
packages_per_channel = 2
lockstep_packages = 2
multiplane = true
blocks_per_plane = 64
[timing]
read_latency = "60 us"
program_latency = ["300 us", "1500 us"]
[capacity]
user_size = "200 MiB"
initial_bad_block_count = 0
reserved_block_count = 0
[link]
rate = "300 MB/s"
command_cost = "5 us"
queue_depth = 32
[buffer]
size = "0 B"
acknowledge = "programmed"
sub_unit_writes = "through"
idle_flush = "1 s"
[mapping]
unit = "4 KiB"
[gc]
policy = "greedy"
low_water_blocks = 4
high_water_blocks = 5
[smart]
layout = "indilinx"
"""


def load(tmp_path: Path, text: str) -> Part:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return load_part(str(path))


def change(pattern: str, line: str) -> str:
    text, count = re.subn(rf"^{pattern}.*$", line, PART, flags=re.MULTILINE)
    assert count == 1
    return text


def test_the_short_form_is_accepted_and_its_origin_is_unstated(tmp_path: Path) -> None:
    part = load(tmp_path, PART)
    assert part.values["timing.read_latency"].value == 60_000
    assert part.values["timing.read_latency"].origin == "unstated"
    assert json.loads(part.to_core_json())["timing"]["program_latencies_ns"] == [300_000, 1_500_000]
    assert part.geometry.programmed_block_count == 128


def test_parity_takes_room_from_every_block(tmp_path: Path) -> None:
    without = load(tmp_path, PART).geometry
    with_parity = load(tmp_path, PART + "[parity]\nstripe_pages = 16\n")
    assert with_parity.geometry.data_block_bytes * 16 == without.data_block_bytes * 15
    assert with_parity.geometry.programmed_block_bytes == without.programmed_block_bytes == without.data_block_bytes
    assert json.loads(with_parity.to_core_json())["parity"] == {"stripe_pages": 16}


@pytest.mark.parametrize(
    ("key", "line", "found"),
    [
        ("read_latency", "read_latency = 900", 'timing.read_latency is 900; give it a unit, such as "900 us"'),
        ("read_latency", 'read_latency = "4 KiB"', 'timing.read_latency is "4 KiB"; "KiB" is not a unit of time'),
        ("read_latency", 'read_latency = "0 us"', "timing.read_latency is 0 us, which is out of bounds"),
        ("read_latency", 'read_latency = "soon"', "timing.read_latency is 'soon', which is not a number"),
        ("read_latency", "read_latency = true", "timing.read_latency is true"),
        ("read_latency", "read_latency = 2011-01-01", "timing.read_latency is 2011-01-01"),
        ("read_latency", "[bit_errors]\nwear_exponent = 11", "bit_errors.wear_exponent is 11, which is out of bounds"),
        (
            "read_latency",
            "[bit_errors]\nwear_exponent = nan",
            "bit_errors.wear_exponent is nan, which is out of bounds",
        ),
        ("read_latency", "[bit_errors]\nwear_exponent = '2'", "bit_errors.wear_exponent is 2"),
        ("read_latency", "read_latncy = '1 us'", "timing.read_latncy is not a key of a part"),
        ("program_latency", "program_latency = []", "timing.program_latency is an empty list"),
        ("program_latency", "program_latency = ['0 us']", "timing.program_latency is 0 us"),
        ("channels", "channels = 0", "geometry.channels is 0, which is out of bounds"),
        ("channels", "channels = 1.5", "geometry.channels is"),
        ("channels", "channels = '4 KiB'", "geometry.channels is"),
        ("channels", "lanes = 4", "geometry.lanes is not a key of a part"),
        ("multiplane", "multiplane = 1", "geometry.multiplane is 1"),
        ("packages_per_channel", "packages_per_channel = 3", "geometry.lockstep_packages is 2, which does not divide"),
        ("read_latency", 'read_latency = "2000 s"', "timing.read_latency is 2000 s, which is out of bounds"),
        ("command_cost", 'command_cost = "0 us"', "link.command_cost is 0 us, which is out of bounds"),
        ("lockstep_packages", "lockstep_packages = 9", "geometry.lockstep_packages is 9, which is out of bounds"),
        ("unit", "unit = '12 KiB'", "mapping.unit is 12 KiB, which is not a power of two"),
        ("unit", "unit = '32 KiB'", "mapping.unit is 32 KiB, which does not divide the programmed page"),
        (
            "program_latency",
            "program_latency = ['1 us', '2 us', '3 us']",
            "timing.program_latency is 1 us, 2 us, 3 us, a",
        ),
        ("user_size", "user_size = '32 GB'", "capacity.user_size is 32 GB, but flash for data is 512 MiB"),
        ("user_size", "user_size = '513 MiB'", "capacity.user_size is 513 MiB, but"),
        ("user_size", "user_size = '1000 B'", "capacity.user_size is 1000 B, which is not whole sectors"),
        (
            "reserved_block_count",
            "reserved_block_count = 128",
            "capacity.reserved_block_count is 128, which leaves less",
        ),
        ("high_water_blocks", "high_water_blocks = 4", "gc.high_water_blocks is 4, not more than"),
        ("size", "size = '200 MiB'", "buffer.size is 200 MiB, which is as much as the whole drive"),
        ("size", "size = '1 KiB'", "buffer.size is 1 KiB, which is less than one programmed page"),
        ("idle_flush", "idle_flush = '1 s'\n[parity]\nstripe_pages = 1", "parity.stripe_pages is 1, and a stripe has"),
        ("idle_flush", "idle_flush = '1 s'\n[parity]\nstripe_pages = 999", "parity.stripe_pages is 999, and a stripe"),
        (
            "idle_flush",
            "idle_flush = '1 s'\n[log_blocks]\ncount = 2\n[parity]\nstripe_pages = 8",
            "parity.stripe_pages is 8, on a block-mapped drive",
        ),
        ("policy", "policy = 'gredy'", "gc.policy is gredy"),
        ("nand", "nand = 'imft-l63'", "there is no NAND part (the nand of"),
        ("nand", "nand = 'my-nand.toml'", "there is no part file my-nand.toml (the nand of"),
        ("nand", "nand = 5", "nand is 5"),
        ("queue_depth", "", "says nothing about link.queue_depth"),
        ("name", "", "says nothing about name"),
        (r"\[smart\]", "[smrt]", "smrt is not a key of a part"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_accepted(tmp_path: Path, key: str, line: str, found: str) -> None:
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, change(key, line))
    assert found in caught.value.what
    assert "mine.toml" in caught.value.what
    assert caught.value.accepted


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("read_latncy = '1 us'", 'did you mean "timing.read_latency"?'),
        ("channels = 2", 'did you mean "geometry.channels"?'),
        ("read_latency = '60 usec'", 'write "60 us" if that is what you mean'),
    ],
)
def test_the_nearest_key_or_unit_is_suggested(tmp_path: Path, line: str, advice: str) -> None:
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, change("read_latency", line))
    assert caught.value.advice == advice


@pytest.mark.parametrize(
    ("entry", "found"),
    [
        ("{ value = '50 us' }", "has no origin"),
        ("{ value = '50 us', origin = 'class' }", "has no source"),
        ("{ value = '50 us', origin = 'guess', source = 'x' }", "has the origin 'guess'"),
        ("{ value = '50 us', origin = 'class', source = ' ' }", "has the source ' '"),
        ("{ value = '50 us', origin = 'fitted', source = 'x' }", "fitted_to []"),
        ("{ value = '50 us', origin = 'class', source = 'x', fitted_to = ['F001'] }", "fitted_to ['F001']"),
        ("{ value = '50 us', origin = 'fitted', source = 'x', fitted_to = 'F001' }", "fitted_to 'F001'"),
        ("{ value = '50 us', origin = 'class', sauce = 'x' }", "has an unknown field sauce"),
        ("{ value = 50, origin = 'class', source = 'x' }", "is 50; give it a unit"),
    ],
)
def test_a_full_form_that_is_not_full_is_refused(tmp_path: Path, entry: str, found: str) -> None:
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, change("read_latency", f"read_latency = {entry}"))
    assert "mine.toml: timing.read_latency" in caught.value.what
    assert found in caught.value.what
    assert caught.value.accepted


def test_a_section_that_is_no_section_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="smart is 3"):
        load(tmp_path, "smart = 3\n" + PART.split("[smart]")[0])


@pytest.mark.parametrize("length", [10, len(PART) // 3, len(PART) - 5])
def test_a_truncated_file_is_refused(tmp_path: Path, length: int) -> None:
    with pytest.raises(WrongUse) as caught:
        load(tmp_path, PART[:length])
    assert "mine.toml" in caught.value.what


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="there is no part file"):
        load_part(str(tmp_path / "none.toml"))
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(WrongUse, match="cannot be read"):
        load_part(str(tmp_path / "folder.toml"))
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WrongUse, match="cannot be read"):
        load_part(str(tmp_path / "binary.toml"))


def test_an_unknown_shipped_part_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(WrongUse) as caught:
        load_part("onix-32")
    assert "onyx-32, ramdisk, sm128ni-128" in caught.value.accepted
    assert caught.value.advice == 'did you mean "onyx-32"?'


def test_a_nand_part_says_nothing_about_the_drive(tmp_path: Path) -> None:
    (tmp_path / "flash.toml").write_text('name = "flash"\n[link]\nqueue_depth = 3\n', encoding="utf-8")
    with pytest.raises(WrongUse, match=r"flash.toml .*link.queue_depth says nothing about flash"):
        load(tmp_path, change("nand", 'nand = "flash.toml"'))


def test_a_nand_part_of_ones_own_is_found_beside_the_drive_part(tmp_path: Path) -> None:
    (tmp_path / "flash.toml").write_text('[timing]\nerase_latency = "7 ms"\n', encoding="utf-8")
    with pytest.raises(WrongUse, match=r"says nothing about geometry.dies_per_package") as caught:
        load(tmp_path, change("nand", 'nand = "flash.toml"'))
    assert "timing.erase_latency" not in caught.value.what
