"""What a whole examination ends with is true of the part; `test_front_page.py` has such lines from kept findings."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main

pytest.importorskip("flashscope._core", reason="the Rust core is not built")


@pytest.mark.long
@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("sim:onyx-32", ["a virtual solid-state drive of 32 GB", "units of 16 KiB", "4 flash units at once", "align"]),
        ("sim:ramdisk", ["a virtual drive of memory of 5.37 GB", "no fall"]),
        ("sim:counterfeit-64", ["This is a fake", "holds 8.01 GB", "return it"]),
    ],
)
def test_an_examination_ends_in_25_lines_that_are_true(address: str, words: list[str], tmp_path: Path) -> None:
    where = ["--store", str(tmp_path / "s.sqlite"), "--output", str(tmp_path / "r.html")]
    done = CliRunner().invoke(main, ["examine", address, "--quick", "--quiet", *where])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert len(lines) <= 25
    assert max(len(line) for line in lines if not line.startswith("Report: ")) <= 80  # a path is not folded
    said = done.stdout.replace("\n", " ")
    assert [word for word in words if word not in said] == []
    again = CliRunner().invoke(main, ["dossier", address, *where[:2]])
    assert again.stdout.splitlines()[:5] == lines[:5]
