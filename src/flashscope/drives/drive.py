"""A drive: anything that takes I/O. It knows nothing of experiments, records or reports.

The runner uses every drive through this protocol. A virtual drive runs jobs itself, in virtual time. A file or a block
device is loaded by an engine (`runner/engines/`), so it only gives the descriptor by which it is held.
What is known about a drive are its facts (`records/drive_facts.py`), which the record of a run keeps.
"""

from __future__ import annotations

from typing import Protocol

from flashscope.drives.held.held import Held
from flashscope.records.drive_facts import DriveFacts


class Drive(Protocol):
    """What every drive can do. A drive object exists only after the drive was guarded and opened."""

    facts: DriveFacts

    def close(self) -> None:
        """Release the drive."""


class RealDrive(Drive, Protocol):
    """A file, a block device, or the run's own folder in a directory."""

    @property
    def held(self) -> Held:
        """All writes go through this descriptor. Its name is for people, and for programs that only read."""

    def guard_again(self) -> None:
        """Ask the guard once more, now that the drive is held; the runner does so just before the first write.

        Raises guard.Refused when a rule is broken by now, WrongUse when its name leads to another drive by now.
        """

    def abandon(self) -> None:
        """Close, and remove the file if opening made it. For runs refused before anything was written."""
