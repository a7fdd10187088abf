"""Every way to a virtual drive refuses one that does not fit into memory: exit 2, both figures, nothing started."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.cli.program.memory_limit import check_memory
from flashscope.drives.system import free_memory
from flashscope.errors import WrongUse

WAYS = (
    ["plan", "sim:onyx-32"],
    ["run", "sim:onyx-32", "--experiment", "write-buffer"],
    ["run", "sim:onyx-32", "--experiment", "write-buffer", "--glass"],
    ["examine", "sim:onyx-32?aged=worn"],
    ["examine", "stripe:128KiB:sim:onyx-32*99", "--full"],
    ["endure", "sim:onyx-32"],
    ["endure", "sim:onyx-32", "--drives", "4"],
)


@pytest.fixture(autouse=True)
def _given_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(free_memory.VARIABLE, str(1 << 40))  # --memory sets it; the test gives it back
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: " ".join(way[:1] + way[2:]))
def test_a_drive_that_does_not_fit_is_refused_with_both_figures(way: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(main, [*way, "--memory", "100MiB", "--store", str(tmp_path / "s")])
    assert result.exit_code == 2, result.output
    assert "take up to" in result.output
    assert "--memory allows 100 MiB" in result.output
    assert "to do:" in result.output
    assert list(tmp_path.iterdir()) == [], "nothing was started"


def test_a_sweep_counts_its_workers(tmp_path: Path) -> None:
    sweep = ["sweep", "write-buffer", "--part", "onyx-32", "--seeds", "1..4", "--store", str(tmp_path / "s")]
    result = CliRunner().invoke(main, [*sweep, "--workers", "4", "--memory", "300MiB"])
    assert result.exit_code == 2, result.output
    assert "4 drives at once" in result.output
    assert "--workers" in result.output


def test_a_size_that_is_none_is_refused_as_every_option_is() -> None:
    result = CliRunner().invoke(main, ["plan", "sim:onyx-32", "--memory", "much"])
    assert result.exit_code == 2
    assert "--memory is 'much'" in result.output


def test_what_is_much_is_said_before_it_is_taken_and_what_is_little_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    check_memory(2, 16 << 20, said.append)
    assert said == []
    check_memory(2, 2 << 30, said.append)
    assert said == ["memory: up to 4.25 GiB, 2 drives at once; --memory allows 1 TiB"]
    monkeypatch.setenv(free_memory.VARIABLE, str(4 << 30))
    with pytest.raises(WrongUse, match=r"take up to 4\.25 GiB of memory, 2 drives at once, and --memory allows 4 GiB"):
        check_memory(2, 2 << 30, said.append)


def test_a_plan_says_what_its_drives_take() -> None:
    result = CliRunner().invoke(main, ["plan", "sim:onyx-32", "--only", "write-buffer"])
    assert result.exit_code == 0
    assert "memory for drives: up to 16.7 MiB" in result.output
