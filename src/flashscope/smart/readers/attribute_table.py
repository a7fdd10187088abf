"""The attribute table in smartctl's text. Terminals wrap its lines and forums insert line breaks more than elsewhere.

    row line, line, line, next row     a row and what follows it is kept until the next row begins; then the lines
                                       that make a complete row are joined, the others are passed on

A line as long as the longest of the text was broken at its end, perhaps within a number, so the next line is joined
to it without a blank. A single number below a complete, shorter row may be the rest of the row's raw number or not;
then neither is used.
"""

from __future__ import annotations

from collections.abc import Callable

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import PrintedAttribute
from flashscope.smart.readers.attribute_row import RowError, number_of, row_of, starts_row
from flashscope.smart.readers.draft import Draft

_MOST_LINES = 5


class AttributeTable:
    """Takes the lines of the table.

    width: length of the longest line of the text. pass_on: takes a line that turned out to be of no row.
    """

    def __init__(self, draft: Draft, width: int, pass_on: Callable[[str], None]) -> None:
        self._draft = draft
        self._width = width
        self._pass_on = pass_on
        self._lines: list[str] = []
        self._as_printed: list[str] = []

    def line(self, line: str, as_printed: str) -> bool:
        """Take a line; returns whether it belongs to the table, as far as is known now.

        line: without quotation marks before it; as_printed: as in the text.
        """
        if "|" in line:
            line = line.replace("|", " ").strip()
        tokens = line.split()
        if not tokens or tokens[0] == "ID#":
            return True
        if starts_row(tokens):
            self.settle()
        elif self._lines and number_of(self._lines[-1].strip()) is not None and len(tokens) > 6:
            # The attribute's number is on a line of its own, above the rest of the row.
            line = f"{self._lines.pop()} {line}"
            as_printed = f"{self._as_printed.pop()} {as_printed}"
            self.settle()
        elif not self._lines:
            if len(tokens) > 1 or number_of(tokens[0]) is None:
                return False
        elif len(self._lines) >= _MOST_LINES:
            self.settle()
            return False
        self._lines.append(line)
        self._as_printed.append(as_printed)
        return True

    def settle(self) -> None:
        """No further line belongs to the row that is kept: read it."""
        lines, as_printed = self._lines, self._as_printed
        if not lines:
            return
        self._lines, self._as_printed = [], []
        taken, problem = self._read(lines, as_printed)
        if not taken:
            self._draft.remark(problem or "a row of the attribute table is not complete and is not read")
            self._draft.not_read(lines[0])
            taken = 1
        for line in filter(None, lines[taken:]):
            self._pass_on(line)

    def give_up(self) -> None:
        """The row that is kept may be cut off: it is not read."""
        for line in self._lines:
            self._draft.not_read(line)
        self._lines, self._as_printed = [], []

    def _read(self, lines: list[str], as_printed: list[str]) -> tuple[int, str]:
        """Add the attribute; returns the number of lines used (0: none), and why it could not be read, if known."""
        first, problem = _row(lines[0])
        if (
            first is not None
            and len(lines) > 1
            and lines[1].strip().isdigit()
            and not self._broken_after(as_printed, 0)
        ):
            self._draft.not_read(lines[1])
            lines[1] = ""
            return (
                0,
                f"a single number follows attribute {first[0].id}, which may be the rest of its own: neither is read",
            )
        for count in range(len(lines), 1, -1):
            for text in self._joined(lines[:count], as_printed, first is not None):
                row, _ = _row(text)
                if row is not None:
                    self._draft.attribute(*row)
                    return count, ""
        if first is not None:
            self._draft.attribute(*first)
        return int(first is not None), problem

    def _broken_after(self, as_printed: list[str], index: int) -> bool:
        """Whether a line was broken where it ends, not at a blank."""
        return len(as_printed[index]) >= self._width and not as_printed[index + 1].startswith((" ", "\t"))

    def _joined(self, lines: list[str], as_printed: list[str], first_is_whole: bool) -> list[str]:
        """The ways in which lines may have been one, the likeliest first."""
        text = lines[0]
        for index, line in enumerate(lines[1:]):
            text += line if self._broken_after(as_printed, index) else f" {line}"
        ways = [text, " ".join(lines)]
        return ways if first_is_whole else [*ways, "".join(lines)]


def _row(text: str) -> tuple[tuple[SmartAttribute, PrintedAttribute] | None, str]:
    """The attribute in a text, or why it is none ("" when it is not complete)."""
    try:
        return row_of(text.split()), ""
    except RowError as error:
        return None, str(error)
