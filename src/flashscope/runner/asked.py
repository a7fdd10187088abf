"""What a person asked of a run, besides the drive and the experiment; all of it goes into the record."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.runner.effort import STANDARD, Effort


@dataclass(frozen=True)
class Asked:
    """seed: of the drive and its workloads. command: as it was typed. effort: how far the experiment may go.

    glass: look inside the drive while steps run; only a virtual drive made of flash can be looked into.
    """

    seed: int
    command: str
    effort: Effort = STANDARD
    glass: bool = False
