"""`make` and the commands after it use one store."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from flashscope.store.store import Store, default_store_path

ROOT = Path(__file__).parents[2]


def recipe(target: str, *more: str) -> str:
    if shutil.which("make") is None:
        pytest.skip("make is not installed")
    done = subprocess.run(["make", "-n", target, *more], cwd=ROOT, capture_output=True, text=True, check=True)
    return next(line for line in done.stdout.splitlines() if "flashscope examine" in line)


@pytest.mark.parametrize("target", ["examine", "experiment"])
def test_make_keeps_records_where_every_command_in_its_folder_looks_for_them(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--store reports/records.sqlite" in recipe(target, "EXPERIMENT=stutter")
    monkeypatch.chdir(tmp_path)
    assert tmp_path not in default_store_path().parents
    Store(Path("reports/records.sqlite")).close()
    assert default_store_path() == tmp_path / "reports" / "records.sqlite"


def test_make_takes_another_store_when_it_is_named() -> None:
    assert "--store other.sqlite" in recipe("examine", "STORE=other.sqlite")
