"""How much more space must stay free for random writes to cost half as much flash, by the law of greedy collection.

    spare now     Sf    from the measured amplification A (`spare_area.py`)
    spare then    1 - (1 - Sf)(1 - x)    with the share x of the host's space never written, or trimmed

Assumed: as in `spare_area.py`; the free space is really free (unpartitioned from new, or trimmed).
"""

from __future__ import annotations

from flashscope.dossier.derived.spare_area import amplification_at, spare_at

_SHARES = (0.05, 0.1, 0.15, 0.2, 0.25)
_FOR_HALF = 0.55


def free_share_that_halves(amplification: float, unit_bytes: float) -> tuple[float, float] | None:
    """(the share to leave free, the amplification then), [ratio, times]; None where no reasonable share helps.

    amplification: measured with random 4 KiB writes. unit_bytes: of the map.
    """
    spare = spare_at(amplification, unit_bytes)
    if spare is None:
        return None
    for share in _SHARES:
        then = amplification_at(1 - (1 - spare) * (1 - share), unit_bytes)
        if then <= _FOR_HALF * amplification:
            return share, then
    return None
