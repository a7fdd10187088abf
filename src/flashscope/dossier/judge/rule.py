"""A rule of the judge: a pure function of the records of one drive, and the sentence that explains it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from flashscope.dossier.judge.objection import Objection
from flashscope.records import Record

Objecting = Callable[[Sequence[Record]], Iterable[Objection]]


@dataclass(frozen=True)
class Rule:
    """name: as in the row of docs/reference/judge.md. explains: one sentence, what cannot be. objections: its work."""

    name: str
    explains: str
    objections: Objecting
