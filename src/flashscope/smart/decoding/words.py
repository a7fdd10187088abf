"""The numbers of a drive in the words of a sentence, instead of their keys.

    host_written_bytes -> "what the host wrote"      erase_count_min -> "the lowest erase count"

Tables and pages have their own short and full names (`reports/smart/names.py`); these are for messages.
"""

from __future__ import annotations

_WORDS = {
    "erase_count_min": "the lowest erase count",
    "erase_count_average": "the average erase count",
    "erase_count_max": "the highest erase count",
    "slc_erase_count_min": "the lowest erase count of the write cache",
    "slc_erase_count_average": "the average erase count of the write cache",
    "slc_erase_count_max": "the highest erase count of the write cache",
    "host_written_bytes": "what the host wrote",
    "host_read_bytes": "what the host read",
    "nand_written_bytes": "what was written to flash",
    "slc_nand_written_bytes": "what was written to the write cache",
    "host_program_page_count": "the pages programmed for the host",
    "background_program_page_count": "the pages that the drive programmed for itself",
    "power_on_time_hours": "the power-on time",
    "temperature_celsius": "the temperature",
    "temperature_min_celsius": "the lowest temperature",
    "temperature_max_celsius": "the highest temperature",
    "corrected_read_count": "the corrected reads",
    "error_bits": "the wrong bits",
    "remaining_life_ratio": "all that it says of its life",
    "endurance_used_percent": "its percentage by the standard",
    "life_left_percent": "its own percentage",
    "life_used_percent": "its own percentage",
}
QUALIFIERS = {
    "_vendor": "by the maker's counter",
    "_statistics": "by the Device Statistics",
    "_log": "by another log",
}
"""Endings of the keys of numbers that a drive reports twice."""
_UNITS = ("_count", "_bytes", "_hours", "_percent", "_ratio", "_celsius", "_minutes")


def in_words(key: str) -> str:
    """A field's key in words, with what tells it from another field of the same meaning."""
    for ending, words in QUALIFIERS.items():
        if key.endswith(ending) and key != ending:
            return f"{in_words(key.removesuffix(ending))} {words}"
    return _WORDS.get(key, f"the {without_unit(key)}")


def without_unit(key: str) -> str:
    """The words of a key, without the unit at its end: "link_crc_error_count" -> "link crc error"."""
    for unit in _UNITS:
        key = key.removesuffix(unit)
    return key.replace("_", " ")
