"""Every law has its page, its figure and a test, and all of them hold."""

from pathlib import Path

import pytest

from flashscope.reproduce import catalogue
from flashscope.reproduce.case import Law
from flashscope.reproduce.run import run_laws

PAGES = Path(__file__).resolve().parents[2] / "docs" / "laws"
ids = [law.name for law in catalogue.LAWS]


def test_names_are_unique() -> None:
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("law", catalogue.LAWS, ids=ids)
def test_a_law_has_a_page_that_names_it_its_code_and_the_test_that_holds_it(law: Law) -> None:
    page = (PAGES / f"{law.page}.md").read_text()
    assert f"`{law.name}`" in page
    assert "**Code:** `flashscope.laws." in page
    assert "tests/laws/" in page
    assert f"(figures/{law.name}.svg)" in page
    assert (PAGES / "figures" / f"{law.name}.svg").is_file()


@pytest.mark.parametrize("law", catalogue.LAWS, ids=lambda law: law.name)
def test_quick_is_part_of_the_whole(law: Law) -> None:
    quick, full = law.cases(True), law.cases(False)
    assert 0 < len(quick) <= len(full)
    assert sum(case.cost for case in quick) <= sum(case.cost for case in full)


@pytest.mark.long
@pytest.mark.parametrize("law", catalogue.LAWS, ids=lambda law: law.name)
def test_the_law_holds_on_the_virtual_drive(law: Law) -> None:
    broken = [row for row in run_laws([law]) if not row.holds]
    assert not broken, broken
