"""Usual attribute numbers of quantities: weak evidence between equal hypotheses, and three common to all makers.

No family is recognised here and no attribute gets its meaning from its number alone. An unusual number makes a
hypothesis only a little less likely, so a drive with an unusual layout can still be learnt.
"""

from __future__ import annotations

HOURS_ID, CYCLES_ID = 9, 12
TEMPERATURE_IDS = (190, 194)

_USUAL_IDS = {
    "host_written_bytes": {225, 241, 246},
    "host_read_bytes": {242, 198},
    "nand_written_bytes": {233, 243, 245, 247, 248, 249, 251},
    "erase_count_average": {*range(163, 170), 173, 177, *range(206, 209), 244},
}
_USUAL, _UNUSUAL = 1.2, -0.4
"""ln of the factor by which a meaning is likelier at a usual number, and less likely at another."""


def place_evidence(key: str, id: int) -> float:
    """Evidence for a meaning from the attribute's number alone [ln of a likelihood ratio]."""
    usual = _USUAL_IDS.get(key)
    return 0.0 if usual is None else _USUAL if id in usual else _UNUSUAL


def is_usual_place(key: str, id: int) -> bool:
    """Whether several makers keep this quantity under this number."""
    return id in _USUAL_IDS.get(key, ())
