"""How the raw numbers of each attribute are spread over the drives of a model: those that live, and those that failed.

Taken is the newest row of each drive; of a failed one that is the row of its last day.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.members import LIVING


@dataclass(frozen=True)
class AttributeSpread:
    """Raw numbers of one attribute over drives of a model. low, high: the 5 % and the 95 % quantile.

    failed: whether these are the failed drives. above_zero_ratio: of `count` drives.
    """

    model: str
    attribute_id: int
    failed: bool
    count: int
    low: float
    median: float
    high: float
    most: int
    above_zero_ratio: float


def spreads(keeper: Keeper) -> list[AttributeSpread]:
    """By model, attribute and condition; an attribute that no drive of a model reports is left out."""
    found: list[AttributeSpread] = []
    for id in keeper.attribute_ids():
        column = f"smart_{id}_raw"
        rows = keeper.query(
            f"SELECT l.model, failure_day IS NOT DISTINCT FROM last_day AS failed, count(*), "
            f"quantile_cont({column}, [0.05, 0.5, 0.95]), max({column}), avg(({column} > 0)::INTEGER) "
            f"FROM lives l JOIN last_rows r USING (model, serial) "
            f"WHERE {column} >= 0 AND (failure_day = last_day OR ({LIVING})) GROUP BY ALL"
        )
        found += [
            AttributeSpread(model, id, failed, count, at[0], at[1], at[2], most, above)
            for model, failed, count, at, most, above in rows
        ]
    return sorted(found, key=lambda one: (one.model, one.attribute_id, one.failed))
