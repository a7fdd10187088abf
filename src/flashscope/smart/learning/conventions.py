"""Usual attribute numbers of quantities: weak evidence between equal hypotheses, and three common to all makers.

No family is recognised here and no attribute gets its meaning from its number alone. An unusual number makes a
hypothesis only a little less likely, so a drive with an unusual layout can still be learnt.
"""

from __future__ import annotations

HOURS_ID, CYCLES_ID = 9, 12
TEMPERATURE_IDS = (190, 194)
TIMED_WEAR_ID = 226
WORKLOAD_TIMER_IDS = (TIMED_WEAR_ID, 227, 228)

_USUAL_IDS = {
    "host_written_bytes": {225, 241, 246},
    "host_read_bytes": {242, 198},
    "nand_written_bytes": {233, 243, 245, 247, 248, 249, 251},
    "erase_count_average": {*range(163, 170), 173, 177, *range(206, 209), 244},
    "unexpected_power_loss_count": {174, 192, 235},
    "timed_wear_percent": {TIMED_WEAR_ID},
}
_USUAL, _UNUSUAL, _OF_ANOTHER = 1.2, -0.4, -1.5
"""ln of the factor by which a meaning is likelier at a usual number, less likely at one that no quantity is usual at,
and less likely at one where several makers keep another quantity."""


def place_evidence(key: str, id: int) -> float:
    """Evidence for a meaning from the attribute's number alone [ln of a likelihood ratio]."""
    usual = _USUAL_IDS.get(key)
    if usual is None:
        return 0.0
    if id in usual:
        return _USUAL
    return _OF_ANOTHER if any(id in places for places in _USUAL_IDS.values()) else _UNUSUAL


def is_usual_place(key: str, id: int) -> bool:
    """Whether several makers keep this quantity under this number."""
    return id in _USUAL_IDS.get(key, ())
