"""Living drives whose numbers look like those of drives on the day they failed.

    score = sum over attributes of log( share of failed drives at this level / share of living drives at this level )

A level is a decade of an attribute's raw number: 0, 1 to 9, 10 to 99, 100 to 999, more; a missing number adds nothing.
Each level counts SHRINKAGE_DRIVES further drives, of which as many failed as of all, so that a level that few drives
have decides little. A model with few failures is compared with the drives of all models.

A drive is named when its score is above that of 99 of 100 living drives. What that is worth is measured on drives that
the shares were not made of, in FOLDS parts: recall is the share of failed drives that would have been named on their
last day, false alarms the share of living ones that are. Where recall is not clearly above the false alarms, none is
named.

Not modelled here: how many days before its failure a drive would have been named, since of earlier days no whole row is
kept; and that attributes move together (197 and 198 are often the same), which makes scores too high, but not
recall and false alarms.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flashscope.laws.distributions import share_interval
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.members import LIVING

ATTRIBUTES = (5, 10, 184, 187, 188, 196, 197, 198, 199)
"""Counts of what went wrong, which mean much the same on all disks and many solid-state drives."""
FAILED_OF_MODEL_LEAST = 20
FAILED_LEAST = 10
LIVING_LEAST = 100
FALSE_ALARM_RATIO = 0.01
SHRINKAGE_DRIVES = 10.0
FOLDS = 5
OTHER_MODELS = "other models"
"""Those with few failures, which are compared with the drives of all models."""

_LEVELS = 5
_ABSENT = _LEVELS

Levels = NDArray[np.int64]
Flags = NDArray[np.bool_]
Ratio = tuple[float, float, float]
"""A ratio and its interval."""


@dataclass(frozen=True)
class Likeness:
    """A living drive that looks like failed ones. score: natural logarithm. reasons: the attributes, in words."""

    model: str
    serial: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """A model's drives, or those of all models with few failures. recall, false_alarms: with exact 95 % intervals.

    failed_count, living_count: of these drives. compared_count: failed drives, of all models where these have few.
    silent: why no drive is named, in words; empty where drives may be.
    """

    model: str
    failed_count: int
    living_count: int
    compared_count: int
    recall: Ratio | None
    false_alarms: Ratio | None
    silent: str
    alike: tuple[Likeness, ...] = ()


@dataclass(frozen=True)
class _Drives:
    models: NDArray[np.object_]
    serials: NDArray[np.object_]
    failed: Flags
    raw: NDArray[np.float64]  # NaN: not reported
    levels: Levels
    folds: Levels

    def only(self, which: Flags) -> _Drives:
        return _Drives(*(getattr(self, name)[which] for name in self.__dataclass_fields__))


def compare_with_failed(keeper: Keeper) -> list[Comparison]:
    """The models with enough failures one by one, then all others together."""
    drives = _drives(keeper)
    if drives is None:
        return []
    own = [
        model for model in sorted(set(drives.models))
        if np.sum(drives.failed & (drives.models == model)) >= FAILED_OF_MODEL_LEAST
        and np.sum(~drives.failed & (drives.models == model)) >= LIVING_LEAST
    ]  # fmt: skip
    found = []
    for model in own:
        of_model = drives.only(drives.models == model)
        found.append(_compared(str(model), of_model, of_model))
    others = drives.only(~np.isin(drives.models, own))
    if len(others.failed):
        found.append(_compared(OTHER_MODELS, others, drives))
    return found


def _drives(keeper: Keeper) -> _Drives | None:
    ids = [id for id in ATTRIBUTES if id in keeper.attribute_ids()]
    columns = keeper.columns(
        "SELECT model, serial, failure_day IS NOT DISTINCT FROM last_day AS failed"
        + "".join(f", smart_{id}_raw AS a{id}" for id in ids)
        + f" FROM lives JOIN last_rows USING (model, serial) WHERE failure_day = last_day OR ({LIVING}) "
        "ORDER BY model, serial"
    )
    if not columns:
        return None
    count = len(columns["model"])
    raw = np.full((count, len(ATTRIBUTES)), np.nan)
    for id in ids:
        raw[:, ATTRIBUTES.index(id)] = np.ma.filled(np.ma.asarray(columns[f"a{id}"]).astype(float), np.nan)
    models, serials = (np.asarray(columns[name], dtype=object) for name in ("model", "serial"))
    failed = np.asarray(np.ma.filled(columns["failed"], False), dtype=bool)
    folds = np.array([zlib.crc32(str(one).encode("utf-8", "replace")) % FOLDS for one in serials], dtype=np.int64)
    told = ~np.all(np.isnan(raw), axis=1)  # the last row of a failed drive is often empty
    return _Drives(models, serials, failed, raw, levels_of(raw), folds).only(told)


def levels_of(raw: NDArray[np.float64]) -> Levels:
    """The level of each raw number: 0 for 0, then one for each decade; a level of its own where there is none."""
    with np.errstate(invalid="ignore"):
        found = np.where(raw < 1, 0, np.floor(np.log10(np.maximum(raw, 1))) + 1)
    levels: Levels = np.where(np.isnan(raw) | (raw < 0), _ABSENT, np.minimum(found, _LEVELS - 1)).astype(np.int64)
    return levels


def weights_of(levels: Levels, failed: Flags) -> NDArray[np.float64]:
    """The logarithm of the likelihood ratio of each level, by attribute: 0 where nothing is known."""
    weights = np.zeros((levels.shape[1], _LEVELS + 1))
    for attribute in range(levels.shape[1]):
        bad = np.bincount(levels[failed, attribute], minlength=_LEVELS + 1)[:_LEVELS].astype(float)
        good = np.bincount(levels[~failed, attribute], minlength=_LEVELS + 1)[:_LEVELS].astype(float)
        if not bad.sum() or not good.sum():
            continue
        share = bad.sum() / (bad.sum() + good.sum())
        odds = (bad + SHRINKAGE_DRIVES * share) / (good + SHRINKAGE_DRIVES * (1 - share))
        weights[attribute, :_LEVELS] = np.log(odds * good.sum() / bad.sum())
    return weights


def _scores(weights: NDArray[np.float64], levels: Levels) -> NDArray[np.float64]:
    scores: NDArray[np.float64] = weights[np.arange(levels.shape[1]), levels].sum(axis=1)
    return scores


def _limit(scores: NDArray[np.float64]) -> float:
    """The score that one of a hundred living drives is above, or 0."""
    return max(0.0, float(np.quantile(scores, 1 - FALSE_ALARM_RATIO, method="higher")))


def _compared(name: str, drives: _Drives, trained_on: _Drives) -> Comparison:
    """The comparison of drives with all that the shares are made of, which contain them."""
    failed, living = int(np.sum(drives.failed)), int(np.sum(~drives.failed))
    known = int(np.sum(trained_on.failed))
    if known < FAILED_LEAST or np.sum(~trained_on.failed) < LIVING_LEAST:
        silent = f"{known} failed drives with numbers of their last day, and {FAILED_LEAST} are needed"
        if known >= FAILED_LEAST:
            silent = f"{np.sum(~trained_on.failed)} living drives, and {LIVING_LEAST} are needed"
        return Comparison(name, failed, living, known, None, None, silent)
    named = np.zeros(len(drives.failed), dtype=bool)
    for fold in range(FOLDS):
        rest = trained_on.only(trained_on.folds != fold)
        weights = weights_of(rest.levels, rest.failed)
        limit = _limit(_scores(weights, rest.levels[~rest.failed]))
        held = drives.folds == fold
        named[held] = _scores(weights, drives.levels[held]) > limit
    recall = exact_ratio(int(np.sum(named & drives.failed)), failed)
    false_alarms = exact_ratio(int(np.sum(named & ~drives.failed)), living)
    if recall is None or false_alarms is None or recall[1] <= false_alarms[2]:
        return Comparison(name, failed, living, known, recall, false_alarms,
                          "the numbers of failed drives do not differ enough from those of living ones")  # fmt: skip
    return Comparison(name, failed, living, known, recall, false_alarms, "", _alike(drives, trained_on))


def _alike(drives: _Drives, trained_on: _Drives) -> tuple[Likeness, ...]:
    weights = weights_of(trained_on.levels, trained_on.failed)
    limit = _limit(_scores(weights, trained_on.levels[~trained_on.failed]))
    scores = _scores(weights, drives.levels)
    which = np.flatnonzero(~drives.failed & (scores > limit))
    found = []
    for index in which:
        shares = weights[np.arange(len(ATTRIBUTES)), drives.levels[index]]
        order = [one for one in np.argsort(-shares, kind="stable") if shares[one] > 0][:3]
        reasons = tuple(
            f"attribute {ATTRIBUTES[one]} is {drives.raw[index, one]:.0f}, {np.exp(shares[one]):.3g} times as "
            "frequent on failed drives"
            for one in order
        )
        found.append(Likeness(str(drives.models[index]), str(drives.serials[index]), float(scores[index]), reasons))
    return tuple(sorted(found, key=lambda one: (-one.score, one.model, one.serial)))


def exact_ratio(count: int, of: int) -> Ratio | None:
    """A share with its exact interval; None of nothing."""
    return (count / of, *share_interval(count, of)) if of else None
