"""`flashscope smart archive` as a user sees it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from flashscope.cli.smart.archive import archive
from tests.smart.archives.made_archive import row, write_day


def fleet(folder: Path, days: int = 40, drives: int = 300) -> None:
    """Each day one of the drives fails, and leaves."""
    for index in range(days):
        rows = [
            row(index, f"S{one}", failure=int(one == index), r9=24 * (index + one), n9=100)
            for one in range(index, drives)
        ]
        write_day(folder, index, rows)


def test_an_archive_is_read_kept_and_told_again(tmp_path: Path) -> None:
    fleet(tmp_path / "days")
    database = str(tmp_path / "kept.duckdb")
    told = CliRunner().invoke(archive, [str(tmp_path / "days"), "--keep", database, "--verbose"])
    assert told.exit_code == 0, told.output
    assert "300 drives of 1 model" in told.stdout
    assert "failures in a year" in told.stdout
    assert "days a second" in told.stderr
    again = CliRunner().invoke(archive, ["--keep", database, "--json"])
    model = json.loads(again.stdout)["models"][0]
    assert (model["failure_count"], model["drive_days"], model["age_is"]) == (40, 11220, "power-on time")
    assert model["failures_per_year"]["low"] < 40 / (11220 / 365.25) < model["failures_per_year"]["high"]


def test_wrong_use_and_nothing_read_have_their_exit_codes(tmp_path: Path) -> None:
    (tmp_path / "words.csv").write_text("words\nmore\n")
    assert CliRunner().invoke(archive, [str(tmp_path)]).exit_code == 1
    assert CliRunner().invoke(archive, [str(tmp_path), "--memory", "1MiB"]).exit_code != 0
    assert CliRunner().invoke(archive, []).exit_code != 0
    assert CliRunner().invoke(archive, [str(tmp_path / "missing")]).exit_code != 0


def test_one_dump_is_shown_without_duckdb(tmp_path: Path) -> None:
    (tmp_path / "dump.txt").write_text("")
    code = (
        "import sys\nfrom flashscope.cli.main import main\n"
        f"sys.argv = ['flashscope', 'smart', {str(tmp_path / 'dump.txt')!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('duckdb' in sys.modules, 'flashscope.smart.archives' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"
