"""SAFETY.md says what the rules say, rule for rule, and names tests that exist."""

import re
from pathlib import Path

import pytest

from flashscope.drives.guard.guard import overridable_rules
from flashscope.drives.guard.rules import ALL_RULES
from flashscope.drives.guard.rules.rule import Rule

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "SAFETY.md").read_text()
ROWS = {
    cells[0].strip("`"): cells[1:] for cells in re.findall(r"^\| (`[a-z-]+`) \| (.*) \| (.*) \| (.*) \|$", PAGE, re.M)
}


def test_the_page_lists_every_rule_once_and_in_order() -> None:
    assert list(ROWS) == [rule.name for rule in ALL_RULES]
    assert PAGE.count("\n| `") == len(ALL_RULES)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
def test_a_row_says_what_the_rule_says(rule: Rule) -> None:
    finds, lifted_by, _ = ROWS[rule.name]
    assert finds == rule.explains + (" (also for reading)" if rule.for_reading else "")
    assert lifted_by == rule.lifted_by


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.name)
def test_a_row_names_tests_that_exist(rule: Rule) -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", ROWS[rule.name][2])
    assert len(named) >= 2
    for file, test in named:
        assert f"\ndef {test}(" in (HERE / file).read_text()


def test_the_page_names_the_rules_that_can_be_set_aside_and_no_other() -> None:
    assert {name for name, row in ROWS.items() if "--allow" in row[1]} == {rule.name for rule in overridable_rules()}


def test_every_file_of_tests_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`(tests/[\w/]+\.py)`", PAGE))
    assert len(named) >= 5
    assert [name for name in named if not (HERE.parents[1] / name).is_file()] == []
