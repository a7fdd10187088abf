"""The options of a run besides the drive and the experiment; the record keeps all of them."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.records import Doubt
from flashscope.records.examination import Examination
from flashscope.runner.effort import STANDARD, Effort


@dataclass(frozen=True)
class Asked:
    """seed: of the drive and its workloads. command: as it was typed. effort: how far the experiment may go.

    glass: look inside the drive while steps run; only a virtual drive made of flash can be looked into.
    examination: of which the run is a part, if any. doubts: what is doubtful before it begins.
    """

    seed: int
    command: str
    effort: Effort = STANDARD
    glass: bool = False
    examination: Examination | None = None
    doubts: tuple[Doubt, ...] = ()
