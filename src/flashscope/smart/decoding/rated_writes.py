"""How many bytes a maker promises that the host may write (TBW), by model and capacity; from public data sheets.

    "Samsung SSD 870 EVO 1TB", 1 000 204 886 016 bytes  -->  600 TB, the data sheet's name, "documented"

The tables are parts/smart/rated-writes/MAKER.toml; each family names the page on which its numbers were seen. A model
must match a pattern from its first to its last character, and the capacity a row of that pattern, since the promise
differs by size. A drive that matches nothing gets no promise; none is computed from other sizes.
Not read here: the years of the warranty, which may end before the bytes are written; the pages themselves: they were
compared once, and a later change by the maker is not noticed.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.documents import documents
from flashscope.smart.dump import Dump
from flashscope.units import parse

CAPACITY_DIFFERS_RATIO = 0.03
"""How far a drive's capacity may be from the announced one. A family with two sizes nearer to each other is refused,
unless both have the same promise."""

PROVENANCE = "documented"
_ACCEPTED = "TOML, as parts/smart/rated-writes/samsung.toml"
_KEYS = {"title", "model", "source", "seen", "rated"}
_WEB_ADDRESS = re.compile(r"https?://\w[^\s/]*\.[^\s/]+/\S+")


@dataclass(frozen=True)
class PromisedWrites:
    """rated_bytes: that the host may write. title: the maker's name of the drive. source: the data sheet and its date.

    seen_at: the address of the page with the number: the maker's own, or one that quotes the maker.
    """

    rated_bytes: int
    title: str
    source: str
    seen_at: str
    provenance: str = PROVENANCE


@dataclass(frozen=True)
class RatedModel:
    """One family of a maker. model: what the whole printed model must match. rated: capacity [bytes] -> promise."""

    model: re.Pattern[str]
    rated: Mapping[int, PromisedWrites]

    def promise(self, model: str, user_bytes: int) -> PromisedWrites | None:
        """The promise for a drive of that model and capacity; None when either does not belong to this family."""
        if self.model.fullmatch(model) is None:
            return None
        nearest = min(self.rated, key=lambda capacity_bytes: abs(capacity_bytes - user_bytes))
        fits = abs(nearest - user_bytes) <= CAPACITY_DIFFERS_RATIO * nearest
        return self.rated[nearest] if fits else None


def promised_writes(dump: Dump) -> PromisedWrites | None:
    """The promise of a drive's maker; None when its model or capacity is unknown or in no table."""
    if not dump.model or not dump.user_bytes:
        return None
    return _promised(" ".join(dump.model.split()), dump.user_bytes)


@cache
def _promised(model: str, user_bytes: int) -> PromisedWrites | None:
    found = (one.promise(model, user_bytes) for one in rated_models())
    return next((one for one in found if one is not None), None)


@cache
def rated_models() -> tuple[RatedModel, ...]:
    """All families in the tables that come with flashscope, by name of file."""
    files = documents("rated-writes").items()
    return tuple(one for name, (text, rows) in files for one in _families(rows, text, name))


def parse_rated_writes(text: str, *, label: str) -> tuple[RatedModel, ...]:
    """The families in a table (TOML); `label` names it in messages.

    Raises WrongUse, with the line where the family begins: not TOML, missing or unknown keys, an invalid pattern,
    a page seen that is no web address, sizes without a unit, a capacity given twice or too near another one.
    """
    try:
        rows = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WrongUse(f"{label} is no table of rated writes: {error}", accepted=_ACCEPTED) from None
    return _families(rows, text, label)


def _families(rows: Mapping[str, Any], text: str, label: str) -> tuple[RatedModel, ...]:
    families = rows.get("family")
    if rows.keys() != {"maker", "family"} or not isinstance(families, list) or not isinstance(rows["maker"], str):
        raise WrongUse(f"{label} is no table of rated writes: it needs `maker` and [[family]]", accepted=_ACCEPTED)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip() == "[[family]]"]
    if len(lines) != len(families):
        raise WrongUse(f"{label}: each family begins with a line [[family]]", accepted=_ACCEPTED)
    return tuple(
        _family(row, rows["maker"], f"{label}, line {line}") for row, line in zip(families, lines, strict=True)
    )


def _family(row: Any, maker: str, place: str) -> RatedModel:
    try:
        if strange := sorted(row.keys() ^ _KEYS):
            raise ValueError(f"{', '.join(strange)} missing or unknown; a family has {', '.join(sorted(_KEYS))}")
        if not re.search(r"\b(19|20)\d\d\b", row["source"]):
            raise ValueError(f"source {row['source']!r} names no year")
        if not _WEB_ADDRESS.fullmatch(row["seen"]):
            raise ValueError(f"seen {row['seen']!r} is no web address: it begins with https:// or http://")
        rated = dict(_rated(row, maker))
        if len(rated) < len(row["rated"]):
            raise ValueError("a capacity stands twice")
        _refuse_near_capacities(rated)
        return RatedModel(re.compile(row["model"]), rated)
    except (ValueError, TypeError, AttributeError, re.error, WrongUse) as error:
        raise WrongUse(
            f"{place}: {error}",
            accepted='title = "870 EVO", model = "a pattern", source = "data sheet, year", '
            'seen = "https://a.page/of/it", rated = { "1 TB" = "600 TB" }',
        ) from None


def _rated(row: Mapping[str, Any], maker: str) -> Iterable[tuple[int, PromisedWrites]]:
    if not row["rated"]:
        raise ValueError("rated is empty")
    for capacity, promise in row["rated"].items():
        capacity_bytes, rated_bytes = (parse(size, "bytes", key="rated") for size in (capacity, promise))
        if not 1 <= rated_bytes / capacity_bytes <= 100_000:
            raise ValueError(f"{promise} for {capacity} is {rated_bytes / capacity_bytes:.3g} times the drive")
        title = f"{maker} {row['title']}"
        yield int(capacity_bytes), PromisedWrites(int(rated_bytes), title, row["source"], row["seen"])


def _refuse_near_capacities(rated: Mapping[int, PromisedWrites]) -> None:
    capacities = sorted(rated)
    for smaller, larger in pairwise(capacities):
        if larger - smaller <= CAPACITY_DIFFERS_RATIO * smaller and rated[smaller] != rated[larger]:
            raise ValueError(f"{smaller} and {larger} bytes are too near each other to tell apart")
