"""Two runs of `misalignment`, before and after a partition was moved, are compared in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.records.store import Store


def call(*arguments: str | Path) -> str:
    done = CliRunner().invoke(main, [str(each) for each in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> list[str | Path]:
    """The command that compares the two runs."""
    path = tmp_path_factory.mktemp("gain") / "s.sqlite"
    for address in ("sim:vertex-30@offset=63s", "sim:vertex-30"):
        call("run", address, "--experiment", "misalignment", "--quick", "-q", "--store", path)
    with Store(path, create=False) as store:
        ids = [each.id for each in store.list()]
    return ["compare", *ids, "--store", path]


def test_the_gain_is_said_with_the_law(compared: list[str | Path]) -> None:
    said = call(*compared)
    assert "what moving the partition from sector 63 to sector 0 changed" in said
    line = next(line for line in said.splitlines() if line.strip().startswith("random 4 KiB writes"))
    assert "by the law 25 % faster" in line
    assert " % to " in line


def test_the_gain_is_within_two_per_cent_of_the_law(compared: list[str | Path]) -> None:
    gains = json.loads(call(*compared, "--json"))["partition_gain"]
    small = next(gain for gain in gains if gain["request_bytes"] == 4096)
    assert small["law_ratio"] == pytest.approx(1.25)
    assert small["ratio"]["value"] == pytest.approx(small["law_ratio"], rel=0.02)


def test_other_experiments_have_no_such_gain(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for _ in range(2):
        call("run", "sim:ramdisk", "--experiment", "small-write-latency", "--quick", "-q", "--store", path)
    with Store(path, create=False) as store:
        ids = [each.id for each in store.list()]
    assert "moving the partition" not in call("compare", *ids, "--store", path)
