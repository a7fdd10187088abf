"""The learner's input: plain numbers by reading, attribute and sub-field; no dump, no reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Observation:
    """One number at one time. time: index of the reading, 0 for the earliest. id: of the ATA attribute.

    field: which part of the twelve bytes: "value", "worst" or "raw-48".
    """

    time: int
    id: int
    field: str
    value: int


@dataclass(frozen=True)
class Moment:
    """Other numbers of one reading, besides the attributes; None where unknown.

    power_on_hours: [hours]. taken_at_s: since 1970 [seconds].
    written_bytes, read_bytes: by the host, in all or since the first reading [bytes].
    write_commands, read_commands: of the host. life_used_percent: from the Device Statistics.
    """

    power_on_hours: float | None = None
    taken_at_s: float | None = None
    written_bytes: int | None = None
    read_bytes: int | None = None
    write_commands: int | None = None
    read_commands: int | None = None
    life_used_percent: int | None = None


@dataclass(frozen=True)
class Yardstick:
    """The source of `written_bytes` of the moments. origin: in words.

    lifetime: it counts from the drive's first day, not from the first reading. modulus_bytes: it wraps to zero after
    so many bytes; 0 when it does not. surplus_ratio: how much more may have been written in fact.
    documented: a standard fixes its unit.
    """

    origin: str
    lifetime: bool = True
    modulus_bytes: int = 0
    surplus_ratio: float = 0.0
    documented: bool = True


@dataclass(frozen=True)
class Series:
    """Readings of one drive in order of time. user_bytes: capacity shown to the host; None when unknown [bytes].

    yardstick: None when the bytes written by the host are unknown. remarks: doubts about the series, in words.
    names: each attribute's name in the printing program; shown, never used as evidence.
    """

    moments: tuple[Moment, ...]
    observations: tuple[Observation, ...]
    user_bytes: int | None = None
    yardstick: Yardstick | None = None
    remarks: tuple[str, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def tables(self) -> dict[tuple[int, str], tuple[int, ...]]:
        """(id, field) -> its values in order of time, of the fields that every reading has."""
        found: dict[tuple[int, str], dict[int, int]] = {}
        for one in self.observations:
            found.setdefault((one.id, one.field), {})[one.time] = one.value
        times = range(len(self.moments))
        return {
            key: tuple(values[time] for time in times) for key, values in found.items() if len(values) == len(times)
        }

    def axis(self, name: str) -> tuple[float, ...] | None:
        """A column of the moments, such as "power_on_hours"; None unless every moment has it."""
        column = [getattr(moment, name) for moment in self.moments]
        return None if not column or None in column else tuple(column)
