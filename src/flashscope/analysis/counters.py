"""The numbers that an ATA attribute may contain: one candidate per byte layout that makers are known to use.

    12 bytes: id | flags flags | value | worst | raw0 raw1 raw2 raw3 raw4 raw5 | -
    raw 48-bit                                   [----------------------------]
    raw 32-bit                                   [------------------]
    raw words (low, middle, high)                [-------][---------][--------]
    64-bit from the value byte     [------------------------------------------]
    three bytes, the highest first        [--------------] or [------------]      JMicron JMF601 and JMF602

The normalized value by itself is no counter and is not tried. No name or table of meanings is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from flashscope.records import SmartAttribute, SmartSnapshot


@dataclass(frozen=True)
class Reading:
    """SMART at one moment of the experiment.

    phase: "sequential", "idle" or "random": what was done since the reading before; the first reading of a phase is
    taken at its start. host_bytes: written by the host since the experiment began [bytes].
    """

    phase: str
    host_bytes: int
    smart: SmartSnapshot


@dataclass(frozen=True)
class Counter:
    """One candidate: attribute id, the layout it was read with, and its counts, one per reading."""

    attribute_id: int
    layout: str
    counts: tuple[int, ...]


def _word(first: int, length: int) -> Callable[[SmartAttribute], int]:
    return lambda attribute: int.from_bytes(attribute.raw[first : first + length], "little")


def _from_value_byte(attribute: SmartAttribute) -> int:
    return int.from_bytes(bytes([attribute.value, attribute.worst]) + attribute.raw, "little")


def _highest_first(first: int) -> Callable[[SmartAttribute], int]:
    """Three bytes of worst and raw, from that place on."""
    return lambda attribute: int.from_bytes((bytes([attribute.worst]) + attribute.raw)[first : first + 3], "big")


WIDE = "64-bit from the value byte"
HIGHEST_FIRST = ("24-bit from the worst byte, highest first", "24-bit from the third raw byte, highest first")
LAYOUTS: dict[str, Callable[[SmartAttribute], int]] = {
    WIDE: _from_value_byte,
    "raw 48-bit": _word(0, 6),
    "raw 32-bit": _word(0, 4),
    "raw low word": _word(0, 2),
    "raw middle word": _word(2, 2),
    "raw high word": _word(4, 2),
    HIGHEST_FIRST[0]: _highest_first(0),
    HIGHEST_FIRST[1]: _highest_first(3),
}


def candidates_by_attribute(readings: Sequence[Reading]) -> dict[int, list[Counter]]:
    """Attribute id -> its candidates that move at all and differ from each other, likeliest layout first.

    Attributes that are missing from a reading are left out. An attribute that never moves has an empty list.
    """
    tables = [{attribute.id: attribute for attribute in reading.smart.attributes} for reading in readings]
    shared = sorted(set.intersection(*(set(table) for table in tables))) if tables else []
    return {number: _candidates(number, [table[number] for table in tables]) for number in shared}


def _candidates(number: int, attributes: Sequence[SmartAttribute]) -> list[Counter]:
    found: list[Counter] = []
    moves: set[tuple[int, ...]] = set()
    for layout, read in LAYOUTS.items():
        counts = tuple(read(attribute) for attribute in attributes)
        steps = tuple(after - before for before, after in itertools.pairwise(counts))
        if any(steps) and steps not in moves:
            moves.add(steps)
            found.append(Counter(number, layout, counts))
    # When value and worst do not change, the 64-bit number is the raw one times 65536: the raw one is used.
    if all((a.value, a.worst) == (attributes[0].value, attributes[0].worst) for a in attributes):
        found = [counter for counter in found if counter.layout != WIDE]
    return found
