"""An Onyx in small: the same controller and flash, 256 blocks of them, and blocks that live some 80 cycles."""

import json
from typing import Any

import pytest

from flashscope.drives.parts.part import load_part


@pytest.fixture
def small() -> dict[str, Any]:
    configuration: dict[str, Any] = json.loads(load_part("onyx-32").to_core_json())
    configuration["geometry"]["blocks_per_plane"] = 64
    configuration["capacity"] |= {
        "user_bytes": 50 * 4 * (4 << 20),
        "initial_bad_block_count": 2,
        "reserved_block_count": 4,
        "spare_block_count": 6,
    }
    configuration["endurance"]["characteristic_cycles"] = 80
    configuration["timing"]["rated_pe_cycles"] = 30
    return configuration
