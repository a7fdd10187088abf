"""The moment in smartctl's "Local Time is" line, as seconds since 1970 (UTC).

Zones are recognized by their abbreviation; an abbreviation of several zones (IST, CST, BST, ...) gives None.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MONTHS = {
    name: number
    for number, name in enumerate(
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"], 1
    )
}
_HOURS = {
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3,
    "SAST": 2, "EDT": -4, "EST": -5, "CDT": -5, "MDT": -6, "MST": -7, "PDT": -7, "PST": -8, "JST": 9, "KST": 9,
    "AEST": 10, "AEDT": 11, "NZST": 12, "NZDT": 13, "HST": -10, "AKST": -9, "AKDT": -8, "ART": -3, "BRT": -3,
}  # fmt: skip
_LINE = re.compile(r"\w+ +(\w{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4}) *(\S*)")
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?")
# Moscow kept summer time all year from March 2011 to October 2014.
_MOSCOW_FOUR = (datetime(2011, 3, 27, tzinfo=UTC).timestamp(), datetime(2014, 10, 25, 22, tzinfo=UTC).timestamp())


def seconds_since_1970(printed: str) -> float | None:
    """The moment printed as "Sat Nov 29 00:59:09 2025 PST"; None when it, or its zone, is unclear."""
    match = _LINE.match(printed.strip())
    if not match or match[1] not in _MONTHS:
        return None
    day, hour, minute, second, year = (int(match[index]) for index in range(2, 7))
    try:
        local = datetime(year, _MONTHS[match[1]], day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return None
    ahead_s = _ahead_s(match[7], local)
    return None if ahead_s is None else local - ahead_s


def _ahead_s(zone: str, local: float) -> int | None:
    if zone in ("MSK", "MSD"):
        four = zone == "MSD" or _MOSCOW_FOUR[0] <= local - 4 * 3600 < _MOSCOW_FOUR[1]
        return (4 if four else 3) * 3600
    if zone in _HOURS:
        return _HOURS[zone] * 3600
    if offset := _OFFSET.fullmatch(zone):
        seconds = int(offset[2]) * 3600 + int(offset[3] or 0) * 60
        return -seconds if offset[1] == "-" else seconds
    return None
