"""The list of mechanisms is true: every setting is a key of a part, every page and every test exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from flashscope.drives.parts.schema import BY_NAME, OPTIONAL_SECTIONS
from tests.known import known

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "mechanisms.md"
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and "held by" not in line
]
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder, pattern in (("crates", "**/*.rs"), ("tests", "**/*.py"))
    for path in (ROOT / folder).glob(pattern)
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_mechanism_has_its_setting_its_page_and_its_test(row: list[str]) -> None:
    _, setting, page, test = row
    if setting:
        assert setting.strip("`") in BY_NAME
    linked = known(re.fullmatch(r"\[.*\]\((.*)\)", page))
    assert (PAGE.parent / linked[1]).is_file()
    assert re.search(rf"(fn|def) {re.escape(test.strip('`'))}\b", SOURCES), f"there is no test {test}"


def test_no_mechanism_of_the_part_schema_is_left_out() -> None:
    listed = {row[1].strip("`").split(".")[0] for row in ROWS if row[1]}
    assert set(OPTIONAL_SECTIONS) <= listed, "a section of a part that the page does not name"
