"""`flashscope align` as a user sees it: what it prints, its exit codes, and that it writes nothing."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import refusals
from flashscope.reproduce.partition_start import written_a_second
from tests.known import known
from tests.partitions.by_hand import disk, gpt, record

SECTORS = 40_000


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture
def of_2009(tmp_path: Path) -> Path:
    """An MBR disk whose two partitions begin as partition programs of 2009 let them."""
    path = tmp_path / "disk.img"
    path.write_bytes(disk(SECTORS, (0, record([(63, 16002, 7), (16065, 20000, 0x83)]))))
    return path


@pytest.fixture
def aligned(tmp_path: Path) -> Path:
    path = tmp_path / "aligned.img"
    path.write_bytes(gpt(SECTORS, [(2048, 20000)]))
    return path


def judged(*arguments: str | Path) -> dict[str, Any]:
    done = run("align", "--json", *arguments)
    assert done.exit_code == 0, done.output
    first: dict[str, Any] = json.loads(done.stdout)["disks"][0]
    return first


def losses(document: dict[str, Any], partition: int) -> dict[tuple[str, int], tuple[float, float | None]]:
    return {
        (each["writing"], each["unit_bytes"]): (each["low_ratio"], each["high_ratio"])
        for each in document["losses"]
        if each["partition"] == partition
    }


def test_a_disk_of_2009_is_shown_with_its_starts_its_loss_and_what_to_do(of_2009: Path, tmp_path: Path) -> None:
    before = hashlib.sha256(of_2009.read_bytes()).digest()
    done = run("align", of_2009, "--unit", "16KiB", "--store", tmp_path / "none.sqlite")
    assert done.exit_code == 0, "misaligned is an answer, not a failure"
    rows = {line.split()[1]: line for line in done.stdout.splitlines() if line.strip().startswith("sector ")}
    assert "partition 1: NTFS or exFAT" in rows["63"]
    assert rows["63"].split("512 B")[1].split() == ["yes", "+3.5", "KiB", "+15.5", "KiB", "+31.5", "KiB"]
    assert "20 %" in done.stdout, "4/5 of the rate of 4 KiB writes is left at a unit of 16 KiB"
    assert "Move partitions 1, 2 to a start at a multiple of 1 MiB" in done.stdout
    assert "^ 15.5 KiB past one" in done.stdout
    assert hashlib.sha256(of_2009.read_bytes()).digest() == before
    assert not (tmp_path / "none.sqlite").exists(), "looking for the unit makes no store"


def test_json_has_every_start_and_loss(of_2009: Path) -> None:
    document = judged(of_2009, "--unit", "16KiB")
    assert document["misaligned"]
    assert document["mapping_unit"]["origin"] == "stated"
    first, second = document["starts"]
    assert (first["start_bytes"], first["aligned_to_bytes"], first["misaligned"]) == (32256, 512, True)
    assert first["past_bytes"] == {"512": 0, "4096": 3584, "16384": 15872, "1048576": 32256}
    assert second["start_bytes"] == 16065 * 512
    assert losses(document, 1)["4k", 16384] == pytest.approx((0.2, 0.2))


def test_an_unknown_unit_is_shown_as_the_common_ones(of_2009: Path) -> None:
    document = judged(of_2009)
    assert document["mapping_unit"] == {
        "size_bytes": None,
        "origin": "unknown",
        "source": "",
        "calculated_with_bytes": [4096, 16384],
    }
    found = losses(document, 1)
    assert found["4k", 16384] == pytest.approx((0.2, 0.2))
    low, high = found["4k", 4096]
    assert (low, high) == pytest.approx((0.5, 0.75)), "aligned writes read nothing: half at least"


def test_one_kind_of_writing_can_be_asked_for(of_2009: Path) -> None:
    document = judged(of_2009, "--unit", "16KiB", "--writing", "64k")
    assert {each["writing"] for each in document["losses"]} == {"64k"}
    words = run("align", of_2009, "--unit", "16KiB", "--writing", "sequential").stdout
    assert "nothing, or at least" in words, "a buffer may join neighbours"


def test_an_aligned_disk_needs_nothing(aligned: Path) -> None:
    document = judged(aligned)
    assert not document["misaligned"]
    assert document["advice"] == ["Nothing: every start lies on a boundary of 1 MiB, which suits every drive."]


def test_a_virtual_drive_is_judged_with_the_unit_of_its_part() -> None:
    document = judged("sim:vertex-30@offset=63s")
    assert (document["mapping_unit"]["size_bytes"], document["mapping_unit"]["origin"]) == (16384, "part")
    found = losses(document, 1)
    assert found["4k", 16384] == pytest.approx((0.2, 0.2))
    low, high = found["64k", 16384]
    assert 0.2 < low < 0.3, "its times are known"
    assert high is None, "several banks may lose more"
    assert not judged("sim:vertex-30@offset=1MiB")["misaligned"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no disk was named"),
        (("--all", "x.img"), "both given"),
        (("/nowhere/x.img",), "does not exist"),
        (("/tmp",), "is a directory, which has no partitions"),
        (("dir:/tmp",), "is a directory"),
        (("x.img", "--unit", "16"), "give it a unit"),
        (("x.img", "--unit", "1000B"), "whole sectors"),
        (("x.img", "--sector", "8KiB"), "whole sectors"),
    ],
)
def test_wrong_use_is_told(arguments: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = run("align", *arguments)
    assert done.exit_code == 2
    assert words in done.output
    assert "Traceback" not in done.output


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_to_do_without_permission_is_told(of_2009: Path) -> None:
    of_2009.chmod(0)
    done = run("align", of_2009)
    assert done.exit_code == 2
    assert "sudo flashscope align" in done.output


def test_a_plan_says_the_alignment_in_one_line(tmp_path: Path) -> None:
    words = ("plan", "--only", "command-gathering", "--store", tmp_path / "s.sqlite")
    shifted = run(*words, "sim:vertex-30@offset=63s").stdout
    said = (
        "alignment: partition 1 begins 15.5 KiB past a boundary of 16 KiB, which costs 20 % of the rate of 4 KiB writes"
    )
    assert said in shifted
    assert "alignment" not in run(*words, "sim:vertex-30").stdout
    assert "alignment: all 1 starts lie on boundaries" in run(*words, "sim:vertex-30@offset=1MiB").stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="takes a loop device, and so root")
def test_the_refusal_of_a_device_with_partitions_says_how_they_lie(of_2009: Path) -> None:
    made = subprocess.run(["losetup", "--find", "--show", of_2009], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no loop device can be had here: {made.stderr.strip()}")
    device = made.stdout.strip()
    try:
        found = refusals(parse_address(device), destructive=True, consent=Consent(serial=str(of_2009)))
        table = next(each for each in found if each.rule == "partition-table")
        assert "alignment: 2 of 2 starts are off boundaries of 4 KiB" in table.found
        assert judged(device)["starts"][0]["start_bytes"] == 32256
        assert f"{device}: " in run("align", "--all").stdout
    finally:
        subprocess.run(["losetup", "--detach", device], check=True)


@pytest.mark.parametrize("name", ["a@b.img", "disk@offset=63s", "what?.img", "sim:disk.img"])
def test_an_image_is_known_whatever_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(gpt(SECTORS, [(2048, 20000)]))
    for arguments in ([path], [path, "--plan"]):
        result = run("align", *arguments)
        assert result.exit_code == 0, result.output
    assert "partition 1" in run("align", path).output


def test_an_image_in_the_memory_of_the_system_is_no_device() -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or not os.access(memory, os.W_OK):
        pytest.skip("this system has no /dev/shm that may be written")
    path = memory / f"flashscope-align-{os.getpid()}.img"
    try:
        path.write_bytes(gpt(SECTORS, [(63, 20000)]))
        assert "+3.5 KiB" in run("align", path).output
        assert "would be moved" in run("align", path, "--plan").output
    finally:
        path.unlink(missing_ok=True)


def test_a_directory_is_no_disk(tmp_path: Path) -> None:
    for verb in ([], ["--plan"]):
        result = run("align", tmp_path, *verb)
        assert result.exit_code == 2
        assert "is a directory" in result.output


def test_what_is_unknown_is_not_called_empty(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"neither a table nor a file system\n" * 100)
    assert "No partition table, file system or container that flashscope knows" in " ".join(
        run("align", path).output.split()
    )


def test_a_part_that_is_mapped_by_blocks_gets_the_law_of_blocks() -> None:
    words = run("align", "sim:mobi3000@offset=63s").output
    losses = json.loads(run("align", "sim:mobi3000@offset=63s", "--json").output)["disks"][0]["losses"]
    small = next(each for each in losses if each["writing"] == "4k")
    assert small["low_ratio"] < 0.09 < small["high_ratio"], "random writes to it lose 0.09 of their rate"
    assert "mapped by blocks" in words
    assert "not known" in words
    assert "mapped by blocks" not in run("align", "sim:vertex-30@offset=63s").output


@pytest.mark.long
def test_what_a_drive_that_is_mapped_by_blocks_loses_lies_in_the_range_that_is_stated() -> None:
    """It sorts its buffer, so that its merges follow the units, and each takes a little longer besides."""
    low, high = losses(judged("sim:sm128ni-128@offset=63s"), 1)["4k", 8192]
    aligned, moved = (written_a_second(f"sim:sm128ni-128{at}", 4096, 60_000) for at in ("", "@offset=63s"))
    lost = 1 - moved / aligned
    assert low < lost < known(high)
    assert lost > 1 / 3, "without the 2 % it would lie outside"


def test_a_page_draws_the_disk_and_its_starts_against_the_boundaries(of_2009: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    done = run("align", of_2009, "--unit", "16KiB", "--output", page)
    assert done.exit_code == 0, done.output
    text = page.read_text().replace("\u00a0", " ")
    assert "2 of 2 partitions miss a boundary" in text
    assert "Partition 1 begins 15.5 KiB past a boundary" in text
    assert text.count("<svg") == 4, "the disk and its starts, each wide and narrow"
    assert "random 4 KiB writes" in text, "the words stand below"
    assert run("align", of_2009, "-o", page).exit_code == 0, "its own page is replaced"


def test_a_page_replaces_neither_the_disk_nor_the_file_of_another_program(of_2009: Path, tmp_path: Path) -> None:
    before, other = of_2009.read_bytes(), tmp_path / "mine.html"
    other.write_text("mine")
    for place in (of_2009, other):
        assert run("align", of_2009, "--output", place).exit_code == 2
    assert of_2009.read_bytes() == before
    assert other.read_text() == "mine"
    refused = run("align", of_2009, "--plan", "--output", tmp_path / "page.html")
    assert refused.exit_code == 2
    assert "--plan writes no page" in refused.output
