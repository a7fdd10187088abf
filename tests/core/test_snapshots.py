"""A drive as bytes: whole ones come back, and any others are refused in words, whatever was done to them."""

import contextlib
import json
import random
import struct
import zlib

import pytest

from flashscope import _core
from flashscope.workloads.job import Job
from flashscope.workloads.jobs_json import to_json
from tests.core.drives import KINDS, REFUSALS, SECOND_NS, small_ssd, used_drive, write

HEAD_BYTES = 32  # crates/drive/src/snapshot/envelope.rs


@pytest.mark.parametrize("kind", KINDS)
def test_a_drive_comes_back_as_it_was_and_lives_on_alike(kind: str) -> None:
    drive = used_drive(kind)
    snapshot = drive.snapshot()
    again = _core.Drive.restore(snapshot, 1)
    assert again.snapshot() == snapshot
    for one in (drive, again):
        write(one, 1 << 20)
    assert again.counters() == drive.counters()


def test_bytes_that_were_changed_cut_or_lengthened_are_refused_in_words() -> None:
    snapshot = used_drive("ssd").snapshot()
    for damaged in (b"", b"something", snapshot[:20], snapshot[:-1], snapshot + b"x"):
        with pytest.raises(_core.SnapshotRefused, match="snapshot"):
            _core.Drive.restore(damaged, 1)
    chance = random.Random(1)
    places = {
        *range(HEAD_BYTES + 64),
        *range(len(snapshot) - 64, len(snapshot)),
        *chance.sample(range(len(snapshot)), 1000),
    }
    for place in places:
        changed = bytearray(snapshot)
        changed[place] ^= 1 << chance.randrange(8)
        with pytest.raises(_core.SnapshotRefused, match="snapshot"):
            _core.Drive.restore(bytes(changed), 1)
    for length in chance.sample(range(len(snapshot)), 100):
        with pytest.raises(_core.SnapshotRefused, match="snapshot"):
            _core.Drive.restore(snapshot[:length], 1)


def test_two_snapshots_one_behind_the_other_and_halves_of_two_are_refused() -> None:
    one, other = used_drive("ssd").snapshot(), used_drive("disk").snapshot()
    for joined in (one + one, one + other, one[: len(one) // 2] + other[len(other) // 2 :], other[:100] + one[100:]):
        with pytest.raises(_core.SnapshotRefused, match="snapshot"):
            _core.Drive.restore(joined, 1)


def test_a_snapshot_that_says_another_length_is_refused() -> None:
    snapshot = used_drive("ssd").snapshot()
    state = len(snapshot) - HEAD_BYTES
    for length in (0, state - 1, state + 1, 2**63, 2**64 - 1):
        with pytest.raises(_core.SnapshotRefused, match=f"says that {length} bytes follow, and {state} do"):
            _core.Drive.restore(snapshot[:20] + struct.pack("<Q", length) + snapshot[28:], 1)


def test_a_snapshot_of_the_format_before_says_which_version_reads_it() -> None:
    format_6 = b"flashscope drive" + struct.pack("<I", 6) + used_drive("ssd").snapshot()[HEAD_BYTES:]
    with pytest.raises(
        _core.SnapshotRefused, match=r"has format 6; this version reads format 7; .*version that wrote it"
    ):
        _core.Drive.restore(format_6, 1)


def test_a_snapshot_is_not_taken_while_a_run_has_requests_in_the_drive() -> None:
    drive = used_drive("ssd")
    run = drive.start(to_json([Job("w", "write", io_bytes=1 << 20, queue_depth=8)]), SECOND_NS)
    assert not run.advance(drive, 10)
    with pytest.raises(ValueError, match="a run is under way"):
        drive.snapshot()
    run.stop(drive)
    assert _core.Drive.restore(drive.snapshot(), 1).now_ns == drive.now_ns


def test_a_life_that_was_kept_is_checked_as_a_drive_is() -> None:
    load = (
        '{"pattern": "random", "sequential_block_bytes": 131072, "random_block_bytes": 4096, "queue_depth": 8,'
        ' "static_ratio": 0.0}'
    )
    drive = used_drive("ssd")
    life = _core.Wear(drive, load, 1, True)
    life.advance(drive, 16 << 20, -1.0, 100)
    kept = life.snapshot()
    _core.Wear.restore(kept).advance(drive, 16 << 20, -1.0, 100)
    for damaged in (b"", kept[:-1], kept.replace(b"0", b"9"), b'{"writes": 1}'):
        with pytest.raises(_core.SnapshotRefused, match="snapshot"):
            _core.Wear.restore(damaged)
    larger = small_ssd()
    larger["capacity"]["user_bytes"] += 1 << 20
    with pytest.raises(_core.ConfigRefused, match="the one that this began on"):
        _core.Wear.restore(kept).advance(_core.Drive(json.dumps(larger), 1), 16 << 20, -1.0, 100)


def mutated(snapshot: bytes, chance: random.Random) -> bytes:
    """A snapshot whose state was changed in a few places, with the length and checksum that belong to it."""
    state = bytearray(snapshot[HEAD_BYTES:])
    for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
        at = chance.randrange(len(state))
        match chance.randrange(5):
            case 0:
                state[at] ^= 1 << chance.randrange(8)
            case 1:
                state[at] = chance.choice((0, 1, 127, 128, 255))
            case 2:
                state[at : at + 10] = b"\xff" * 9 + b"\x01"
            case 3 if len(state) > 20:
                del state[at : at + chance.randrange(1, 9)]
            case _:
                state[at:at] = chance.randbytes(chance.randrange(1, 9))
    head = snapshot[:20] + struct.pack("<QI", len(state), zlib.crc32(state))
    return head + bytes(state)


def live_on(drive: _core.Drive) -> None:
    """Everything that can be done to a drive, once."""
    run = drive.start(to_json([Job("w", "randrw", io_bytes=1 << 18)]), SECOND_NS)
    for _ in range(20):
        if run.advance(drive, 100):
            break
    run.stop(drive)
    for verb in (
        lambda: drive.idle(10 * SECOND_NS),
        drive.smart_attributes,
        drive.counters,
        lambda: drive.trim(0, 4096),
        drive.power_cut,
        lambda: drive.power_off(SECOND_NS, 30.0),
        drive.inside,
        drive.worn,
        drive.nvme_health,
        drive.member_counters,
        drive.secure_erase,
        lambda: drive.age(0.5, "random", 100, 0.1),
        drive.snapshot,
        drive.check,
    ):
        with contextlib.suppress(*REFUSALS):
            verb()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [40, pytest.param(400, marks=pytest.mark.long)])
def test_a_snapshot_that_lies_and_has_the_right_checksum_ends_in_words_or_in_a_drive(kind: str, count: int) -> None:
    snapshot = used_drive(kind).snapshot()
    for number in range(count):
        try:
            live_on(_core.Drive.restore(mutated(snapshot, random.Random(f"{kind} {number}")), 1))
        except REFUSALS:
            pass
        except BaseException as fault:  # a panic
            pytest.fail(f"mutation {number} of a {kind}: {type(fault).__name__}: {fault}")
