"""Real dumps for the SMART tests, where they are at hand: the text form is read here, for tests only."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.records.smart_snapshot import SmartAttribute, SmartSnapshot
from flashscope.smart.readers.snapshot import parse_smartctl_json

SAMPLES = Path(__file__).parents[3] / "shared" / "smart-samples"
_ROW = re.compile(
    r"^ *(\d+) (\S+) +([POSRCK-]{6}|0x[0-9a-f]{4}) +(\d+|---) +(\d+|---) +(?:\d+|---)"
    r"(?: +(?:Pre-fail|Old_age) +(?:Always|Offline))? +\S+ +(\S.*)$",
    re.MULTILINE,
)
_LETTERS = {letter: 1 << bit for bit, letter in enumerate("POSRCK")}


@pytest.fixture(scope="session")
def samples() -> Path:
    if not SAMPLES.exists():
        pytest.skip(f"{SAMPLES} is not there, so no real SMART dumps can be read")
    return SAMPLES


@pytest.fixture(scope="session")
def read_dump() -> Callable[[Path], SmartSnapshot]:
    return _read_dump


def _read_dump(path: Path) -> SmartSnapshot:
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        return parse_smartctl_json(text)
    attributes = []
    for number, name, letters, value, worst, printed in _ROW.findall(text):
        flags = int(letters, 0) if letters.startswith("0x") else sum(_LETTERS.get(letter, 0) for letter in letters)
        if value == "---":  # printed with the preset: one number of 64 bits that begins at the value byte
            whole = int(printed.split()[0], 0).to_bytes(8, "little")
            attributes.append(SmartAttribute(int(number), flags, whole[0], whole[1], whole[2:], name))
        else:
            raw = (_raw(printed) & (1 << 48) - 1).to_bytes(6, "little")
            lowest = int(value if worst == "---" else worst)
            attributes.append(SmartAttribute(int(number), flags, int(value), lowest, raw, name))
    return SmartSnapshot(0, path.name, "", "", 0, tuple(attributes))


def _raw(printed: str) -> int:
    """The raw number behind what smartctl printed: plain, hours, "a/b" (upper 24/lower 32 bits), three words."""
    if match := re.fullmatch(r"(\d+)/(\d+)", printed):
        return int(match[1]) << 32 | int(match[2])
    if match := re.fullmatch(r"(\d+) (\d+) (\d+)", printed):
        return int(match[1]) << 32 | int(match[2]) << 16 | int(match[3])
    match = re.match(r"0x[0-9a-fA-F]+|\d+", printed)
    return int(match[0], 0) if match else 0
