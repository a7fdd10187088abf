"""The check of a drive's capacity on files and a loop device, past the host's caches; fakes by a file that lies.

A fake block device could be made by device-mapper (`linear` over the same place twice, `zero`); the kernels that run
these tests mostly have none, so the lies are told where the descriptor is written and read.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.contents.own_data import first_foreign
from flashscope.drives.held.direct_file import DirectFile
from flashscope.drives.open import open_drive, refusals
from flashscope.experiments.capacity import CapacityCheck
from flashscope.records import Finding, Record, Status
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.hands import real
from flashscope.runner.hands.places.medium import OTHER, ZEROS
from flashscope.runner.hands.places.sector_stamp import SectorStamps
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store

MIB = 1 << 20
SAID_BYTES = 64 * MIB
LYING_BYTES = 400 * MIB
"""Of the files that lie: large enough for a region and places that find wrapping for certain."""
pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="needs fio, as every run on a real drive does")


def lying(beyond: str, real_bytes: int) -> type[DirectFile]:
    """A file that keeps its first real_bytes, and acknowledges everything."""

    class Lying(DirectFile):
        def write(self, buffer: memoryview, requests: list[tuple[int, int]]) -> None:
            ((offset, length),) = requests
            end, is_aligned = offset + length, real_bytes % 4096 == 0
            if end <= real_bytes:
                super().write(buffer, requests)
            elif beyond == "wraps" and is_aligned:
                super().write(buffer, [(offset % real_bytes, length)])

        def read_into(self, buffer: memoryview, offset: int) -> None:
            if offset + len(buffer) <= real_bytes:
                super().read_into(buffer, offset)
            elif beyond == "wraps":
                super().read_into(buffer, offset % real_bytes)
            else:
                buffer[:] = bytes(len(buffer)) if beyond == "zeros" else os.urandom(len(buffer))

    return Lying


def sparse(folder: Path, size_bytes: int = SAID_BYTES) -> Path:
    path = folder / "drive.img"
    path.touch()
    os.truncate(path, size_bytes)
    return path


def run(address: str, consent: Consent, folder: Path) -> Record:
    drive = open_drive(parse_address(address), destructive=True, consent=consent)
    try:
        with Store(folder / "s.sqlite") as store:
            asked = Asked(seed=1, command="test", effort=Effort(Extent.QUICK))
            record = run_experiment(CapacityCheck(), drive, asked, store=store, progress=Silent())
            return store.load(record.id)
    finally:
        drive.close()


def found(record: Record) -> dict[str, Finding]:
    return {finding.key: finding for finding in record.findings}


def test_a_file_holds_what_it_says_and_what_was_written_is_known_as_own_afterwards(tmp_path: Path) -> None:
    path = sparse(tmp_path)
    for _ in range(2):
        record = run(f"file:{path}", Consent(write_ok=True), tmp_path)
        assert record.status is Status.DONE
        assert found(record)["is_counterfeit"].value == "no"
    data = path.read_bytes()
    assert any(data), "something was written"
    assert first_foreign(data) is None
    assert path.stat().st_blocks * 512 < 0.025 * SAID_BYTES, "a hundredth in each of two runs"
    assert refusals(parse_address(f"file:{path}"), destructive=True, consent=Consent(write_ok=True)) == ()


def test_nothing_is_written_before_the_place_where_the_seen_drive_begins(tmp_path: Path) -> None:
    path = sparse(tmp_path)
    record = run(f"file:{path}@offset=10MiB", Consent(write_ok=True), tmp_path)
    assert found(record)["real_capacity_bytes"].value == SAID_BYTES - 10 * MIB
    with path.open("rb") as file:
        assert not any(file.read(10 * MIB))


@pytest.mark.parametrize("kind", ["wraps", "drops", "zeros"])
def test_a_file_that_lies_is_named_with_what_it_holds(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_bytes = 53 * MIB + 3 * 4096
    monkeypatch.setattr(real, "DirectFile", lying(kind, real_bytes))
    record = run(f"file:{sparse(tmp_path, LYING_BYTES)}", Consent(write_ok=True), tmp_path)
    said = found(record)
    assert (said["is_counterfeit"].value, said["counterfeit_kind"].value) == ("yes", kind)
    assert said["real_capacity_bytes"].value == real_bytes


def test_a_drive_that_does_not_answer_at_some_places_is_not_called_a_fake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Failing(DirectFile):
        def read_into(self, buffer: memoryview, offset: int) -> None:
            if offset // 4096 % 3 == 0:
                raise OSError(5, "Input/output error")
            super().read_into(buffer, offset)

    monkeypatch.setattr(real, "DirectFile", Failing)
    record = run(f"file:{sparse(tmp_path)}", Consent(write_ok=True), tmp_path)
    assert record.findings[0].value is None
    assert "It is failing" in record.findings[0].statement


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    if os.geteuid() != 0 or shutil.which("losetup") is None:
        pytest.skip("a loop device needs root and losetup")
    backing = sparse(tmp_path)
    made = subprocess.run(["losetup", "--find", "--show", str(backing)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no loop device can be had here: {made.stderr.strip()}")
    yield made.stdout.strip(), backing
    subprocess.run(["losetup", "--detach", made.stdout.strip()], check=True)


def test_a_loop_device_holds_what_it_says(loop: tuple[str, Path], tmp_path: Path) -> None:
    device, backing = loop
    record = run(device, Consent(serial=str(backing)), tmp_path)
    assert found(record)["is_counterfeit"].value == "no"
    assert found(record)["real_capacity_bytes"].value == SAID_BYTES


def test_a_sector_is_known_wherever_it_comes_back_and_not_when_a_bit_of_it_changed() -> None:
    stamps, others = SectorStamps(7), SectorStamps(8)
    addresses = np.array([0, 512, 8 << 40], dtype=np.int64)
    data = stamps.data(addresses).tobytes()
    assert stamps.addresses(data) == [0, 512, 8 << 40]
    assert first_foreign(data) is None
    assert others.addresses(data) == [OTHER] * 3
    for at in (0, 9, 100, 511):
        changed = bytearray(data)
        changed[at] ^= 1
        assert stamps.addresses(bytes(changed)) == [OTHER, 512, 8 << 40]
    assert stamps.addresses(bytes(512)) == [ZEROS]
    assert len({data[at : at + 400] for at in (16, 528, 1040)}) == 3, "no two sectors are alike"
