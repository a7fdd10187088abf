"""The reference page of the job language says what the program does."""

from pathlib import Path

from flashscope.workloads.options import option_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "job-language.md"


def test_the_page_holds_the_table_of_options() -> None:
    assert option_table() in PAGE.read_text(), "run `make docs`"
