"""From the options of an endurance run (when to stop, which load) to its conditions."""

from __future__ import annotations

from dataclasses import replace

from flashscope.endurance.goal import parse_goal
from flashscope.endurance.life import Conditions
from flashscope.endurance.load import WearLoad
from flashscope.errors import WrongUse
from flashscope.vocabulary import WEAR_PATTERN_NAMES

_CHECKPOINTS_TO_RATING = 10
_READ_BYTES_OF_MANY = 64 << 20


def conditions_of(address: str, rated_pe_cycles: int, until: str, workload: str, static_ratio: float) -> Conditions:
    """The conditions of one life. Raises WrongUse when they make no sense for a drive with that rating."""
    if not rated_pe_cycles:
        raise WrongUse(f"{address} states no rating", accepted="a part with rated cycles")
    goal = parse_goal(until, rated_pe_cycles)
    pattern = next((one for one in WEAR_PATTERN_NAMES if one == workload), None)
    if pattern is None:
        raise WrongUse(
            f"a virtual drive is not worn with --workload {workload}", accepted=", ".join(WEAR_PATTERN_NAMES)
        )
    shortest = min(rated_pe_cycles, goal.erase_count or rated_pe_cycles)
    return Conditions(
        load=WearLoad(pattern=pattern, static_ratio=static_ratio),
        goal=goal,
        checkpoint_cycles=max(1, shortest // _CHECKPOINTS_TO_RATING),
    )


def for_many(conditions: Conditions) -> Conditions:
    """The same for one of many drives: half as many checkpoints, a smaller sample at each."""
    return replace(conditions, checkpoint_cycles=conditions.checkpoint_cycles * 2, read_bytes=_READ_BYTES_OF_MANY)
