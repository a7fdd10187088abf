"""Which hands fit a drive: by its time, and by whether it holds files, as its facts state."""

from __future__ import annotations

from typing import cast

from flashscope.drives.drive import Drive, RealDrive
from flashscope.records.capability import Capability
from flashscope.runner.engines.choose import own_engine
from flashscope.runner.hands.by_engine import EngineHands
from flashscope.runner.hands.hands import Hands
from flashscope.runner.hands.virtual import VirtualDrive, VirtualHands


def choose_virtual(drive: Drive) -> VirtualDrive | None:
    """The same drive as a virtual one, None when it is real."""
    return cast(VirtualDrive, drive) if drive.facts.in_virtual_time else None


def choose_hands(drive: Drive, seed: int, *, glass: bool = False) -> Hands:
    """The hands for a drive. Raises WrongUse when it is real and fio is missing, or when it cannot be looked into.

    seed: of the run; a virtual drive has it already. glass: look inside while steps run.
    """
    if glass:
        from flashscope.drives.glass.glass import open_glass

        recorder = open_glass(drive)
        return VirtualHands(cast(VirtualDrive, drive), recorder)
    virtual = choose_virtual(drive)
    if virtual is not None:
        return VirtualHands(virtual)
    own = own_engine(drive)
    if own is not None:
        return EngineHands(drive, own)
    if drive.facts.can(Capability.FILES):
        from flashscope.drives.real.directory import DirectoryDrive
        from flashscope.runner.hands.files.hands import DirectoryHands

        return DirectoryHands(cast(DirectoryDrive, drive), seed)
    from flashscope.runner.hands.real import RealHands

    return RealHands(cast(RealDrive, drive), seed)
