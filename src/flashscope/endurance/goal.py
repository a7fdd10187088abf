"""When the wear of a drive stops: at `death`, `rating`, a number of cycles, an amount written."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope import units
from flashscope.errors import WrongUse

_ACCEPTED = 'death, rating, cycles such as "3000 cycles", an amount such as "100 TB"'


@dataclass(frozen=True)
class Goal:
    """Where to stop; both None: when the drive takes no more writes.

    erase_count: average of the blocks in use. host_written_bytes: by the host in all.
    """

    text: str
    erase_count: int | None = None
    host_written_bytes: int | None = None

    @property
    def is_death(self) -> bool:
        """True when only the drive itself ends the run."""
        return self.erase_count is None and self.host_written_bytes is None


def parse_goal(text: str, rated_pe_cycles: int) -> Goal:
    """The goal of `--until`. Raises WrongUse when it is not one of the four kinds, or the budget is zero."""
    plain = text.strip().lower()
    if plain == "death":
        return Goal(text)
    if plain == "rating":
        return Goal(text, erase_count=rated_pe_cycles)
    for dimension in ("cycles", "bytes"):
        try:
            value = (
                int(plain) if dimension == "cycles" and plain.isdigit() else int(units.parse(text, dimension, key=""))
            )
        except (WrongUse, ValueError):
            continue
        if value <= 0:
            raise WrongUse(f"--until {text} would write nothing", accepted=_ACCEPTED)
        return Goal(text, erase_count=value) if dimension == "cycles" else Goal(text, host_written_bytes=value)
    raise WrongUse(f'--until is "{text}"', accepted=_ACCEPTED, advice="give a number with its unit")
