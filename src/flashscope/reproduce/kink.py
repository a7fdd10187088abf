"""Where the line of bytes accepted by a drive bends: the moment at which a buffer or cache inside was full.

taken |        ,-----'  after
      |      ,'  <- the kink: the two lines meet
      |    ,'  before
      +--------------------- time
"""

from __future__ import annotations

import numpy as np

_NEAR = 0.2  # rows this near the expected time belong to neither line [share of that time]


def kink_s(series: dict[str, np.ndarray], about_s: float) -> float:
    """When the straight line of the bytes written well before `about_s` meets that of those well after [s].

    series: of a run, `elapsed_ns` and `written_bytes` of each row; it begins at 0 and goes on beyond about_s [s, > 0].
    """
    ends_s, taken = series["elapsed_ns"] / 1e9, np.cumsum(series["written_bytes"])
    before, behind = ends_s < (1 - _NEAR) * about_s, ends_s > (1 + _NEAR) * about_s
    early, early_start = np.polyfit(ends_s[before], taken[before], 1)
    # The last row may be shorter than the others.
    late, late_start = np.polyfit(ends_s[behind][:-1], taken[behind][:-1], 1)
    return float((late_start - early_start) / (early - late))
