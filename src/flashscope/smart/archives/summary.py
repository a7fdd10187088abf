"""What an archive says: how often and at what age drives of each model fail, what to do about which living drive, how
the attributes are spread, and all that was doubted or not read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from flashscope.smart.archives.attributes import AttributeSpread, spreads
from flashscope.smart.archives.batch import Doubt
from flashscope.smart.archives.day_files import NotRead
from flashscope.smart.archives.keeper import Keeper, Totals
from flashscope.smart.archives.likeness import Comparison, compare_with_failed
from flashscope.smart.archives.lives import lives_by_model
from flashscope.smart.archives.members import members_of
from flashscope.smart.archives.survival import DAYS_PER_YEAR, Curve, Rate, Survival, survival_of
from flashscope.smart.fleets.summary import Fleet, fleet_json
from flashscope.smart.fleets.summary import summarise as of_members


@dataclass(frozen=True)
class Archive:
    """models: those with most drives first. not_read: files of this run. known_count: files that were read before.

    fleet: the living drives with their verdicts, None where these were not asked for.
    """

    totals: Totals
    models: tuple[Survival, ...]
    doubts: tuple[Doubt, ...]
    not_read: tuple[NotRead, ...] = ()
    known_count: int = 0
    fleet: Fleet | None = None
    comparisons: tuple[Comparison, ...] = ()
    spreads: tuple[AttributeSpread, ...] = ()


@dataclass(frozen=True)
class Share:
    """Of the drives of from_years, the share that reaches to_years, with its interval."""

    from_years: float
    to_years: float
    ratio: float
    low: float
    high: float


def summarise(
    keeper: Keeper,
    not_read: Sequence[NotRead] = (),
    known_count: int = 0,
    *,
    verdicts: bool = False,
    workers: int | None = None,
) -> Archive:
    """All that the database says. verdicts: also judge each living drive. workers: processes that judge."""
    models = tuple(survival_of(lives) for lives in lives_by_model(keeper))
    taken_back = [one.lives for one in models if one.lives.taken_back]
    doubts = list(keeper.doubts())
    if taken_back:
        count = sum(one.taken_back for one in taken_back)
        doubts.append(Doubt("drives marked as failed that were seen again, and count as living then", count,
                            tuple(one.model for one in taken_back[:3])))  # fmt: skip
    return Archive(
        keeper.totals(),
        models,
        tuple(doubts),
        tuple(not_read),
        known_count,
        of_members(members_of(keeper, workers)) if verdicts else None,
        tuple(compare_with_failed(keeper)),
        tuple(spreads(keeper)),
    )


def shares(curve: Curve) -> list[Share]:
    """The survival at each whole year that the curve covers, and at its end."""
    first = int(np.floor(curve.from_days / DAYS_PER_YEAR)) + 1
    years = [*range(first, int(curve.to_days / DAYS_PER_YEAR) + 1), curve.to_days / DAYS_PER_YEAR]
    found = []
    for year in years:
        told = curve.at(year * DAYS_PER_YEAR)
        if told is not None:
            found.append(Share(curve.from_days / DAYS_PER_YEAR, float(year), *told))
    return found


def archive_json(archive: Archive) -> dict[str, Any]:
    """The archive as plain data, for --json."""
    totals = archive.totals
    return {
        "drive_count": totals.drive_count,
        "row_count": totals.row_count,
        "file_count": totals.file_count,
        "first_day": totals.first_day and totals.first_day.isoformat(),
        "last_day": totals.last_day and totals.last_day.isoformat(),
        "files_read_before": archive.known_count,
        "doubts": [{"kind": one.kind, "count": one.count, "examples": list(one.examples)} for one in archive.doubts],
        "not_read": [{"name": one.name, "reason": one.reason} for one in archive.not_read],
        "models": [_model_json(one) for one in archive.models],
        "living": fleet_json(archive.fleet) if archive.fleet is not None else None,
        "compared_with_failed": [asdict(one) for one in archive.comparisons],
        "attributes": [asdict(one) for one in archive.spreads],
    }


def _model_json(one: Survival) -> dict[str, Any]:
    lives = one.lives
    return {
        "model": lives.model,
        "drive_count": lives.drive_count,
        "living_count": lives.living_count,
        "drive_days": lives.drive_days,
        "failure_count": lives.failure_count,
        "failures_per_year": _rate_json(one.rate),
        "age_is": "power-on time" if lives.by_power_on_time else "days since the first row",
        "drives_left_out_of_the_curve": lives.left_out,
        "survival": _curve_json(one.curve),
        "missing": list(one.missing),
    }


def _rate_json(rate: Rate | None) -> dict[str, float] | None:
    return None if rate is None else {"ratio": rate.per_year, "low": rate.low, "high": rate.high}


def _curve_json(curve: Curve | None) -> dict[str, Any] | None:
    if curve is None:
        return None
    return {
        "from_days": curve.from_days,
        "to_days": curve.to_days,
        "age_days": curve.ages_days.tolist(),
        "ratio": curve.survival.tolist(),
        "low": curve.low.tolist(),
        "high": curve.high.tolist(),
        "at_risk": curve.at_risk.tolist(),
        "failures": curve.failures.tolist(),
    }
