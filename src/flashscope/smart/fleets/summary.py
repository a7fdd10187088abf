"""A fleet by model: how many drives, the usual value of each measure, and the unusual drives.

Drives are counted, not dumps: of several dumps of one drive the newest is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from flashscope.smart.decoding.reading import UNKNOWN
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, WATCH
from flashscope.smart.decoding.verdict import UNKNOWN as VERDICT_UNKNOWN
from flashscope.smart.fleets.measures import MEASURES, Number
from flashscope.smart.fleets.member import Member
from flashscope.smart.fleets.outliers import MEMBERS_AT_LEAST, outliers


@dataclass(frozen=True)
class Spread:
    """One measure over the drives of a model that report it. low, high: the lower and the upper quartile."""

    count: int
    median: float
    low: float
    high: float
    least: Number
    most: Number


@dataclass(frozen=True)
class Standing:
    """A drive that is unusual for its model, by one measure, with the reason in words."""

    path: str
    serial: str
    measure: str
    value: Number
    median: float
    reason: str


@dataclass(frozen=True)
class ToDo:
    """A drive for which something is to be done, with its verdict in words. standing: by what it stands out."""

    level: str
    path: str
    model: str
    serial: str
    statement: str
    reasons: tuple[str, ...]
    advice: str
    standing: tuple[str, ...]


@dataclass(frozen=True)
class Model:
    """spreads: measure key -> spread, for the measures that any of its drives reports."""

    model: str
    families: tuple[str, ...]
    is_flash: bool | None
    drive_count: int
    contradicting_count: int
    spreads: dict[str, Spread]
    outliers: tuple[Standing, ...]


@dataclass(frozen=True)
class Fleet:
    """models: those with most drives first. older_dump_count: dumps that a newer one of the same drive replaced.

    verdict_counts: level -> drives. to_do: the drives to be copied now, then those to be watched, in each group those
    with more reasons first.
    """

    drive_count: int
    older_dump_count: int
    models: tuple[Model, ...]
    unreadable: tuple[Member, ...]
    verdict_counts: dict[str, int] = field(default_factory=dict)
    to_do: tuple[ToDo, ...] = ()


def summarise(members: Sequence[Member]) -> Fleet:
    """The fleet of these members."""
    unreadable = tuple(member for member in members if member.reason)
    readable = [member for member in members if not member.reason]
    drives = newest_of_each(readable)
    by_model: dict[str, list[Member]] = {}
    by_family: dict[str, list[Member]] = {}
    for member in drives:
        by_model.setdefault(member.model, []).append(member)
        by_family.setdefault(member.family, []).append(member)
    models = sorted(
        (_model(name, together, by_family) for name, together in by_model.items()),
        key=lambda one: (-one.drive_count, one.model),
    )
    counts = {level: sum(one.verdict == level for one in drives) for level in (COPY_NOW, WATCH, GOOD, VERDICT_UNKNOWN)}
    to_do = _to_do(drives, models)
    return Fleet(len(drives), len(readable) - len(drives), tuple(models), unreadable, counts, to_do)


def _to_do(drives: Sequence[Member], models: Sequence[Model]) -> tuple[ToDo, ...]:
    standing: dict[str, list[str]] = {}
    for model in models:
        for one in model.outliers:
            standing.setdefault(one.path, []).append(one.reason)
    found = [
        ToDo(one.verdict, one.path, one.model, one.serial, one.statement, one.verdict_reasons, one.advice,
             tuple(standing.get(one.path, ())))
        for one in drives
        if one.verdict in (COPY_NOW, WATCH)
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda one: (one.level != COPY_NOW, -len(one.reasons), one.model, one.path)))


def newest_of_each(members: Sequence[Member]) -> list[Member]:
    """The newest dump of each drive, by date, else by power-on time; dumps of unknown drives are all kept."""
    newest: dict[str, Member] = {}
    for index, member in enumerate(members):
        key = member.identity or f"#{index}"
        if key not in newest or _age(member) >= _age(newest[key]):
            newest[key] = member
    return list(newest.values())


def _age(member: Member) -> tuple[float, float]:
    return member.taken_at_s or 0.0, float(member.values.get("power_on_time_hours", 0))


def _model(name: str, drives: list[Member], by_family: Mapping[str, Sequence[Member]]) -> Model:
    spreads, standing = {}, []
    families = {drive.family for drive in drives} - {UNKNOWN, ""}
    peers = [one for family in sorted(families) for one in by_family[family] if one.model != name]
    if len(drives) >= MEMBERS_AT_LEAST or len(families) != 1:
        peers = []
    for measure in MEASURES:
        numbers = [measure.number(drive.values) for drive in drives]
        told = [number for number in numbers if number is not None]
        if not told:
            continue
        low, median, high = (float(one) for one in np.quantile(np.array(told, dtype=float), [0.25, 0.5, 0.75]))
        spreads[measure.key] = Spread(len(told), median, low, high, min(told), max(told))
        for one in outliers(measure, numbers, [measure.number(peer.values) for peer in peers]):
            drive = drives[one.index]
            standing.append(Standing(drive.path, drive.serial, measure.key, one.value, one.median, one.reason))
    kinds = {drive.is_flash for drive in drives}
    return Model(
        model=name,
        families=tuple(sorted({drive.family for drive in drives})),
        is_flash=kinds.pop() if len(kinds) == 1 else None,
        drive_count=len(drives),
        contradicting_count=sum(drive.contradiction_count > 0 for drive in drives),
        spreads=spreads,
        outliers=tuple(standing),
    )


def fleet_json(fleet: Fleet) -> dict[str, Any]:
    """The fleet as plain data, for --json."""
    units = {measure.key: measure.unit for measure in MEASURES}
    return {
        "drive_count": fleet.drive_count,
        "older_dump_count": fleet.older_dump_count,
        "verdict_counts": fleet.verdict_counts,
        "to_do": [asdict(one) for one in fleet.to_do],
        "models": [
            {
                "model": model.model,
                "families": list(model.families),
                "is_flash": model.is_flash,
                "drive_count": model.drive_count,
                "contradicting_count": model.contradicting_count,
                "measures": {
                    key: {
                        "unit": units[key],
                        "count": spread.count,
                        "median": spread.median,
                        "quarter_below": spread.low,
                        "quarter_above": spread.high,
                        "least": spread.least,
                        "most": spread.most,
                    }
                    for key, spread in model.spreads.items()
                },
                "outliers": [
                    {
                        "path": one.path,
                        "serial": one.serial,
                        "measure": one.measure,
                        "value": one.value,
                        "median": one.median,
                        "reason": one.reason,
                    }
                    for one in model.outliers
                ],
            }
            for model in fleet.models
        ],
        "unreadable": [{"path": member.path, "reason": member.reason} for member in fleet.unreadable],
    }
