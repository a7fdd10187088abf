"""A drive: anything that takes I/O. It knows nothing of experiments, records or reports.

The runner speaks to every drive through this protocol. A virtual drive runs jobs itself, in virtual
time; a file or a block device is loaded by an engine (`runner/engines/`), so it only says by what it is held.
What is known of it are its facts (`records/drive_facts.py`), which the record of a run keeps.
"""

from __future__ import annotations

from typing import Protocol

from flashscope.drives.held.held import Held
from flashscope.records.drive_facts import DriveFacts


class Drive(Protocol):
    """What every drive can be asked. Opening and guarding have happened when one is at hand."""

    facts: DriveFacts

    def close(self) -> None:
        """Let go of the drive."""


class RealDrive(Drive, Protocol):
    """A file, a block device, or the run's own folder in a directory."""

    @property
    def held(self) -> Held:
        """What all that writes goes through. Its name is for people, and for programs that only read."""

    def guard_again(self) -> None:
        """Ask the guard once more, now that the drive is held; the runner does so just before the first write.

        Raises guard.Refused when a rule is broken meanwhile, WrongUse when its name leads to another drive now.
        """

    def abandon(self) -> None:
        """Close, and remove the file if opening made it: the run was refused before anything was written."""
