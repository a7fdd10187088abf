"""Two runs of `misalignment`, before and after a partition was moved, are compared in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.store.store import Store


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


def test_the_page_has_the_gain_as_title_chart_and_sentence(compared: list[str | Path], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    call(*compared, "--output", page)
    text = page.read_text()
    title = text.split("<h1>")[1].split("</h1>")[0]
    assert title.startswith("Random 4 KiB writes are 2")
    assert title.endswith(" % faster")
    assert "What it gained" in text
    assert "first: " in text
    assert text.count("<svg") == 4, "the gain and where it began, each wide and narrow"
    assert "4 KiB writes that touch two units of 16 KiB: 25 %, then none" in text.replace("\u00a0", " ")
    page.write_text("mine")
    refused = CliRunner().invoke(main, [str(each) for each in (*compared, "--output", page)])
    assert refused.exit_code == 2, "a file of somebody else is not replaced"
    assert page.read_text() == "mine"


def test_other_experiments_have_no_such_gain(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    for _ in range(2):
        call("run", "sim:ramdisk", "--experiment", "small-write-latency", "--quick", "-q", "--store", path)
    with Store(path, create=False) as store:
        ids = [each.id for each in store.list()]
    assert "moving the partition" not in call("compare", *ids, "--store", path)
