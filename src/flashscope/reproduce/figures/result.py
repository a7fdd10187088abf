"""The model's value for a published figure, and how close the model is over many figures."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flashscope.drives.parts.published_figures import Figure

CLOSE_RATIO = 0.3
"""Errors up to this count as close in summaries [share of the published value]."""


@dataclass(frozen=True)
class Result:
    """One figure.

    model: in the figure's unit, None when no scenario yields it; note: why. fitted: a part was fitted to this figure.
    """

    figure: Figure
    model: float | None
    fitted: bool
    note: str = ""

    @property
    def error_ratio(self) -> float | None:
        """How far the model is off [share of the published value]; None without a value on either side."""
        if self.model is None or self.figure.value in (None, 0):
            return None
        return self.model / self.figure.value - 1

    def as_plain(self) -> dict[str, Any]:
        """The row for other programs."""
        return {
            "model": self.model,
            "unit": self.figure.unit,
            "fitted": self.fitted,
            "published": self.figure.value,
            "error_ratio": self.error_ratio,
            "note": self.note,
        }


@dataclass(frozen=True)
class Score:
    """The scores of a group of figures.

    count: rows. compared: with a value on both sides. predicted: without a published value, with one of the model.
    median_error_ratio, close_share_ratio: over the compared ones; None without any.
    """

    count: int
    compared: int
    predicted: int
    missing: int
    median_error_ratio: float | None
    close_share_ratio: float | None


def score(results: Sequence[Result]) -> Score:
    """The median of the absolute errors, and the share of them up to CLOSE_RATIO."""
    errors = [abs(error) for result in results if (error := result.error_ratio) is not None]
    return Score(
        count=len(results),
        compared=len(errors),
        predicted=sum(result.model is not None and result.figure.value is None for result in results),
        missing=sum(result.model is None for result in results),
        median_error_ratio=statistics.median(errors) if errors else None,
        close_share_ratio=sum(error <= CLOSE_RATIO for error in errors) / len(errors) if errors else None,
    )
