"""No program asks which kind a drive is: its facts say what it can do. `kind_name` is a word for people."""

from __future__ import annotations

import re
from pathlib import Path

import flashscope

SOURCE = Path(flashscope.__file__).parent
ROOMS = ("experiments", "runner", "endurance", "reports", "reproduce", "sweeps", "cli")
_KIND = r"facts(\(\))?\.(kind|kind_name)\b"
ASKED = re.compile(
    rf"{_KIND}\s*(==|!=|in\b|not in\b|is\b)|(==|!=|\bin\b)\s*[\w.]*{_KIND}|\[[\w.]*{_KIND}\]|\.get\([\w.]*{_KIND}"
    rf"|match [\w.]*{_KIND}|drive_facts(\.get\(|\[)"
)


def test_nobody_asks_which_kind_a_drive_is() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for room in ROOMS
        for path in sorted((SOURCE / room).rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if ASKED.search(line)
    ]
    assert not found, "ask for a capability (records/capability.py) or for what time costs:\n" + "\n".join(found)


def test_the_rule_finds_the_ways_in_which_kinds_were_asked() -> None:
    for line in (
        'if facts.kind == "virtual":',
        'facts.kind_name in ("file", "directory")',
        '_RUNTIME_NS.get(facts.kind, _RUNTIME_NS["file"])',
        "_LOST[plan.facts.kind_name]",
        'record.drive_facts.get("kind")',
    ):
        assert ASKED.search(line), line
    assert not ASKED.search('f"a {facts.kind_name} of this size"')
