"""The mapping unit of a drive, from how long small writes take by size and alignment.

For each candidate unit U the law gives how many units a request of size S on a grid g covers completely and in part
(`laws/alignment.py`). The mean time per request is then fitted, with no cost below zero, in two ways:

    one after another   time = t0 + t_byte S  +  t_whole whole + t_partial partial + t_any any_partial
    side by side        time = the longer of the two halves of that sum (a buffer lets link and flash overlap)

t_any: a request with any partial unit waits for one read-modify-write, however many run at once.
The unit whose fitted times are closest to the measured ones is the answer. The second way can fit almost any table, so
it is used only when it fits clearly better than the first; where it fits equally well, its units are given as possible.
A model without units (bytes alone; in the second way with a bend where another limit begins) is compared in the same
way; when it fits the table as well, no unit is reported.

What tells units apart: the size up to which aligned writes cost the same (the first size that costs twice is 2 U),
the size from which they need no read (U), and the cost of crossing a border of units (1 + (S - g) / U). So the table
needs requests from well below to well above the unit, aligned to their own size and to any sector.
Not modelled here: requests joined in a write buffer; garbage collection that differs from cell to cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from flashscope.analysis.cost_models import longer_misfit, sum_misfit
from flashscope.laws.alignment import touched_units
from flashscope.records import Doubt
from flashscope.units import format_bytes_binary

LARGEST_UNIT_BYTES = 256 * 1024
_MODEL_ERROR_RATIO = 0.02  # no drive is described by five costs more exactly than this
_SCORE_MARGIN = 6.0  # 2 ln(likelihood ratio) above which a candidate is ruled out, about 95 % for one parameter
_ROUGH_RATIO, _ROUGH_MARGIN = 0.05, 12.0  # misfits this large come from the model: neighbouring cells share them
_POOR_RATIO = 0.15  # of the time: what fits no better than this says nothing where it says that there is no unit
_VAGUE_SPAN = 16  # candidates farther apart, "none" among them, say nothing
_OVERLAP_MARGIN = 10.0  # the same for preferring the model in which link and flash overlap
_CELLS_LEAST = 7
_REQUESTS_LEAST = 30


@dataclass(frozen=True)
class Cell:
    """One kind of write and how long it took on average at queue depth 1.

    request_bytes: size. grid_bytes: starts are random multiples of it. time_ns: mean per request, low_ns .. high_ns
    its 95 % interval. request_count: requests behind it.
    """

    request_bytes: int
    grid_bytes: int
    time_ns: float
    low_ns: float
    high_ns: float
    request_count: int

    @property
    def error_ratio(self) -> float:
        """Standard error of the time, as a share of it [ratio]."""
        return (self.high_ns - self.low_ns) / (2 * 1.96 * self.time_ns)


@dataclass(frozen=True)
class UnitEstimate:
    """The answer. unit_bytes: None when no unit is visible; low_bytes, high_bytes: the candidates not ruled out.

    misfit_ratio: root mean square of (fitted / measured - 1) of the answer. misfits: the same for every candidate
    [bytes -> ratio], 0 standing for the model without units. why_untold: why it cannot be told whether there is a unit;
    "" when it can.
    """

    unit_bytes: int | None
    low_bytes: int | None
    high_bytes: int | None
    misfit_ratio: float
    misfits: dict[int, float]
    doubts: tuple[Doubt, ...] = ()
    why_untold: str = ""


def candidates(sector_bytes: int) -> list[int]:
    """The candidate units [bytes]: powers of two above a sector, up to 256 KiB."""
    first = max(sector_bytes, 512).bit_length()
    return [1 << power for power in range(first, LARGEST_UNIT_BYTES.bit_length())]


def infer_mapping_unit(cells: Sequence[Cell], *, sector_bytes: int) -> UnitEstimate:
    """The mapping unit that fits the table of times best.

    cells: one entry per kind of write. sector_bytes: smallest request the drive accepts; units up to it cannot be seen.
    """
    usable = [cell for cell in cells if cell.time_ns > 0 and cell.request_count > 0]
    if len(usable) < _CELLS_LEAST:
        doubt = Doubt(
            "TooFewSamples",
            f"only {len(usable)} of the {_CELLS_LEAST} kinds of write that are needed were measured",
            "run the whole matrix",
        )
        return UnitEstimate(None, None, None, math.nan, {}, (doubt,), "too little of the matrix was measured")
    noise = float(np.mean([cell.error_ratio**2 for cell in usable]))
    designs = {unit: _design(usable, unit) for unit in (0, *candidates(sector_bytes))}
    misfits = {unit: sum_misfit(front, back) for unit, (front, back) in designs.items()}
    scores = _scores(misfits, len(usable), noise)
    sizes = [cell.request_bytes for cell in usable]
    overlapping = {unit: longer_misfit(front, back, sizes) for unit, (front, back) in designs.items()}
    overlapping_scores = _scores(overlapping, len(usable), noise)
    least, least_overlapping = min(scores.values()), min(overlapping_scores.values())
    as_good = [unit for unit, score in overlapping_scores.items() if score <= least]
    if least_overlapping < least - _OVERLAP_MARGIN:
        misfits, scores, as_good = overlapping, overlapping_scores, []
    best = min(scores, key=scores.__getitem__)
    margin = _ROUGH_MARGIN if misfits[best] > _ROUGH_RATIO else _SCORE_MARGIN
    possible = [unit for unit, score in scores.items() if score - scores[best] < margin or (unit and unit in as_good)]
    units = [unit for unit in possible if unit]
    if best and 0 in possible and (misfits[best] > _POOR_RATIO or max(units) > _VAGUE_SPAN * min(units)):
        why = f"no unit at all explains the times about as well as one of {format_bytes_binary(best)}"
        return UnitEstimate(None, None, None, misfits[best], misfits, tuple(_doubts_of_cells(usable)), why)
    return UnitEstimate(
        best or None,
        min(units) if best else None,
        max(units) if best else None,
        misfits[best],
        misfits,
        (*_doubts_of_cells(usable), *_doubts_of_answer(best, possible, misfits[best])),
        _why_untold(best, misfits[best], noise),
    )


def _design(cells: Sequence[Cell], unit_bytes: int) -> tuple[np.ndarray, np.ndarray]:
    """The parts of each cell's time, as shares of it: the front (request, bytes) and the back (units).

    Unit 0 stands for no units; the back is then bytes alone.
    """
    per_time = 1 / np.array([[cell.time_ns] for cell in cells])
    front = np.array([(1.0, float(cell.request_bytes)) for cell in cells])
    if not unit_bytes:
        return front * per_time, front[:, 1:] * per_time
    touched = [touched_units(cell.request_bytes, unit_bytes, cell.grid_bytes) for cell in cells]
    back = np.array([(t.whole, t.partial, t.any_partial_ratio) for t in touched])
    return front * per_time, back * per_time


def _scores(misfits: dict[int, float], count: int, noise: float) -> dict[int, float]:
    """Bayesian information criterion of each candidate; the noise is never taken as less than the measured one."""
    return {
        unit: count * math.log(misfit**2 + _MODEL_ERROR_RATIO**2 + noise) + (5 if unit else 2) * math.log(count)
        for unit, misfit in misfits.items()
    }


def _why_untold(best: int, misfit: float, noise: float) -> str:
    if best or max(misfit, math.sqrt(noise)) < _POOR_RATIO:
        return ""
    return (
        f"kinds of write differ by {100 * max(misfit, math.sqrt(noise)):.0f} % beside what size and alignment explain"
    )


def _doubts_of_cells(cells: Sequence[Cell]) -> list[Doubt]:
    thin = [cell for cell in cells if cell.request_count < _REQUESTS_LEAST]
    if not thin:
        return []
    message = f"{len(thin)} of {len(cells)} kinds of write have fewer than {_REQUESTS_LEAST} requests"
    return [Doubt("TooFewSamples", message, "let each kind of write run for longer")]


def _doubts_of_answer(best: int, possible: Sequence[int], misfit: float) -> list[Doubt]:
    doubts = []
    if not best:
        doubts.append(
            Doubt(
                "BufferMayHideIt",
                "a write buffer, a cache of the operating system or a smaller unit would look the same",
                "run the matrix on the block device itself, for longer and over a larger span",
            )
        )
    elif len(possible) > 1:
        names = ", ".join(format_bytes_binary(unit) if unit else "none" for unit in possible)
        doubts.append(Doubt("Ambiguous", f"these units explain the times about equally well: {names}", "run it again"))
    if misfit > _POOR_RATIO:
        message = f"the best model is still off by {100 * misfit:.0f} % on average"
        doubts.append(Doubt("PoorFit", message, "look at the table of times before relying on the unit"))
    return doubts
