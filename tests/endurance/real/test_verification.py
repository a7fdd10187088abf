"""Faults planted on a drive under a run: each is named rightly, at its place, and ends the run."""

import os
from pathlib import Path

import numpy as np
import pytest

from flashscope.endurance.real.block_stamp import Stamper
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.verification import Verifier
from flashscope.records import Status

from .worn import MIB, PLAIN, Worn

BLOCK = 4096


@pytest.fixture
def worn(tmp_path: Path) -> Worn:
    worn = Worn(tmp_path)
    assert worn.begin().status is Status.DONE
    return worn


def plant(worn: Worn, place: int, data: bytes) -> None:
    with worn.path.open("r+b") as drive:
        drive.seek(place)
        drive.write(data)
        os.fsync(drive.fileno())


def taken(worn: Worn, place: int) -> bytes:
    with worn.path.open("rb") as drive:
        drive.seek(place)
        return drive.read(BLOCK)


def test_planted_faults_are_each_named_rightly(worn: Worn) -> None:
    ledger = worn.ledger()
    layout = Layout(**ledger.begin["layout"])
    stamper = Stamper(bytes.fromhex(ledger.begin["drive_id"]), BLOCK)
    at = [layout.offset_bytes(block) for block in range(0, 400, 40)]
    generation = int(ledger.generations.known(slice(0, 1))[0])
    assert generation >= 2
    first, second = taken(worn, at[0]), taken(worn, at[1])
    plant(worn, at[0], second)
    plant(worn, at[1], first)
    plant(worn, at[2], stamper.block(at[2], int(ledger.generations.known(slice(80, 81))[0]) - 1))
    ledger.generations.set(np.array([120]), np.array([5]))
    plant(worn, at[3], stamper.block(at[3], 2))
    flipped = bytearray(taken(worn, at[4]))
    flipped[1000] ^= 0b101
    plant(worn, at[4], bytes(flipped))
    plant(worn, at[5], Stamper(bytes(16), BLOCK).block(at[5], generation))
    plant(worn, at[6], bytes(BLOCK))
    plant(worn, at[7], stamper.block(at[7], 40))
    found = worn.verifier(ledger).everything()
    ledger.close()
    assert {one["address_bytes"]: one["kind"] for one in found.examples} == {
        at[0]: "misdirected",
        at[1]: "misdirected",
        at[2]: "lost",
        at[3]: "stale",
        at[4]: "corrupted",
        at[5]: "foreign",
        at[6]: "unwritten",
        at[7]: "newer",
    }
    assert next(one for one in found.examples if one["kind"] == "corrupted")["wrong_bits"] == 2
    assert found.counts["good"] == layout.blocks - 8


class Moody:
    """A drive that answers some blocks wrongly, or not at all."""

    def __init__(self, below: Worn, wrong: dict[int, list[bytes | None]]) -> None:
        self._below, self._wrong = below, wrong

    def read_into(self, buffer: memoryview, offset: int) -> None:
        with self._below.path.open("rb") as drive:
            drive.seek(offset)
            buffer[:] = drive.read(len(buffer))
        for place, answers in self._wrong.items():
            if offset <= place < offset + len(buffer):
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if answer is None:
                    raise OSError(5, "Input/output error")
                buffer[place - offset : place - offset + BLOCK] = answer


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([None], "unreadable"),
        ([b"\1" * BLOCK, b"\2" * BLOCK, b"\3" * BLOCK, b"\4" * BLOCK], "unstable"),
        ([b"\1" * BLOCK, b"\2" * BLOCK, b"\2" * BLOCK, b"\1" * BLOCK], "unstable"),
        ([b"\1" * BLOCK], "corrupted"),
    ],
)
def test_a_drive_that_says_different_things_is_recorded_as_such(
    worn: Worn, answers: list[bytes | None], kind: str
) -> None:
    ledger = worn.ledger()
    layout = Layout(**ledger.begin["layout"])
    place = layout.offset_bytes(50)
    stamper = Stamper(bytes.fromhex(ledger.begin["drive_id"]), BLOCK)
    found = Verifier(Moody(worn, {place: answers}), stamper, layout, ledger.generations).everything()
    ledger.close()
    assert found.wrong_blocks == 1
    assert found.examples[0]["kind"] == kind
    assert found.examples[0]["address_bytes"] == place
    assert len(found.examples[0]["seen"]) == 3


def test_a_read_that_is_good_the_second_time_is_unstable_too(worn: Worn) -> None:
    ledger = worn.ledger()
    layout = Layout(**ledger.begin["layout"])
    place = layout.offset_bytes(50)
    good = taken(worn, place)
    stamper = Stamper(bytes.fromhex(ledger.begin["drive_id"]), BLOCK)
    moody = Moody(worn, {place: [bytes(BLOCK), good]})
    found = Verifier(moody, stamper, layout, ledger.generations).everything()
    ledger.close()
    assert found.counts["unstable"] == 1


def test_a_fault_that_appears_during_a_run_ends_it_as_lost_data(tmp_path: Path) -> None:
    worn = Worn(tmp_path, size_bytes=12 * MIB)

    def spoil(batches: int, written_bytes: int) -> None:
        if written_bytes > 16 * MIB:
            plant(worn, 11 * MIB - 2 * BLOCK, bytes(BLOCK))

    record = worn.begin(PLAIN.__class__(**(PLAIN.to_json() | {"workloads": ("sequential",), "static_ratio": 0.5})),
                        on_acknowledged=spoil)  # fmt: skip
    assert record.status is Status.DONE, "a drive's failure is a result"
    findings = {finding.key: finding for finding in record.findings}
    assert findings["data_integrity"].value == 1
    assert "unwritten" in findings["data_integrity"].statement
    assert findings["host_bytes_to_failure"].details["end"] == "data-lost"
    assert record.steps[-1].parameters["checkpoint"]["host_written_bytes"] < PLAIN.budget_bytes
