"""docs/reference/tests.md has a row for each folder of tests/, and for nothing else."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| `tests/(\w+)/` \| (.+) \| ([\d.]+|not measured) \|$", re.MULTILINE)


def test_every_folder_of_tests_has_its_row_and_every_row_its_folder() -> None:
    rows = [match.group(1) for match in ROW.finditer((ROOT / "docs" / "reference" / "tests.md").read_text())]
    folders = sorted(path.name for path in (ROOT / "tests").iterdir() if (path / "__init__.py").exists())
    assert rows == folders, "one row for each, in the order of their names"


def test_every_row_says_which_promise_its_folder_guards() -> None:
    for match in ROW.finditer((ROOT / "docs" / "reference" / "tests.md").read_text()):
        assert len(match.group(2).split()) >= 5, match.group(1)
