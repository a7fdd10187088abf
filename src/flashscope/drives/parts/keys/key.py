"""One key of a part: what it means, what it accepts, and its name in the core's configuration."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.vocabulary import DRIVE_KIND_NAMES

LONGEST_NS = 10**12  # a timing of more than 1000 s is a mistake
DAY_NS = 86_400 * 10**9
SSD = ("ssd",)
EVERY_KIND: tuple[str, ...] = DRIVE_KIND_NAMES
"""Kinds of drive a part can describe; a part that names none is a solid-state drive."""


@dataclass(frozen=True)
class Key:
    """One key of a part.

    name: as written in TOML, "section.key".
    dimension: one of `flashscope.units.parse`, or "number" (bare, any size), "choice", "yes or no", "text".
    core: its name in the same section of the core's JSON, where that differs (there the base unit is named);
        with dots in it, the whole path there; after a slash, a name at the top.
    least, most: bounds in base units, both allowed. choices: for "choice".
    many: a list is accepted too (one entry for each page in turn). nand: may stand in a NAND part.
    default: used when the key is absent; None = the key must be there, once its section is.
    kinds: the kinds of drive that have it. for_core: False: other values follow from it; not given to the core.
    zero_is_off: a 0 means that the mechanism is absent, and is not given to the core.
    """

    name: str
    dimension: str
    meaning: str
    example: str
    core: str = ""
    least: float = 0
    most: float = float("inf")
    choices: tuple[str, ...] = ()
    many: bool = False
    nand: bool = False
    default: int | float | str | None = None
    kinds: tuple[str, ...] = SSD
    for_core: bool = True
    zero_is_off: bool = False

    @property
    def section(self) -> str:
        """The section it stands in, empty at the top of the file."""
        return self.name.rpartition(".")[0]

    @property
    def core_path(self) -> tuple[str, ...]:
        """Where the core's JSON has it."""
        if self.core.startswith("/"):
            return (self.core[1:],)
        if "." in self.core:
            return tuple(self.core.split("."))
        *section, last = self.name.split(".")
        return (*section, self.core or last)
