"""The page of the dossier holds the table of properties that the program has."""

from __future__ import annotations

from pathlib import Path

from flashscope.dossier.properties.table import property_table

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "dossier.md"


def test_the_page_holds_the_table_of_properties() -> None:
    assert property_table() in PAGE.read_text(encoding="utf-8"), "run `make docs`"
