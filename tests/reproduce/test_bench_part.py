"""A part in small is the part: the same blocks, the same shares, only fewer."""

import json
from typing import Any

import pytest

from flashscope.drives.parts.part import load_part
from flashscope.errors import WrongUse
from flashscope.reproduce.bench_part import in_small

PARTS = [("micron-7450-max-800", 24, 1), ("micron-7450-max-800", 96, 2), ("c300-256", 128, 1)]


@pytest.mark.parametrize(("name", "divisor", "dies"), PARTS)
def test_the_share_of_data_in_the_blocks_that_take_it_is_that_of_the_whole(name: str, divisor: int, dies: int) -> None:
    def used_ratio(document: dict[str, Any], unit_bytes: int) -> float:
        geometry, capacity = document["geometry"], document["capacity"]
        planes = geometry["planes_per_die"]
        together = planes if geometry["multiplane"] else 1
        pools = geometry["channels"] * geometry["packages_per_channel"] * geometry["dies_per_package"]
        pools *= planes // together
        # Free and open blocks are the same number in each die, large or small.
        kept = document["gc"]["low_water_blocks"] + 0.75
        lost = capacity["initial_bad_block_count"] + capacity["reserved_block_count"]
        blocks = pools * (geometry["blocks_per_plane"] - kept) - lost
        return float(
            capacity["user_bytes"] / (blocks * geometry["pages_per_block"] * geometry["page_bytes"] * together)
        )

    whole = json.loads(load_part(name).to_core_json())
    small = in_small(name, divisor=divisor, dies=dies)
    assert used_ratio(small.document, small.unit_bytes) == pytest.approx(used_ratio(whole, small.unit_bytes), rel=1e-4)
    assert small.scale_ratio == pytest.approx(divisor, rel=0.02)
    assert small.user_units * small.unit_bytes * small.scale_ratio == pytest.approx(whole["capacity"]["user_bytes"])


@pytest.mark.parametrize(("name", "divisor", "dies"), PARTS)
def test_what_a_block_is_and_what_is_done_with_it_stays(name: str, divisor: int, dies: int) -> None:
    whole = json.loads(load_part(name).to_core_json())
    small = in_small(name, divisor=divisor, dies=dies).document
    counts = {"channels", "packages_per_channel", "dies_per_package", "blocks_per_plane"}
    assert {key for key, value in small["geometry"].items() if value != whole["geometry"][key]} <= counts
    for section in ("timing", "gc", "mapping", "link", "wear_leveling", "scheduling", "trim"):
        assert small.get(section) == whole.get(section), section
    drive = in_small(name, divisor=divisor, dies=dies).build(seed=1)
    assert drive.user_bytes == small["capacity"]["user_bytes"]


def test_a_part_that_is_not_there_is_wrong_use() -> None:
    with pytest.raises(WrongUse, match="micron"):
        in_small("micron-7450-max-80", divisor=24)
