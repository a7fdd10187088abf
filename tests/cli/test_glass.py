"""`--glass` as a person types it: on a virtual drive it fills the report, on a real one it is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("flashscope._core", reason="the Rust core is not built")

from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.store.store import Store

JOB = "[fill]\nrw=write\nbs=1m\nsize=2g\niodepth=4\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "fill.fio").write_text(JOB)
    return tmp_path


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_a_run_with_glass_is_kept_and_reported(here: Path) -> None:
    done = call("run", "sim:onyx-32", "fill.fio", "--glass", "--quiet", "--store", "s.sqlite")
    assert done.exit_code == 0, done.output
    with Store(here / "s.sqlite") as store:
        glass = store.load("last").step("fill").glass
    assert glass is not None
    assert glass.series["host_written_bytes"].sum() == 2 * 2**30
    assert call("report", "last", "--store", "s.sqlite", "--output", "r.html").exit_code == 0
    assert 'id="glass"' in (here / "r.html").read_text(encoding="utf-8")


def test_without_it_nothing_of_the_inside_is_kept(here: Path) -> None:
    assert call("run", "sim:onyx-32", "fill.fio", "--quiet", "--store", "s.sqlite").exit_code == 0
    with Store(here / "s.sqlite") as store:
        assert store.load("last").step("fill").glass is None


@pytest.mark.parametrize("command", [["run", "file:real.img", "fill.fio"], ["examine", "file:real.img"]])
def test_a_real_drive_cannot_be_looked_into_and_is_left_alone(here: Path, command: list[str]) -> None:
    (here / "real.img").write_bytes(bytes(2**20))
    before = (here / "real.img").stat().st_mtime_ns
    refused = call(*command, "--glass", "--write-ok")
    assert refused.exit_code == 2
    assert "only its answers and its SMART can be seen" in refused.output
    assert "sim:onyx-32" in refused.output
    assert (here / "real.img").stat().st_mtime_ns == before
