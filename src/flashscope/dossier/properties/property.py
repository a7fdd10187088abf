"""A property of a drive: the question, which findings answer it, and how its value is said.

    Property("mapping_unit", "Mapping unit", ..., (Source("small-write-matrix", "mapping_unit_bytes", ...), ...))

Sources stand in the order of trust. Those that measure the same must agree; the others were measured under other
conditions, and are shown beside the answer without being compared with it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from flashscope.dossier.drive_kind import DriveKind
from flashscope.dossier.properties.value_text import Say
from flashscope.records import Finding, Record

Absence = Callable[[Finding], str]
"""What a finding without a value says all the same, "none seen"; "" when it could not tell."""

Derivation = Callable[[Sequence[Record]], Finding | None]
"""A finding that follows from several others, and None when one of them is missing."""


class Group(enum.StrEnum):
    """Where a property stands on the page."""

    IDENTITY = "what it is"
    INSIDE = "what is inside"
    SPEED = "how fast it is"
    BEHAVIOUR = "how it behaves"
    WEAR = "how it wears"
    LIMITS = "what limits it"


@dataclass(frozen=True)
class Source:
    """A finding that tells a property.

    experiment: where the finding stands; "" for one that is derived from several. method: how it is inferred, in a few
    words. same: it measures what the first source measures, so that both have to agree. absence: what it says without
    a value. derive: makes the finding, where it is derived; rests_on: from findings of these experiments.
    """

    experiment: str
    key: str
    method: str
    same: bool = True
    absence: Absence | None = None
    derive: Derivation | None = None
    rests_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Property:
    """One question about a drive.

    key: stable name for programs. title: for people, 24 characters at most. unit: as findings write it.
    say: the value for a person; words: of findings, for a person. kinds: of drives that can have it. changes: it may
    change with use, so that two runs of different days need not agree. tolerance_ratio: by how much two methods may
    differ beyond their intervals. only_with: key of the property without which this one is not asked ("then it writes
    at" without a fall).
    """

    key: str
    title: str
    group: Group
    unit: str
    say: Say
    sources: tuple[Source, ...]
    kinds: frozenset[DriveKind] = frozenset(DriveKind)
    changes: bool = False
    tolerance_ratio: float = 0.1
    only_with: str = ""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
