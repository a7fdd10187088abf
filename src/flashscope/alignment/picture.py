"""A disk as text: the whole of it, and a close-up of each start that misses a boundary.

0                                                       80 GB
|11111111111111111111|222222222222222222222|.............|      1, 2: partitions   .: free

boundaries of 16 KiB  |---------------|---------------|---------------|
boundaries of 4 KiB   |---|---|---|---|---|---|---|---|---|---|---|---|
partition 1                           ^ 15.5 KiB past one
"""

from __future__ import annotations

from flashscope.alignment.boundaries import KIB
from flashscope.alignment.judged import Start
from flashscope.alignment.words import past_in_words
from flashscope.partitions.layout import Layout
from flashscope.units import format_bytes, format_bytes_binary

_WIDTH = 72
_CLOSE_UP_UNITS = 3
_CLOSE_UP_WIDTH = 48
_NUMBERS = "0123456789abcdefghijklmnopqrstuvwxyz"


def disk_picture(layout: Layout, width: int = _WIDTH) -> list[str]:
    """The disk as one line of so many characters with its scale above, and what the characters mean below.

    A partition has one character at least; the line is not to scale there. Logical partitions are drawn, the extended
    one around them is not.
    """
    if not layout.partitions or layout.size_bytes <= 0:
        return []
    cells = ["."] * width
    for each in layout.holding_data():
        first = min(each.start_bytes * width // layout.size_bytes, width - 1)
        last = max(min(-(-each.end_bytes * width // layout.size_bytes), width), first + 1)
        cells[first:last] = [_NUMBERS[each.number % len(_NUMBERS)]] * (last - first)
    end = format_bytes(layout.size_bytes)
    free = "   .: free" if "." in cells else ""
    return [f"0{end:>{width + 1}}", f"|{''.join(cells)}|", f"numbers: partitions{free}"]


def close_up(start: Start, unit_bytes: int, small_bytes: int = 4 * KIB) -> list[str]:
    """Three units around a start, with the boundaries of the unit and of 4 KiB, and an arrow at the start."""
    scale = _CLOSE_UP_UNITS * unit_bytes / _CLOSE_UP_WIDTH
    place = round((unit_bytes + start.past(unit_bytes)) / scale)
    rows = [(unit_bytes, _ruler(unit_bytes / scale))]
    if small_bytes < unit_bytes and small_bytes / scale >= 2:
        rows.append((small_bytes, _ruler(small_bytes / scale)))
    labels = [f"boundaries of {format_bytes_binary(size)}" for size, _ in rows]
    width = max(len(each) for each in (*labels, start.name))
    lines = [f"{label:<{width}}  {ruler}" for label, (_, ruler) in zip(labels, rows, strict=True)]
    past = f"{past_in_words(start.past(unit_bytes))} past one"
    return [*lines, f"{start.name:<{width}}  {' ' * place}^ {past}"]


def _ruler(spacing: float) -> str:
    marks = {round(index * spacing) for index in range(round(_CLOSE_UP_WIDTH / spacing) + 1)}
    return "".join("|" if place in marks else "-" for place in range(_CLOSE_UP_WIDTH + 1))
