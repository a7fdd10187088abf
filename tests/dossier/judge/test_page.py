"""docs/reference/judge.md has one row for each rule, in the order in which the judge asks them."""

import re
from pathlib import Path

from flashscope.dossier.judge.rules import RULES

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "judge.md"


def test_every_rule_has_its_row_with_its_sentence() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(rule.name, rule.explains) for rule in RULES]


def test_every_rule_is_a_file_of_its_name() -> None:
    for rule in RULES:
        module = rule.objections.__module__.rsplit(".", 1)[-1]
        assert rule.name == module.replace("_", "-")


def test_every_file_of_a_rule_is_in_the_list() -> None:
    import flashscope.dossier.judge.rules as rules

    files = {path.stem for path in Path(rules.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == {rule.name.replace("-", "_") for rule in RULES}
