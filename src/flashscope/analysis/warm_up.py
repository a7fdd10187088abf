"""How many first rows of a series are warm-up: the cut with the least standard error of the remaining mean (MSER-5).

    rate | .
         |  . . .
         |       . : . ' . : . ' .        the rows before the cut are left out, and their number is reported
         +-------|-------------------> rows
                cut

Rows are taken in batches of five; for each cut in the first half the squared standard error of the mean of what is left
is computed, and the smallest wins. Source: K. P. White, "An effective truncation heuristic for bias reduction in
simulation output", Simulation 69 (1997). Not found by it: a change after half of the run (`change_points.py` is for
that).
"""

from __future__ import annotations

import numpy as np

_BATCH_ROWS = 5


def warm_up_rows(values: np.ndarray) -> int:
    """Rows to leave out at the beginning [rows], a multiple of five, at most half of them.

    values: the tracked quantity per row of equal length, shape (rows,). Zero for fewer than 20 rows.
    """
    batches = len(values) // _BATCH_ROWS
    if batches < 4:
        return 0
    means = np.asarray(values[: batches * _BATCH_ROWS], dtype=float).reshape(batches, _BATCH_ROWS).mean(axis=1)
    # Sums from the end, so that every cut costs the same.
    left = np.arange(batches, 0, -1)
    total = np.cumsum(means[::-1])[::-1]
    squares = np.cumsum(means[::-1] ** 2)[::-1]
    errors = (squares - total**2 / left) / left**2
    return int(np.argmin(errors[: batches // 2 + 1])) * _BATCH_ROWS
