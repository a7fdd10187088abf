"""A table of attributes that a person wrote down, with the columns' names in the first line; one dump per raw column.

# id name value worst thresh raw_before raw_after
164 Unknown_Attribute 100 100 050 19917 20009
"""

from __future__ import annotations

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, PrintedAttribute
from flashscope.smart.readers.attribute_row import number_of
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.text import ENDS_IN_A_LINE

_NEEDED = {"id", "name", "value", "worst"}
_THRESHOLDS = {"thresh", "threshold"}


def _header(text: str) -> list[str]:
    """The columns' names; empty when no line names them."""
    for line in text[:4000].lower().split("\n"):
        if "worst" not in line:
            continue
        words = line.replace("|", " ").replace(",", " ").split()
        if words[:1] == ["#"]:
            words = words[1:]
        if set(words) >= _NEEDED and any(word.startswith("raw") for word in words):
            return words
    return []


def looks_like_plain_table(text: str) -> bool:
    """Whether a text is such a table."""
    return bool(_header(text))


def read_plain_table(text: str, source: str) -> tuple[Dump, ...]:
    """One dump per raw column, left to right. Raises WrongUse when there is no row."""
    columns = _header(text)
    raw_columns = [index for index, name in enumerate(columns) if name.startswith("raw")]
    drafts = [Draft(f"{source} ({columns[index]})", "a written table", protocol="ATA") for index in raw_columns]
    lines = text.split("\n")
    for line in lines:
        words = line.replace("|", " ").replace(",", " ").split()
        if line.strip().startswith("#") or not words:
            continue
        row = dict(zip(columns, words, strict=False))
        for draft, index in zip(drafts, raw_columns, strict=True):
            if len(words) != len(columns) or not _attribute(row, words[index], draft):
                draft.not_read(line)
                if line is lines[-1]:
                    draft.breaks_off(ENDS_IN_A_LINE)
    if not any(draft.attributes for draft in drafts):
        raise WrongUse(
            f"{source} names the columns of a table, but has no row of it", accepted="id name value worst raw"
        )
    return tuple(draft.finished() for draft in drafts)


def _attribute(row: dict[str, str], raw: str, draft: Draft) -> bool:
    id = number_of(row["id"])
    normalized = [row["value"], row["worst"], next((row[name] for name in _THRESHOLDS if name in row), "0")]
    if id is None or not raw.isdigit() or not all(word.isdigit() and len(word) < 4 for word in normalized):
        return False
    value, worst, threshold = (int(word) for word in normalized)
    if max(value, worst, threshold) > 255 or len(raw) > 15 or int(raw) >> 48:
        return False
    draft.attribute(
        SmartAttribute(id, 0, value, worst, int(raw).to_bytes(6, "little"), row["name"]),
        PrintedAttribute(threshold, raw),
    )
    return True
