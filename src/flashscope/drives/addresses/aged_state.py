"""Aged states: names in an address for the state that a drive has after long use.

    full                             every sector written once, in order
    steady                           full, then overwritten at random until nothing changes any more
    worn                             steady, and its flash has been erased as often as it is rated for
    fill:0.8,random,erases:3000      each property by itself; a property that is not named is as in `full`

Reading a state builds nothing. Whether a drive can be in it is checked when the drive is built.
See docs/reference/aged-states.md.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace

from flashscope import units
from flashscope.errors import WrongUse
from flashscope.vocabulary import Overwrites

ACCEPTED = "full, steady, worn, or parts such as fill:0.8,random,erases:3000,spread:0.05"
_WORN_SPREAD_RATIO = 0.05
_PARTS = ("fill", "random", "erases", "spread")
_MOST_ERASES = 10**6


@dataclass(frozen=True)
class AgedState:
    """A state a virtual drive can be put into at once.

    fill_ratio: share of the user space that holds data, from address 0 [0..1].
    overwrites: "none", written once in order; "random", then overwritten to the steady state.
    erase_count_mean: mean erase cycles of the blocks; 0: what writing the state takes; None: the rated cycles.
    erase_count_spread_ratio: standard deviation of these cycles, as a share of the mean.
    """

    fill_ratio: float = 1.0
    overwrites: Overwrites = "none"
    erase_count_mean: int | None = 0
    erase_count_spread_ratio: float = 0.0


_NAMED = {
    "full": AgedState(),
    "steady": AgedState(overwrites="random"),
    "worn": AgedState(overwrites="random", erase_count_mean=None, erase_count_spread_ratio=_WORN_SPREAD_RATIO),
}


def parse_aged_state(text: str) -> AgedState:
    """The state that `text` names. Raises WrongUse, with the nearest accepted form, for anything else."""
    if text in _NAMED:
        return _NAMED[text]
    state = AgedState()
    given: set[str] = set()
    for part in text.split(","):
        name, colon, value = part.partition(":")
        if name not in _PARTS or (colon == "") != (name == "random"):
            raise _unknown(text, part)
        if name in given:
            raise _refused(text, f"gives {name} twice", ACCEPTED)
        given.add(name)
        if name == "random":
            state = replace(state, overwrites="random")
        elif name == "fill":
            state = replace(state, fill_ratio=_ratio(text, name, value))
        elif name == "spread":
            state = replace(state, erase_count_spread_ratio=_ratio(text, name, value))
        else:
            state = replace(state, erase_count_mean=_count(text, value))
    return state


def _ratio(text: str, name: str, value: str) -> float:
    try:
        ratio = float(value)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        advice = "as a ratio: 80 % is 0.8" if value.rstrip("%").replace(".", "", 1).isdigit() else ""
        raise _refused(text, f"has {name} {value!r}", f"{name}:RATIO from 0 to 1", advice)
    return ratio


def _count(text: str, value: str) -> int:
    erases = units.whole_number(value)
    if erases is None or erases > _MOST_ERASES:
        raise _refused(text, f"has erases {value!r}", f"erases:CYCLES, a whole number up to {_MOST_ERASES}")
    return erases


def _unknown(text: str, part: str) -> WrongUse:
    near = difflib.get_close_matches(part.partition(":")[0], (*_NAMED, *_PARTS), n=1)
    advice = ""
    if part in _NAMED:
        advice = f"{part} stands alone; beside other parts say what it is made of, as in fill:1,random,erases:3000"
    elif near:
        advice = f"did you mean {near[0]}{'' if near[0] in (*_NAMED, 'random') else ':NUMBER'}?"
    return _refused(text, f"has a part {part!r} that is not known", ACCEPTED, advice)


def _refused(text: str, wrong: str, accepted: str, advice: str = "") -> WrongUse:
    return WrongUse(f"aged state {text!r} {wrong}", accepted=accepted, advice=advice)
