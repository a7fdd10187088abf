"""`flashscope endure --set-aside RUN`."""

import json
from pathlib import Path

from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.endurance.real.runs import find_runs
from tests.endurance.real.test_runs import folder_of, paused

FLAGS = ["endure", "--set-aside"]


def run(*arguments: object) -> tuple[int, str]:
    result = CliRunner().invoke(main, [str(one) for one in arguments])
    return result.exit_code, result.output


def test_a_run_is_set_aside_and_what_was_there_is_said(tmp_path: Path) -> None:
    worn = paused(tmp_path / "one", tmp_path / "records.sqlite")
    folder = folder_of(worn)
    code, said = run(*FLAGS, folder.name, "--store", worn.store_path)
    assert code == 0
    assert said.splitlines()[0] == f"{folder.name} is set aside, and nothing was removed:"
    assert f"drive: file:{worn.path}" in said
    assert "journal: whole" in said
    assert f"now at {folder}.set-aside" in said
    assert find_runs(worn.store_path).known == ()
    (Path(f"{folder}.set-aside")).rename(folder)
    code, said = run(*FLAGS, folder.name, "--store", worn.store_path, "--json")
    assert (code, json.loads(said)["now"]) == (0, f"{folder}.set-aside")


def test_it_takes_no_drive_and_a_drive_is_asked_for_without_it(tmp_path: Path) -> None:
    code, said = run(*FLAGS, "x", "file:drive.img", "--budget", "1 GB", "--store", tmp_path / "r.sqlite")
    assert code == 2
    assert "--set-aside does not go with an address, --budget" in said
    code, said = run(*FLAGS, "x", "--store", tmp_path / "r.sqlite")
    assert code == 2
    assert "has no run 'x'" in said
    code, said = run("endure", "--resume")
    assert code == 2
    assert "Missing argument 'ADDRESS'" in said
