"""The truth of rate_fall, and the finding beside it, on small drives that fall for one known reason or for none."""

from collections.abc import Mapping

import pytest

from flashscope.drives.parts.part_file import Scalar
from flashscope.experiments.sustained_sequential_write import SustainedSequentialWrite
from flashscope.records import Record
from tests.experiments.planted import SMALL, planted, run
from tests.findings import by_key

EXPERIMENT = SustainedSequentialWrite()
MIB = 1 << 20
SECOND_NS = 10**9
POOLS, BLOCK_BYTES = 4, 64 * 16384
PSLC = {
    "capacity.user_size": 420_000_000 // 4096 * 4096,
    "buffer.size": MIB,
    "timing.bus_rate": 200_000_000,
    "pslc.read_latency": 25_000,
    "pslc.program_latency": 150_000,
    "pslc.erase_latency": 2_000_000,
    "pslc.bits_per_cell": 4,
    "pslc.fold_delay": 2 * SECOND_NS,
}


def record_of(values: Mapping[str, Scalar]) -> Record:
    return run(EXPERIMENT, planted("onyx-32", values))


@pytest.mark.parametrize("blocks", [16, 40])
def test_a_small_static_cache_falls_where_its_blocks_and_the_buffer_are_full(blocks: int) -> None:
    record = record_of(SMALL | PSLC | {"pslc.static_block_count": blocks})
    assert record.truth["rate_fall"] == blocks * POOLS * BLOCK_BYTES // 4 + MIB
    assert by_key(record)["rate_fall"].value == pytest.approx(record.truth["rate_fall"], rel=0.02)


@pytest.mark.parametrize("buffer_mib", [16, 64])
def test_a_buffer_that_is_a_good_part_of_the_drive_is_no_fall(buffer_mib: int) -> None:
    record = record_of(SMALL | {"buffer.size": buffer_mib * MIB})
    assert by_key(record)["rate_fall"].value is None


def test_a_throttled_drive_falls_where_its_wear_meets_the_line() -> None:
    values = {"throttle.life": 2_000_000 * SECOND_NS, "throttle.credit": 100 * SECOND_NS, "buffer.size": 4 * MIB}
    record = record_of(SMALL | values)
    assert by_key(record)["rate_fall"].value == pytest.approx(record.truth["rate_fall"], rel=0.02)
