"""Of which examination a record is: what was asked, and which experiments take part; noted in every record of it.

    examine DRIVE ... Ctrl-C         records of the experiments that were begun, each with the whole list
    examine DRIVE --resume           `examinations.py` finds in them what is done and what is missing

Nothing else is kept: how far an examination is follows from its records. Before the first record there is nothing to
go on with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flashscope.records.drive_facts import DriveFacts
from flashscope.records.plain import plain


@dataclass(frozen=True)
class Examination:
    """One `flashscope examine`. id: begins with the moment at which it began.

    drive: what a drive is recognised by (`identity_of`). effort: as plain data. build: that decides results
    (`Build.identity`). experiments: their names, in order, without those that the drive could not take.
    allotted: name -> the effort as plain data, of experiments that a budget gives another one. budget: as it was typed.
    named: the experiments were asked for by name. candidates: from which a budget chose; empty without a budget.
    """

    id: str
    drive: Mapping[str, Any]
    effort: Mapping[str, Any]
    seed: int
    glass: bool
    build: str
    experiments: tuple[str, ...]
    allotted: Mapping[str, Any] = field(default_factory=dict)
    budget: tuple[str, ...] = ()
    named: bool = False
    candidates: tuple[str, ...] = ()

    @classmethod
    def of_plain(cls, kept: Mapping[str, Any]) -> Examination:
        """Read what `plain` made of one. Raises ValueError when it is none."""
        try:
            return cls(
                id=str(kept["id"]),
                drive=dict(kept["drive"]),
                effort=dict(kept["effort"]),
                seed=int(kept["seed"]),
                glass=bool(kept["glass"]),
                build=str(kept["build"]),
                experiments=tuple(str(name) for name in kept["experiments"]),
                allotted=dict(kept.get("allotted", {})),
                budget=tuple(str(limit) for limit in kept.get("budget", ())),
                named=bool(kept.get("named", False)),
                candidates=tuple(str(name) for name in kept.get("candidates", ())),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"its examination lacks {error}") from None


def identity_of(facts: DriveFacts) -> dict[str, Any]:
    """What a drive is recognised by when an examination goes on: after a reboot, say."""
    names = ("address", "model", "firmware", "serial", "user_bytes", "sector_bytes")
    return {name: plain(getattr(facts, name)) for name in names}
