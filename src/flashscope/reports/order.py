"""The order of experiments on a page: in groups, and first what an owner of such a drive asks first.

solid-state drive   long writes, the inside, waiting times, use and wear, file work, benchmark programs
disk, hybrid        its own experiment and the curve over the platters, then as above
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flashscope.records import Record
from flashscope.reports.jobs.tracks import is_of_jobs

_GROUPS: Mapping[str, tuple[str, ...]] = {
    "Is it what it says": ("capacity",),
    "Long writes": ("sustained-sequential-write", "three-states", "fill-and-recovery", "idle-recovery"),
    "What is inside": (
        "small-write-matrix", "write-buffer", "queue-depth", "compressibility", "misalignment", "command-gathering",
        "hybrid-cache", "stripe-scaling",
    ),
    "How long requests wait": (
        "stutter", "small-write-latency", "mixed-load-latency", "read-write-interference",
    ),
    "Use and wear": (
        "smart-inference", "ageing-diary", "rber-against-erase-count", "endurance", "endurance-real",
        "endurance-population",
    ),
    "File work": ("copy-within-drive", "archives", "sector-emulation-copy"),
    "Benchmark programs": (
        "crystaldiskmark-8", "crystaldiskmark-5", "crystaldiskmark-3", "as-ssd", "atto", "hd-tune", "iometer",
    ),
}  # fmt: skip
_OTHERS, _JOBS = "Other experiments", "Job files"
_FIRST: Mapping[str, tuple[str, ...]] = {
    "disk": ("hd-tune",),
    "hybrid disk": ("hybrid-cache", "hd-tune"),
    "memory": ("queue-depth", "read-write-interference"),
    "array": ("stripe-scaling",),
    "file": ("stutter", "queue-depth"),
}
"""What comes before all groups on a drive of that kind."""


@dataclass(frozen=True)
class Place:
    """Where a record stands: the rank and the name of its group, and its rank in it."""

    group_rank: int
    group: str
    rank: int


def place_of(record: Record, kind: str) -> Place:
    """The place of a record on the page of a drive of that kind."""
    if is_of_jobs(record):
        return Place(len(_GROUPS) + 2, _JOBS, 0)
    first = _FIRST.get(kind, ())
    if record.experiment in first:
        return Place(-1, f"First for {'an' if kind[0] in 'aeiou' else 'a'} {kind}", first.index(record.experiment))
    for rank, (group, names) in enumerate(_GROUPS.items()):
        if record.experiment in names:
            return Place(rank, group, names.index(record.experiment))
    return Place(len(_GROUPS) + 1, _OTHERS, 0)


def by_kind(records: Sequence[Record], kind: str) -> list[Record]:
    """The records in the order of the page; of one experiment the newest first."""

    def key(record: Record) -> tuple[int, int]:
        place = place_of(record, kind)
        return place.group_rank, place.rank

    newest = sorted(records, key=lambda record: record.created_utc, reverse=True)
    return sorted(newest, key=key)
