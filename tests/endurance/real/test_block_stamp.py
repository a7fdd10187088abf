"""What a block that was read back is called."""

import os
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.endurance.real.block_stamp import Expected, Kind, Stamper, classify, stamp_of
from tests.known import known

ID, OTHER = bytes(range(16)), bytes(range(1, 17))
BLOCK = 4096
STAMPER = Stamper(ID, BLOCK)
HERE = Expected(ID, 7 * BLOCK, 5)


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        (STAMPER.block(7 * BLOCK, 5), Kind.GOOD),
        (STAMPER.block(7 * BLOCK, 4), Kind.LOST),
        (STAMPER.block(7 * BLOCK, 3), Kind.STALE),
        (STAMPER.block(7 * BLOCK, 6), Kind.NEWER),
        (STAMPER.block(8 * BLOCK, 5), Kind.MISDIRECTED),
        (Stamper(OTHER, BLOCK).block(7 * BLOCK, 5), Kind.FOREIGN),
        (bytes(BLOCK), Kind.UNWRITTEN),
        (os.urandom(BLOCK), Kind.CORRUPTED),
        (STAMPER.block(7 * BLOCK, 5)[:2048] + STAMPER.block(7 * BLOCK, 4)[2048:], Kind.CORRUPTED),
    ],
)
def test_each_kind_of_wrong_block_has_its_name(block: bytes, kind: Kind) -> None:
    assert classify(block, HERE) is kind


@given(bit=st.integers(0, BLOCK * 8 - 1))
def test_any_flipped_bit_is_corruption_and_is_counted(bit: int) -> None:
    block = bytearray(STAMPER.block(7 * BLOCK, 5))
    block[bit // 8] ^= 1 << bit % 8
    assert classify(bytes(block), HERE) is Kind.CORRUPTED
    assert STAMPER.wrong_bits(bytes(block), HERE) == 1


def test_many_blocks_are_stamped_and_checked_as_one_by_one() -> None:
    addresses = np.array([0, 3, 9, 2]) * BLOCK
    generations = np.array([1, 2, 70_000, 4], dtype=np.uint32)
    buffer = bytearray(4 * BLOCK)
    STAMPER.fill(memoryview(buffer), addresses, generations)
    for place, (address, generation) in enumerate(zip(addresses.tolist(), generations.tolist(), strict=True)):
        block = bytes(buffer[place * BLOCK : (place + 1) * BLOCK])
        assert block == STAMPER.block(address, generation)
        found = known(stamp_of(block))
        assert (found.drive_id, found.address_bytes, found.generation) == (ID, address, generation)
    assert STAMPER.good(memoryview(buffer), addresses, generations).all()
    wrong = generations + np.array([0, 1, 0, 0], dtype=np.uint32)
    assert STAMPER.good(memoryview(buffer), addresses, wrong).tolist() == [True, False, True, True]


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_data_shrinks_by_the_share_that_was_asked_for(share: float) -> None:
    stamper = Stamper(ID, BLOCK, share)
    data = b"".join(stamper.block(number * BLOCK, 1) for number in range(64))
    assert len(zlib.compress(data)) / len(data) == pytest.approx(1 - share, abs=0.03)


def test_no_two_blocks_or_generations_are_alike() -> None:
    payloads = {STAMPER.block(n * BLOCK, g)[40:-8] for n in range(300) for g in range(1, 4)}
    assert len(payloads) == 900
