"""The section "Where results may go" of SAFETY.md names, for every promise, tests that exist."""

import re
from pathlib import Path

HERE = Path(__file__).parent
SECTION = (HERE.parents[1] / "SAFETY.md").read_text().split("## Where results may go")[1].split("\n## ")[0]


def test_every_promise_names_tests_that_exist() -> None:
    rows = [line for line in SECTION.splitlines() if line.startswith("| ") and not line.startswith("| Promise")]
    assert len(rows) >= 14
    for row in rows:
        named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", row)
        assert named, row
        for file, test in named:
            assert f"\ndef {test}(" in (HERE / file).read_text(), test
