"""Numbers that the firmware never fills in, found by what stands beside them.

    a spare or a life of 0 by the raw number, and a healthy value byte             the raw number is not filled in
    a spare or a life of 0 by the value byte, no threshold, and a raw number        the value byte is not filled in
    NVMe: spare 0 without a warning, and threshold 0 or little of the life used     it is not filled in
    NVMe: a health log of zeros, or of ones                                        nothing is filled in

A number that a second one confirms (many blocks went bad, reads were lost) stays: a drive can really have no spare
left. Works on keys and bytes, never on a drive's name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from flashscope.smart.decoding.contradictions import Case, Found
from flashscope.smart.decoding.layouts import raw_48
from flashscope.smart.decoding.reading import Field, Reading

_LEFT = ("spare_left_percent", "spare_block_count", "life_left_percent")
BLOCKS_GONE = (
    "grown_bad_block_count", "retired_block_count", "reallocated_sector_count", "program_failure_block_count",
    "erase_failure_block_count", "used_spare_block_count",
)  # fmt: skip
"""Blocks that were lost in use."""


_LOST = ("uncorrectable_error_count", "media_error_count", "read_failure_block_count")
MANY_BLOCKS = 10
"""More than the few that any drive replaces."""
_ONES = 0xFF
_HALF_PERCENT = 50


def is_blank_health_log(entries: Mapping[str, int]) -> bool:
    """Whether an NVMe health log holds nothing but zeros and temperatures, or bytes of ones."""
    counted = [value for name, value in entries.items() if not name.startswith("temperature")]
    ones = all(entries.get(name) == _ONES for name in ("critical_warning", "avail_spare", "percent_used"))
    return bool(counted) and (ones or not any(counted))


def blocks_gone(reading: Reading) -> float:
    """The largest count of blocks or sectors that were lost in use; 0 where none is told."""
    return max((reading.value(key) or 0 for key in BLOCKS_GONE), default=0)


def _is_confirmed(case: Case) -> bool:
    """Whether other numbers say that many blocks or any reads were lost."""
    return blocks_gone(case.reading) >= MANY_BLOCKS or any(case.value(key) for key in _LOST)


def left_is_not_filled_in(case: Case) -> Iterator[Found]:
    """What is left is 0 by one byte of an attribute and not by another, and nothing else says that it is used up."""
    if _is_confirmed(case):
        return
    for key in _LEFT:
        field = case.field(key)
        if field is None or field.value > 0 or field.attribute_id is None:
            continue
        attribute = case.dump.attribute(field.attribute_id)
        printed = case.dump.printed.get(field.attribute_id)
        if attribute is None:
            continue
        threshold, raw = (printed.threshold or 0) if printed else 0, raw_48(attribute)
        if raw == 0 and threshold < attribute.value <= 100 and attribute.value > 1:
            by_value = _by_value_byte(field, attribute.value) if field.unit == "per cent" else None
            yield Found(
                "NotFilledIn",
                f"attribute {attribute.id} is 0 by its raw number and {attribute.value} of 100 by its value byte, and "
                "no other number says that much is used up; its raw number is not filled in.",
                key if by_value else "",
                by_value,
                () if by_value else (key,),
            )
        elif attribute.value == 0 and threshold == 0 and raw > 0:
            yield Found(
                "NotFilledIn",
                f"attribute {attribute.id} is 0 by its value byte, without a threshold, and its raw number is {raw}; "
                "its value byte is not filled in.",
                drop=(key,),
            )


def _by_value_byte(field: Field, value: int) -> Field:
    meaning = f"{field.meaning}, by the value byte, since the raw number is not filled in"
    return replace(field, value=value, low=value, high=value, raw=value, meaning=meaning, provenance="assumed")


def spare_of_nvme_is_not_filled_in(case: Case) -> Iterator[Found]:
    """An available spare of 0 and no warning: with a threshold of 0, or while little of the drive's life is used."""
    spare, threshold = case.field("spare_left_percent"), case.field("spare_threshold_percent")
    if spare is None or threshold is None or spare.value or case.value("critical_warning"):
        return
    used = case.value("endurance_used_percent")
    if not threshold.value:
        why = "the spare and its threshold are both 0, and the drive does not warn; neither is filled in."
        yield Found("NotFilledIn", why, drop=(spare.key, threshold.key))
    elif used is not None and used < _HALF_PERCENT and not _is_confirmed(case):
        why = (
            f"the spare is 0 with {used:.0f} % of the endurance used, and the drive does not warn; it is not filled in."
        )
        yield Found("NotFilledIn", why, drop=(spare.key,))
