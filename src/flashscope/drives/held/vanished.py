"""Whether a drive is still the same, checked before and after each step, and why a drive failed.

A program that loads a drive says "Input/output error"; a person wants to know that the stick was pulled out.

    file           deleted, replaced, shortened                     \\
    directory      unmounted (another device is there), removed      > `Held.what_changed`
    block device   gone, without its medium, smaller                /
    all of them    no room left, read-only now

Not seen here: a drive that changed and changed back between two looks.
"""

from __future__ import annotations

import os

from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed

_ABOUT_ROOM = 1024 * 1024


class Watched:
    """A drive as it was when the run began. Raises DriveFailed when it is another one already."""

    def __init__(self, held: Held) -> None:
        self._held = held
        changed = held.what_changed()
        if changed:
            raise DriveFailed(
                f"{held.name} went away before this experiment began: {changed}",
                advice="connect or mount it again; what earlier experiments measured is kept",
            )

    def check(self) -> None:
        """Raise DriveFailed when it is not the same drive any more; to be called before anything is written."""
        self._held.check()

    def what_happened(self) -> str:
        """What happened to the drive, in words; empty when it is still there and unchanged."""
        return self._held.what_changed()

    def why_it_failed(self) -> str:
        """The likely reason of a failure: what happened to the drive, or no room, or no permission to write now."""
        happened = self.what_happened()
        if happened or self._held.was.kind == "block device":
            return happened
        try:
            room = os.fstatvfs(self._held.handle)
        except OSError as error:
            return f"{self._held.name} does not answer any more: {error.strerror}"
        if room.f_flag & os.ST_RDONLY:
            return (
                "its file system takes no writes any more: it was mounted read-only, or met an error and made itself so"
            )
        if room.f_bavail * room.f_frsize < _ABOUT_ROOM:
            return "its file system is full: something wrote to it during the run"
        return ""
