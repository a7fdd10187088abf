"""What smartctl prints as text: `-a`, `-x`, `-i -A`, of any version, from any locale, complete or in part.

    line --> does it begin a section? (smartctl_sections.SECTIONS) --> the section's reader takes the lines below

The attribute table is read by attribute_table.py.
Not read here: capabilities, log directories, the registers in error logs, temperature histories.
"""

from __future__ import annotations

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.attribute_row import starts_row
from flashscope.smart.readers.attribute_table import AttributeTable
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.smartctl_sections import (
    BEGINNINGS,
    ERRORS,
    HEX,
    INFORMATION,
    NVME,
    PHY,
    SCANS,
    SCSI,
    SCT,
    SELF_TESTS,
    SKIP,
    STATISTICS,
    TABLE,
    Sections,
)
from flashscope.smart.readers.text import ENDS_IN_A_LINE, shortened, text_of

_MARGIN = "> |"
"""What quoting puts before a line."""
_PASSED_OVER = (SKIP, ERRORS)
_ENDS_WITH_A_BLANK_LINE = {
    TABLE: "the attribute table",
    STATISTICS: "the Device Statistics",
    NVME: "the health log",
    SCSI: "the error counters",
}
"""Lists behind which smartctl always prints an empty line."""
_PRINTED_WHOLE = ("=== START OF", "smartctl ")
_BEHIND_THE_LISTS = (SCT, PHY, HEX, ERRORS, SELF_TESTS, SCANS)
"""Sections behind all lists from which a drive is judged; their rows end in words, or in numbers that are not read."""
_LAST_WORDS = ("supported", "Logged", "logged", "Logging", "logging", "Celsius")
"""How the last line of an output ends, where a program took away the line break behind it."""
_LAST_COUNT_OF_HEALTH_LOG = "media_errors"
"""Behind it in the health log stand only the number of entries in the error log, and temperatures."""


def read_smartctl_text(data: bytes | str, source: str) -> Dump:
    """The dump in what smartctl printed. Raises WrongUse when it holds nothing of a drive."""
    text = data if isinstance(data, str) else text_of(data)
    draft = Draft(source, "smartctl text")
    _Reader(draft, text).read()
    if not draft.holds_anything:
        if "ermission denied" in text:
            raise WrongUse(
                f"{source} holds no SMART data: smartctl was not allowed to open the drive",
                accepted="the output of smartctl -a or -x",
                advice="run smartctl as root, or with sudo",
            )
        lines = [*draft.unread, *draft.remarks, *(line for line in text.split("\n") if line.strip())]
        raise WrongUse(
            f"{source} holds no SMART data that smartctl prints; it holds: {shortened(lines[0] if lines else '')}",
            accepted="the output of smartctl -a or -x, or its attribute table",
            advice=_ARCHIVE_ADVICE if _is_of_a_fleet(text) else "",
        )
    return draft.finished()


_ARCHIVE_ADVICE = "these are daily rows of a fleet; read them with `flashscope smart archive`"


def _is_of_a_fleet(text: str) -> bool:
    """Whether the first line names the columns of Backblaze's daily rows."""
    columns = text.partition("\n")[0].lower().replace('"', "").split(",")
    return {"date", "serial_number", "model"} <= {column.strip() for column in columns}


class _Reader:
    """Goes through the lines once."""

    def __init__(self, draft: Draft, text: str) -> None:
        self.draft = draft
        self.lines = text.split("\n")
        self.sections = Sections(draft)
        width = max(map(len, self.lines))
        self.table = AttributeTable(draft, width, lambda line: self.sections.line(line, INFORMATION))
        self.capabilities_seen = False

    def read(self) -> None:
        *lines, cut = self.lines
        state = INFORMATION
        for line in lines:
            # In skipped logs (half of a dump), only lines that may begin a section or hold a count are examined.
            if state in _PASSED_OVER and line.lstrip(_MARGIN)[:1] not in BEGINNINGS:
                continue
            state = self.line(line, state)
        if cut.strip():
            self.last_line(cut, state)
        elif lines and lines[-1].strip():
            self.ends_within(state)
        self.table.settle()
        self.sections.finish()

    def line(self, line: str, state: str) -> str:
        """Take one line; the state for the next one."""
        as_printed = line
        if line[:1] in _MARGIN:
            line = line.lstrip(_MARGIN) if line.strip() else ""
        if not line:
            return self.sections.blank_line(state)
        if line[0] in BEGINNINGS and (begun := self.sections.begun_by(line)):
            self.table.settle()
            if line.startswith("General SMART Values"):
                self.capabilities_seen = True
            return begun
        if state == SKIP:
            return state
        in_table = state == TABLE or (state == INFORMATION and line[0].isdigit() and "per logical block" not in line)
        if in_table and self.table.line(line, as_printed):
            return TABLE
        self.sections.line(line, INFORMATION if state == TABLE else state)
        return state

    def last_line(self, cut: str, state: str) -> None:
        """Take the last line when no line break follows it: a number at its end may have lost digits."""
        tokens = cut.split()
        if self.is_whole(cut, tokens, state):
            if state == NVME and tokens[-1].replace(",", "").isdigit():
                self.draft.not_read(cut)  # a count that may have lost digits, and that tells nothing of the drive
            else:
                self.line(cut, state)
            return
        may_be_cut = (cut.rstrip()[-1].isalnum() or state == STATISTICS) and state != SKIP
        in_table = state == TABLE and starts_row(tokens)
        if may_be_cut and (not in_table or self.capabilities_seen or not (len(tokens) > 8 and tokens[-2] == "-")):
            if state == TABLE and not starts_row(tokens):
                self.table.give_up()
            self.table.settle()
            self.draft.breaks_off(ENDS_IN_A_LINE)
            self.draft.not_read(cut)
            return
        if may_be_cut:
            self.draft.remark(f"the text ends right behind {tokens[-1]!r}; if it was cut there, digits are missing")
        self.ends_within(state)
        self.line(cut, state)

    def is_whole(self, cut: str, tokens: list[str], state: str) -> bool:
        """Whether only what follows the last line is missing: a line break, as where a program stripped its output."""
        if cut.lstrip().lstrip("|").startswith("_"):
            return True  # the legend below a list
        if state in _BEHIND_THE_LISTS:
            return not tokens[-1].isdigit()
        if state == NVME and self.draft.nvme_health.get(_LAST_COUNT_OF_HEALTH_LOG) is not None:
            return True
        return state in (INFORMATION, NVME) and tokens[-1] in _LAST_WORDS

    def ends_within(self, state: str) -> None:
        """The text ends right behind a line: within a list, the text was cut off there.

        No remark is made for a table that was copied without the lines that smartctl prints above it.
        """
        within = _ENDS_WITH_A_BLANK_LINE.get(state)
        last = next((line for line in reversed(self.lines) if line.strip()), "")
        if (
            within
            and not self.is_whole(last, last.split(), state)
            and any(line.lstrip(_MARGIN).startswith(_PRINTED_WHOLE) for line in self.lines)
        ):
            self.draft.breaks_off(f"the text ends within {within}; rows of it, and what came after it, are missing")
