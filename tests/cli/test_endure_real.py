"""`flashscope endure` on a file and on a loop device: confirmed, killed, gone on with, finished, with its report."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import Result

from tests.commands import in_process
from tests.own_data import own_data

from ..drives.bench import Bench, run, why_no_loop_devices

MIB = 1 << 20
needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
WAIT_S = 180


def command(folder: Path, *arguments: str) -> list[str]:
    store = str(folder / "records.sqlite")
    return [sys.executable, "-m", "flashscope", arguments[0], *arguments[1:], "--store", store]


def flashscope(folder: Path, *arguments: str) -> Result:
    return in_process(folder, *arguments, "--store", folder / "records.sqlite")


def killed_once_journalled(folder: Path, more_bytes: int, *arguments: str) -> None:
    """Start, wait until the journal has grown by so much, and kill."""
    before = sum(path.stat().st_size for path in folder.rglob("journal"))
    process = subprocess.Popen(
        command(folder, *arguments), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    give_up_s = time.monotonic() + WAIT_S
    while sum(path.stat().st_size for path in folder.rglob("journal")) < before + more_bytes:
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < give_up_s
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()


@needs_fio
def test_a_run_on_a_loop_device_is_killed_and_resumed_and_finished_with_its_report(bench: Bench) -> None:
    folder = bench.directory
    image = bench.image(size_bytes=16 * MIB)
    device = bench.loop(image)
    asked: tuple[str, ...] = (
        "endure",
        device,
        "--serial",
        str(image),
        "--budget",
        "72MiB",
        "--confirm-total",
        "72MiB",
        "--quiet",
    )
    asked += ("--workload", "random,jesd219", "--static", "25", "--checkpoint-every", "20MiB", "--rated-written", "1GB")
    killed_once_journalled(folder, 4_000, *asked)
    again = flashscope(folder, *asked)
    assert again.exit_code == 2
    assert "is not over" in again.stderr
    resume = ("endure", device, "--serial", str(image), "--resume", "--quiet")
    killed_once_journalled(folder, 4_000, *resume)
    done = flashscope(folder, *resume, "--json")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    findings = {one["key"]: one for one in document["record"]["findings"]}
    assert findings["data_integrity"]["value"] == 0, findings["data_integrity"]
    assert findings["crash_recovery"]["value"] >= 1
    assert findings["performance_change"]["details"]["first"].keys() >= {"sequential_write", "random_read"}
    assert findings["days_to_rating"]["value"] > 0
    assert len(flashscope(folder, "list", "--json").stdout) > 0
    page = folder / "report.html"
    reported = flashscope(folder, "report", "last", "--output", str(page))
    assert reported.exit_code == 0, reported.stderr
    text = page.read_text()
    assert "blocks read back were as written" in text
    assert "<svg" in text


def test_a_file_is_worn_by_its_owners_word_and_the_total_is_told(tmp_path: Path) -> None:
    target = tmp_path / "drive.img"
    asked = ("endure", f"file:{target}", "--write-ok", "--size", "12MiB", "--budget", "16MiB", "--no-figures")
    unconfirmed = flashscope(tmp_path, *asked, "--rated-written", "1GB")
    assert unconfirmed.exit_code == 2
    assert "nobody confirmed" in unconfirmed.stderr
    assert "16777216 bytes" in unconfirmed.stderr
    assert "1.68 % of its rated life" in unconfirmed.stderr
    assert not target.exists()
    done = flashscope(tmp_path, *asked, "--confirm-total", "16777216 B", "--verify", "full")
    assert done.exit_code == 0, done.stderr
    assert "blocks read back were as written" in done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--budget", "0 TB"), "nothing to be written"),
        ((), "without --budget"),
        (("--budget", "20MiB", "--confirm-total", "30MiB"), "--confirm-total says"),
        (("--budget", "20MiB", "--yes", "--workload", "zigzag"), "--workload"),
        (("--resume",), "there is no store"),
        (("--resume", "--budget", "1TB"), "--resume does not go with --budget"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    tmp_path: Path, options: tuple[str, ...], words: str
) -> None:
    target = tmp_path / "drive.img"
    before = own_data(12 * MIB)  # not the guard, but what was asked is wrong
    target.write_bytes(before)
    said = flashscope(tmp_path, "endure", f"file:{target}", "--write-ok", *options)
    assert said.exit_code == 2, said.stderr
    assert words in said.stderr
    assert "Traceback" not in said.stderr
    assert target.read_bytes() == before


def test_the_guard_is_asked_before_anything_else(tmp_path: Path) -> None:
    target = tmp_path / "drive.img"
    target.write_bytes(bytes(12 * MIB))
    said = flashscope(tmp_path, "endure", f"file:{target}", "--budget", "20MiB", "--yes", "--no-figures")
    assert said.exit_code == 2
    assert "write-ok" in said.stderr
    reason = why_no_loop_devices()
    if reason or os.geteuid():
        pytest.skip(f"the block device is not tried: {reason}")
    device = run("losetup", "--find", "--show", target)
    try:
        options = ("--budget", "20MiB", "--no-figures")
        unnamed = flashscope(tmp_path, "endure", device, "--confirm-total", "20MiB", *options)
        assert unnamed.exit_code == 2
        assert "serial" in unnamed.stderr
        unconfirmed = flashscope(tmp_path, "endure", device, "--serial", str(target), "--yes", *options)
        assert unconfirmed.exit_code == 2
        assert "nobody confirmed" in unconfirmed.stderr
    finally:
        run("losetup", "--detach", device)
    assert target.read_bytes() == bytes(12 * MIB)
