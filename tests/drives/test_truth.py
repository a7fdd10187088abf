"""What a virtual drive states about findings: bounds from its configuration; and where it can state nothing."""

from __future__ import annotations

from typing import Any

import pytest

from flashscope.drives.parts.part import list_parts, load_part
from flashscope.drives.truth.buffers import flash_bytes_per_second
from flashscope.drives.truth.configured import truth_of_members
from flashscope.drives.truth.falls import rate_fall_of
from flashscope.drives.truth.late_traffic import Traffic, late_write_amplification
from flashscope.drives.truth.untold import UNTOLD, why_no_truth
from flashscope.records.bounds import between, ends_of
from tests.drives.stated_truth import configuration_of, stated_keys, truth_of
from tests.known import known


def test_no_finding_has_both_a_truth_and_a_reason_to_have_none() -> None:
    assert [key for key in sorted(stated_keys()) if why_no_truth(key)] == []
    assert all(UNTOLD.values())


@pytest.mark.parametrize("name", list_parts())
def test_every_bound_leaves_room_for_a_number(name: str) -> None:
    for key, truth in truth_of(name).items():
        least, most = ends_of(truth) or (0, 1)
        assert least <= most, key
        assert most > 0, key


def known_ends(part: str, key: str) -> tuple[float, float]:
    """The least and the most that a shipped part states of a number that it bounds."""
    return known(ends_of(truth_of(part)[key]))


def test_a_read_alone_pays_for_its_command_and_its_data() -> None:
    # 20 us of command, then 4096 bytes at 297 674 418 bytes/s.
    assert known_ends("onyx-32", "rand_read_4k")[1] == pytest.approx(4096 / (20e-6 + 4096 / 297_674_418))
    assert known_ends("onyx-32", "access_time_read_4k_ns")[0] == pytest.approx(33_760, abs=1)


def test_commands_one_after_another_bound_a_deep_queue() -> None:
    assert known_ends("onyx-32", "rand_read_4k_qd32")[1] == pytest.approx(4096 / 20e-6)


def test_what_lasts_is_bounded_by_the_flash_of_a_slow_drive_and_by_the_link_of_a_fast_one() -> None:
    slow, fast = (truth_of(name)["settled_rate_bytes_per_second"]["at_most"] for name in ("onyx-32", "k5-64"))
    assert slow == pytest.approx(59.3e6, rel=0.01)
    assert fast == 297_674_418


def test_members_side_by_side_add_up_until_the_host_is_the_limit() -> None:
    members = [configuration_of("onyx-32")] * 2
    free = truth_of_members({"members": members, "host": {"bytes_per_second": 10**12}})
    bound = truth_of_members({"members": members, "host": {"bytes_per_second": 400_000_000}})
    assert free["seq_read"]["at_most"] == 2 * 297_674_418
    assert bound["seq_read"]["at_most"] == 400_000_000
    assert free["useful_queue_depth_reads"]["at_most"] == 64


def test_a_drive_that_takes_no_trim_has_no_moment_from_which_it_helps() -> None:
    assert truth_of("mtron-3535-16")["trim_helps_after_ns"] is None
    assert truth_of("hg3-512")["trim_helps_after_ns"] == {"at_least": 60e9}


def test_memory_has_nothing_that_flash_has() -> None:
    truth = truth_of("ramdisk")
    assert [truth[key] for key in ("mapping_unit_bytes", "write_buffer_bytes", "rate_fall")] == [None] * 3


def fall(name: str, collecting: float) -> Any:
    """rate_fall of a fresh drive whose collection takes that share of its banks' time."""
    part, configuration = load_part(name), configuration_of(name)
    blocks = part.geometry.raw_bytes // part.geometry.data_block_bytes
    first = int(configuration["capacity"]["user_bytes"] * 1.07)
    return rate_fall_of(configuration, part.geometry, blocks, first, collecting)


def test_collection_that_leaves_flash_faster_than_the_link_is_no_fall() -> None:
    assert fall("k5-64", 0.05) == {"rate_fall": None}, "320 MB/s of flash behind a link of 298 MB/s"
    assert fall("k5-64", 0.3)["rate_fall"] > 64e9


def test_a_drive_that_maps_block_by_block_falls_between_its_second_fill_and_its_last_erased_block() -> None:
    erased = int(1.07 * 16_013_942_784)
    assert fall("mtron-3535-16", 0.05) == {"rate_fall": between(16_013_942_784, erased + 2**20)}


def test_registers_that_hold_much_beside_a_buffer_make_it_look_larger() -> None:
    least, most = ends_of(truth_of("kc3000-1024")["write_buffer_bytes"]) or (0, 0)
    assert (least, most) == (16 * 2**20, 18 * 2**20)
    assert truth_of("onyx-32")["write_buffer_bytes"] == 32 * 2**20


def test_a_page_that_crosses_the_bus_while_another_is_programmed_takes_no_time_of_its_own() -> None:
    hidden = configuration_of("kc3000-1024")
    shown = hidden | {"timing": hidden["timing"] | {"cache_program": False}}
    geometry = load_part("kc3000-1024").geometry
    assert flash_bytes_per_second(hidden, geometry) > 1.05 * flash_bytes_per_second(shown, geometry)


def test_what_was_written_in_order_before_does_not_thin_the_cost_of_few_random_writes() -> None:
    """A drive of 3 MB/s writes less than the window at random while the run lasts."""
    in_order = [Traffic(gb * 10**9, gb * 10**9, gb * 1000) for gb in range(1, 33)]
    written = [Traffic(32 * 10**9 + kib * 1024, 32 * 10**9 + kib * 1024 * 50, 32_000 + kib // 4) for kib in (400, 800)]
    assert late_write_amplification([*in_order, *written], 4 * 10**9) == pytest.approx(50.0, rel=0.01)
    assert late_write_amplification(in_order, 4 * 10**9) == 1.0
    assert late_write_amplification(in_order[:1], 4 * 10**9) is None
