"""A disk as made in 2009, from sector 63: judged, planned, mended under a kill, mounted again; and what it gained."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.store.store import Store

from ..partitions.made import PATH
from .killed import align, killed
from .real_disks import build, see_files, see_moved, why_not


def call(*arguments: str | Path) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def mark_at(path: Path, sector: int) -> str:
    """The file system that blkid finds in an image from a sector on; "" for none."""
    asked = ["blkid", "--probe", "--offset", str(sector * 512), "--match-tag", "TYPE", "--output", "value", str(path)]
    return subprocess.run(asked, env={"PATH": PATH}, capture_output=True, text=True, check=False).stdout.strip()


@pytest.mark.skipif(bool(why_not()), reason=why_not() or "everything is here")
def test_it_is_judged_planned_mended_under_a_kill_and_mounted(tmp_path: Path) -> None:
    disk = build("2009", tmp_path)
    judged = json.loads(call("align", disk.path, "--json"))["disks"][0]
    assert judged["misaligned"] is True
    plan = json.loads(call("align", disk.path, "--plan", "--json"))
    assert [(move["partition"], move["to_bytes"]) for move in plan["moves"]] == [(2, 9 << 20), (1, 1 << 20)]
    assert plan["moved_bytes"] == 16 << 20
    path = disk.copy(tmp_path / "mended.img")
    assert killed(path, ["--apply"], after=35, delay_s=0.002)
    assert "moved, every byte read back" in align(path, "--resume")
    see_moved(disk, path)
    see_files(disk, path)
    judged = json.loads(call("align", path, "--json"))["disks"][0]
    assert judged["misaligned"] is False
    for each in disk.held:
        assert mark_at(disk.path, each.start) == each.kind
        assert mark_at(path, each.start) == "", "the old place is not taken for a file system any more"


@pytest.mark.long
def test_the_comparison_says_what_it_gained(tmp_path: Path) -> None:
    """The drive of that time, seen through the partition as it was and as it is."""
    store = tmp_path / "records.sqlite"
    for address in ("sim:vertex-30@offset=63s", "sim:vertex-30@offset=2048s"):
        call("run", address, "--experiment", "misalignment", "--quick", "-q", "--store", store)
    with Store(store, create=False) as opened:
        ids = [each.id for each in opened.list()]
    assert "moving the partition from sector 63 to sector 2048" in call("compare", *ids, "--store", store)
    page = tmp_path / "gain.html"
    call("compare", *ids, "--store", store, "--output", page)
    assert "4 KiB writes that touch two units of 16 KiB: 25 %, then none" in page.read_text().replace("\u00a0", " ")
    assert "by the law 25 % faster" in page.read_text().replace("\u00a0", " ")
    gains = json.loads(call("compare", *ids, "--store", store, "--json"))["partition_gain"]
    small = next(gain for gain in gains if gain["request_bytes"] == 4096)
    assert small["ratio"]["value"] == pytest.approx(small["law_ratio"], rel=0.02)
    assert small["ratio"]["value"] > 1.2
