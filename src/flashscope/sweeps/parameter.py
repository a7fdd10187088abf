"""The parameter on an axis: a varied key of the part whose values are quantities, else the seed.

varied as text            Parameter                               an axis
timing.erase: "2 ms"  --> dimension "time", size 2000000.0 [ns] --> 2 ms
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.drives.parts.overrides import read_override
from flashscope.drives.parts.schema import BY_NAME
from flashscope.sweeps.outcome import Outcome, varied_names

_SEED = "seed"
_WITHOUT_SIZE = ("choice", "text", "yes or no")


@dataclass(frozen=True)
class Parameter:
    """One thing that was varied. name: a part's key, or "seed". dimension: of the key (`Key`), "" for the seed."""

    name: str
    dimension: str

    def size(self, text: str) -> float:
        """The text of a value as a number in the base unit of the dimension; of a list, its first entry."""
        if self.name == _SEED:
            return float(text)
        value = read_override(self.name, text, "--set").value
        return float(value[0] if isinstance(value, tuple) else value)


def chosen_parameter(outcomes: Sequence[Outcome]) -> Parameter | None:
    """The key of quantities with most values; the seed when nothing else varies; None: neither."""
    names = varied_names(outcomes)
    counts = {name: len({dict(one.varied).get(name) for one in outcomes}) for name in names}
    sized = [name for name in names if name in BY_NAME and BY_NAME[name].dimension not in _WITHOUT_SIZE]
    if sized:
        most = max(sized, key=lambda name: counts[name])
        return Parameter(most, BY_NAME[most].dimension)
    return Parameter(_SEED, "") if names == [_SEED] else None
