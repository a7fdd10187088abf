"""Fit measured times by costs that are not negative: parts that add up, or parts that overlap.

A design has one row per kind of request and one column per cost, each divided by the measured time of its row. A
perfect fit thus gives 1 in every row, and the misfit is relative.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

_ROUNDS = 12


def sum_misfit(*parts: np.ndarray) -> float:
    """Root mean square relative error of the best fit by a sum of all columns [ratio].

    parts: designs of equal row count, shape (rows, costs), put side by side.
    """
    design = np.hstack(parts)
    return _misfit(design @ _costs(design))


def longer_misfit(front: np.ndarray, back: np.ndarray, sizes: Sequence[float]) -> float:
    """The same for a time that is the longer of two sums, front and back, which run side by side [ratio].

    Each row belongs to the part that is longer there. The costs and the part of each row are improved in turn. The
    problem has many local minima, so there are several starts: the front has the requests up to some size, or from
    some size on. sizes: request size of each row [bytes], shape (rows,).
    """
    scale = np.asarray(sizes)
    limits = (0.0, *sorted(set(sizes)))
    return min(_improved(front, back, start) for limit in limits for start in (scale <= limit, scale > limit))


def _improved(front: np.ndarray, back: np.ndarray, in_front: np.ndarray) -> float:
    """The least misfit found while rows move between the two parts, until no row moves any more."""
    best, seen = math.inf, set()
    for _ in range(_ROUNDS):
        if in_front.tobytes() in seen:
            break
        seen.add(in_front.tobytes())
        front_costs = _costs(front[in_front]) if in_front.any() else np.zeros(front.shape[1])
        back_costs = _costs(back[~in_front]) if not in_front.all() else np.zeros(back.shape[1])
        front_share, back_share = front @ front_costs, back @ back_costs
        best = min(best, _misfit(np.maximum(front_share, back_share)))
        in_front = front_share >= back_share
    return best


def _costs(design: np.ndarray) -> np.ndarray:
    from scipy.optimize import nnls

    scale = design.max(axis=0)
    scale[scale == 0] = 1.0
    costs, _ = nnls(design / scale, np.ones(len(design)))
    return np.asarray(costs / scale)


def _misfit(explained: np.ndarray) -> float:
    return float(np.sqrt(np.mean((explained - 1) ** 2)))
