"""The attribute rows of smartctl's JSON, turned back into the bytes that the drive gave.

smartctl's number is the six raw bytes, with the reserved byte on top in some formats (56 bits). Its presets can print
another byte order. These orders are undone here:

    whole table   value, worst and raw as one number of 64 bits (Indilinx): the lower two bytes of every number
                  repeat worst and value
    229 to 235    big-endian from the worst byte on (JMicron 60x), by the string beside the number
    234 Throttle, "...Lat...Erl..."   pairs, by the string (see raw_column.py)

Other orders cannot be recognized; `--presets=ignore` avoids them all.
"""

from __future__ import annotations

from typing import Any

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import PrintedAttribute
from flashscope.smart.readers.json_text import number, table
from flashscope.smart.readers.raw_column import raw_bytes

_MASK_48 = (1 << 48) - 1
_JMICRON = {229, 232, 234, 235}
_BIG_ENDIAN = {229, 232, 233, 234, 235}
_VALUE_FIRST_ROWS = 4


def attributes_of(
    rows: list[dict[str, Any]], *, presets_ignored: bool
) -> tuple[list[tuple[SmartAttribute, PrintedAttribute]], list[tuple[str, dict[str, Any]]]]:
    """The attributes in their order, and the rows that could not be read: (reason, row)."""
    good = [row for row in rows if _is_whole(row)]
    problems = [(f"an attribute that is not complete: id {row.get('id')!r}", row) for row in rows if not _is_whole(row)]
    value_first = _value_first(good)
    big_endian = not presets_ignored and {row["id"] for row in good} >= _JMICRON and _jmicron_preset(good)
    attributes = []
    for row in good:
        printed = _printed(row)
        laid = _laid(row, printed.raw_text, value_first, presets_ignored, big_endian)
        if laid is None:
            raw = number(row, "raw", "value")
            problems.append((f"attribute {row['id']} is printed as {raw}, in an unknown byte order", row))
        else:
            raw_laid, worst = laid
            flags = number(row, "flags", "value") or 0
            name = row.get("name")
            named = name if isinstance(name, str) else ""
            attributes.append((SmartAttribute(row["id"], flags, row["value"], worst, raw_laid, named), printed))
    return attributes, problems


def _is_whole(row: dict[str, Any]) -> bool:
    for key, most in (("id", 255), ("value", 255), ("worst", 255)):
        entry = row.get(key)
        if not isinstance(entry, int) or isinstance(entry, bool) or not 0 <= entry <= most:
            return False
    raw = number(row, "raw", "value")
    return row["id"] > 0 and raw is not None and raw >= 0


def _value_first(rows: list[dict[str, Any]]) -> bool:
    numbers = [(number(row, "raw", "value") or 0, row["worst"] << 8 | row["value"]) for row in rows]
    return (
        len(rows) >= _VALUE_FIRST_ROWS
        and any(raw for raw, _ in numbers)
        and all(raw & 0xFFFF == low for raw, low in numbers)
    )


def _jmicron_preset(rows: list[dict[str, Any]]) -> bool:
    """Whether the big-endian number of attribute 229 begins with its worst byte, in 16 hexadecimal digits."""
    return any(row["id"] == 229 and len(_raw_text(row)) == 18 and _raw_text(row).startswith("0x") for row in rows)


def _raw_text(row: dict[str, Any]) -> str:
    text = table(row, "raw").get("string")
    return text if isinstance(text, str) else ""


def _laid(
    row: dict[str, Any], text: str, value_first: bool, presets_ignored: bool, big_endian: bool
) -> tuple[bytes, int] | None:
    raw, worst = number(row, "raw", "value") or 0, row["worst"]
    if value_first:
        return None if raw >> 64 else ((raw >> 16).to_bytes(6, "little"), worst)
    if big_endian and row["id"] in _BIG_ENDIAN:
        laid = raw_bytes(text, row["id"], "", worst_first=True)
        return None if laid is None or laid[1] != worst else (laid[0], worst)
    name = row.get("name")
    if not presets_ignored and isinstance(name, str) and "/" in text and _pair_of_its_own(row["id"], name):
        laid = raw_bytes(text, row["id"], name)
        return None if laid is None else (laid[0], worst)
    if raw == (1 << 64) - 1:
        return b"\xff" * 6, worst
    return None if raw >> 56 else ((raw & _MASK_48).to_bytes(6, "little"), worst)


def _pair_of_its_own(id: int, name: str) -> bool:
    return (id == 234 and "hrottle" in name) or ("Lat" in name and "Erl" in name)


def _printed(row: dict[str, Any]) -> PrintedAttribute:
    failed = row.get("when_failed")
    return PrintedAttribute(
        threshold=number(row, "thresh"),
        raw_text=_raw_text(row),
        when_failed=failed if failed in ("now", "past") else "",
        pre_failure=bool((number(row, "flags", "value") or 0) & 1),
    )
