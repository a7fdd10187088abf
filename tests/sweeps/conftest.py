"""An Onyx in small, written as an address: 256 blocks, and blocks that live some 80 cycles."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from flashscope.drives.parts.part import load_part
from flashscope.sweeps.cluster import DaskCluster, open_local

SMALL_KEYS = {
    "geometry.blocks_per_plane": "64",
    "capacity.user_size": "800 MiB",
    "capacity.initial_bad_block_count": "2",
    "capacity.reserved_block_count": "4",
    "endurance.spare_block_count": "6",
    "endurance.life": "80 cycles",
    "timing.rated_pe_cycles": "30 cycles",
}
SMALL = "sim:onyx-32?" + "&".join(f"{key}={value}" for key, value in SMALL_KEYS.items())


@pytest.fixture
def small() -> dict[str, Any]:
    """What the core is built from."""
    configuration: dict[str, Any] = json.loads(load_part("onyx-32", SMALL_KEYS).to_core_json())
    return configuration


@pytest.fixture(scope="module")
def two_workers() -> Iterator[DaskCluster]:
    """One cluster for the tests of a file: its start takes seconds."""
    with open_local(2) as cluster:
        yield cluster


@pytest.fixture
def scheduler(two_workers: DaskCluster) -> str:
    """Its address, as an existing cluster's."""
    return address_of(two_workers)


def address_of(cluster: DaskCluster) -> str:
    """Where a cluster's scheduler listens."""
    return str(cluster._client.scheduler_info()["address"])
