"""The six numbers of the first screen, each with its name: those that every drive has, and those of its kind.

IN ORDER             RANDOM 4 KiB     FAST CACHE        ...
257 MB/s  read       154 MB/s read    none
59 MB/s   write      12 MB/s  write
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flashscope.dossier.dossier import Dossier
from flashscope.dossier.drive_kind import DriveKind
from flashscope.reports.front.told import NOT_MEASURED, Told, tell
from flashscope.reports.numbers import Said

_Asked = tuple[str, tuple[tuple[str, str], ...]]

_IN_ORDER: _Asked = ("Sequential", (("read", "sequential_read"), ("write, at first", "sequential_write")))
_RANDOM: _Asked = ("Random 4 KiB", (("read", "random_read"), ("write, at first", "random_write")))
_CACHE: _Asked = ("Cache", (("written fast", "cache_size"), ("after that", "after_cache")))
_PLATTERS: _Asked = ("Slow end", (("reads of the slowest part", "read_minimum"),))
_WORST: _Asked = ("Worst sustained rate", (("long writes in order, in the worst state seen", "worst_sustained_write"),))
_TAIL: _Asked = (
    "Latency at the tail",
    (("1 write in 1000 takes at least", "tail_latency"), ("longest seen", "longest_freeze")),
)
_OF_KIND: Mapping[DriveKind, _Asked] = {
    DriveKind.FLASH: ("Write amplification", (("random 4 KiB writes", "write_amplification"),)),
    DriveKind.DISK: ("Access time", (("a random read", "access_time"),)),
    DriveKind.HYBRID: ("Flash cache", (("gain for reads", "hybrid_gain"), ("size", "hybrid_size"))),
    DriveKind.MEMORY: ("Latency", (("a 4 KiB read", "read_latency"),)),
    DriveKind.ARRAY: ("Useful members", (("for large reads", "useful_members"),)),
    DriveKind.FILE: ("Latency", (("a 4 KiB read", "read_latency"), ("a 4 KiB write", "write_latency"))),
}

_WITHOUT_AMOUNT = {"cache_size": "in long writes", "hybrid_gain": "for reads"}
"""What stands after words, "no fall", in place of what stands after an amount."""


@dataclass(frozen=True)
class Figure:
    """One value of a tile. label: what it is of."""

    label: str
    told: Told


@dataclass(frozen=True)
class Tile:
    """One of the six numbers."""

    name: str
    figures: tuple[Figure, ...]


def make_tiles(dossier: Dossier) -> tuple[Tile, ...]:
    """Six tiles, always in the same order; what was not measured says so."""
    kind = DriveKind(dossier.kind)
    # A disk is slower on its inner tracks, without any cache that ends.
    third = _PLATTERS if kind in (DriveKind.DISK, DriveKind.HYBRID) else _CACHE
    return tuple(_tile(asked, dossier) for asked in (_IN_ORDER, _RANDOM, third, _WORST, _OF_KIND[kind], _TAIL))


def _tile(asked: _Asked, dossier: Dossier) -> Tile:
    """Only the first value is always there; another is left out where it makes no sense (what comes after no fall)."""
    name, (first, *more) = asked
    figures = [_figure(*first, dossier), *(_figure(*each, dossier) for each in more if dossier.answer(each[1]))]
    if not any(each.told.is_known for each in figures):
        figures = figures[:1]
    return Tile(name, tuple(figures))


def _figure(label: str, key: str, dossier: Dossier) -> Figure:
    answer = dossier.answer(key)
    if answer is None:
        unasked = "nothing that was run tells it"
        return Figure(label, Told(key, label, Said(NOT_MEASURED, unasked), "", "", unasked))
    told = tell(answer)
    return Figure(_WITHOUT_AMOUNT.get(key, label) if not told.is_amount else label, told)
