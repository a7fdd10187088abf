"""A whole run on a block device: a loop device over a file, loaded by fio, behind the guard."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import refusals
from tests.commands import in_process

MIB = 1 << 20
ready = os.geteuid() == 0 and all(shutil.which(name) for name in ("losetup", "fio", "mkfs.ext4"))
pytestmark = pytest.mark.skipif(not ready, reason="needs root, losetup, fio and mkfs.ext4")


@pytest.fixture
def loop(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    backing = tmp_path / "backing.img"
    backing.touch()
    os.truncate(backing, 64 * MIB)
    made = subprocess.run(["losetup", "--find", "--show", str(backing)], capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no loop device can be had here: {made.stderr.strip()}")
    device = made.stdout.strip()
    yield device, backing
    subprocess.run(["losetup", "--detach", device], check=True)


def examine(device: str, tmp_path: Path, *options: str) -> Result:
    command = ["examine", device, "--only", "sustained-sequential-write", "--store", tmp_path / "s.sqlite"]
    return in_process(tmp_path, *command, "--output", tmp_path / "report.html", "--json", *options)


def test_a_block_device_is_examined_when_it_was_named_and_not_before(loop: tuple[str, Path], tmp_path: Path) -> None:
    device, backing = loop
    refused = examine(device, tmp_path)
    assert refused.exit_code == 2
    assert "serial" in refused.stderr
    assert not any(backing.read_bytes()), "nothing was written"

    done = examine(device, tmp_path, "--serial", str(backing), "--yes")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["status"] == "done"
    assert {finding["key"] for finding in document["records"][0]["findings"]} >= {"rate_fall"}
    assert any(backing.read_bytes()), "fio has written it"
    again = refusals(parse_address(device), destructive=True, consent=Consent(serial=str(backing)))
    assert again == (), "what it wrote is its own"
    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_a_file_system_on_the_device_is_named_and_spared(loop: tuple[str, Path], tmp_path: Path) -> None:
    device, backing = loop
    subprocess.run(["mkfs.ext4", "-q", "-F", device], check=True)
    before = backing.read_bytes()
    refused = examine(device, tmp_path, "--serial", str(backing))
    assert refused.exit_code == 2
    assert "ext4" in refused.stderr
    assert "--allow file-system" in refused.stderr
    assert "--allow data" in refused.stderr
    assert backing.read_bytes() == before


@pytest.mark.parametrize("answer", ["", "n\n", "y\n"])
@pytest.mark.parametrize("options", [(), ("--json",), ("--quiet",)], ids=" ".join)
def test_without_a_terminal_nobody_has_agreed_whatever_is_piped_in(
    loop: tuple[str, Path], tmp_path: Path, answer: str, options: tuple[str, ...]
) -> None:
    device, backing = loop
    command = ["examine", device, "--serial", str(backing), "--only", "sustained-sequential-write", *options]
    refused = CliRunner().invoke(main, [*command, "--store", str(tmp_path / "s.sqlite")], input=answer)
    assert refused.exit_code == 2
    assert "accepted: --yes" in refused.stderr
    assert not any(backing.read_bytes())


def test_on_a_terminal_it_asks_and_a_no_is_a_no(loop: tuple[str, Path], tmp_path: Path) -> None:
    device, backing = loop
    terminal, side = os.openpty()
    command = [sys.executable, "-m", "flashscope", "examine", device, "--serial", str(backing), "--quick"]
    with subprocess.Popen(
        [*command, "--store", str(tmp_path / "s.sqlite")], stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as asked:
        os.write(terminal, b"n\n")
        _, said = asked.communicate(timeout=120)
    os.close(terminal)
    os.close(side)
    assert asked.returncode == 1
    assert b"Overwrite" in said
    assert b"nothing was written" in said
    assert not any(backing.read_bytes())
