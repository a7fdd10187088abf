"""The meaning of a step in its experiment, as data: a role, and named numbers and words.

    Workload("burst 3 after 1.32 s", ..., labels=Labels.of("burst", number=3))
    record.steps_with("burst")            what an analysis looks for; the displayed name does not matter

The name of a step is for people. Analyses, charts and findings find steps by their labels and never parse names. A step
without labels is used by no analysis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

Label = str | int | float
"""The value of one label: a word or a number, with its unit in the label's name ("pause_s")."""

_ROLE, _FAMILY = "role", "family"


@dataclass(frozen=True)
class Labels:
    """The labels of one step. Equal labels mean that an experiment did the same thing twice.

    role: the purpose of the step, e.g. "burst". family: common name of steps that differ only by a number, used when
    there are too many to show each ("sequential"); empty: this step is shown by itself.
    values: the other labels, each with its name, e.g. ("request_bytes", 4096).
    """

    role: str = ""
    family: str = ""
    values: tuple[tuple[str, Label], ...] = ()

    @classmethod
    def of(cls, role: str, *, family: str = "", **values: Label) -> Self:
        """Labels of a role, e.g. `Labels.of("cell", request_bytes=4096, grid_bytes=512)`."""
        return cls(role, family, tuple(sorted(values.items())))

    @classmethod
    def from_record(cls, kept: Mapping[str, Any]) -> Self:
        """The labels that a record keeps in the form of `in_record`."""
        values = {name: value for name, value in kept.items() if name not in (_ROLE, _FAMILY)}
        return cls.of(str(kept.get(_ROLE, "")), family=str(kept.get(_FAMILY, "")), **values)

    def in_record(self) -> dict[str, Label]:
        """As plain data for a record: role and family (if any) together with the other labels."""
        heads = {_ROLE: self.role, _FAMILY: self.family}
        return {name: word for name, word in heads.items() if word} | dict(self.values)

    def with_more(self, **values: Label) -> Self:
        """The same labels, and these in addition."""
        return replace(self, values=tuple(sorted((dict(self.values) | values).items())))

    def agrees(self, role: str, **wanted: Label) -> bool:
        """True when the role matches and each of the wanted labels is present with that value."""
        own = dict(self.values)
        return self.role == role and all(name in own and own[name] == value for name, value in wanted.items())

    def number(self, name: str) -> float:
        """A label that is a number. Raises KeyError when there is none of that name."""
        return float(dict(self.values)[name])

    def count(self, name: str) -> int:
        """A label that is a whole number. Raises KeyError when there is none of that name."""
        return int(dict(self.values)[name])

    def word(self, name: str) -> str:
        """A label that is a word; empty when there is none of that name."""
        return str(dict(self.values).get(name, ""))


NO_LABELS = Labels()
"""For a step that no analysis uses."""
