"""The options of a run besides the drive and the experiment; the record keeps all of them."""

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
