"""A table of cells made coarser without moire: each new cell is the mean of all it covers, by area.

    10 cells  |..|..|..|..|..|..|..|..|..|..|
     4 cells  |     |     |     |     |            2.5 old ones each; the one on an edge counts for both, by its share

A picture that shows the nearest old cell instead picks every second or third one, and a regular pattern (one die in
four is fuller) then shows up as stripes that are not there.
"""

from __future__ import annotations

import numpy as np


def coarser(values: np.ndarray, edges: np.ndarray, count: int) -> np.ndarray:
    """Means over `count` equal stretches of the first axis.

    values: shape (cells, ...); NaN where nothing is known: a mean is over the known part, NaN without any.
    edges: where the cells begin and end, rising, shape (cells + 1,).
    """
    known = np.isfinite(values)
    wanted = np.linspace(edges[0], edges[-1], count + 1)
    amount = _until(np.where(known, values, 0.0), edges, wanted)
    share = _until(known.astype(float), edges, wanted)
    weight = np.diff(share, axis=0)
    means: np.ndarray = np.diff(amount, axis=0) / np.where(weight > 0, weight, np.nan)
    return means


def _until(values: np.ndarray, edges: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The integral of the cells from the first edge to each wanted place."""
    lengths = np.diff(edges).reshape(-1, *[1] * (values.ndim - 1))
    reached = np.concatenate([np.zeros_like(values[:1]), np.cumsum(values * lengths, axis=0)])
    cell = np.clip(np.searchsorted(edges, wanted, side="right") - 1, 0, len(values) - 1)
    into = (wanted - edges[cell]).reshape(-1, *[1] * (values.ndim - 1))
    integral: np.ndarray = reached[cell] + values[cell] * into
    return integral
