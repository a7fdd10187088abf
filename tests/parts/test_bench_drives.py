"""The drives that `make bench` measures are the parts that are shipped."""

from pathlib import Path

import pytest

from flashscope.drives.parts.part import load_part

FOLDER = Path(__file__).resolve().parents[2] / "benches" / "drives"


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_a_bench_drive_is_the_part_of_its_name(file: Path) -> None:
    advice = "write it again with: .venv/bin/python scripts/write-bench-drives.py"
    assert file.read_text() == load_part(file.stem).to_core_json() + "\n", advice


def test_there_is_a_bench_drive() -> None:
    assert [file.name for file in FOLDER.glob("*.json")] == ["c300-256.json"]
