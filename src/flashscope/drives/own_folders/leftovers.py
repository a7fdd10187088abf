"""Finds and removes what killed runs left behind: folders that are provably a run's own, and nothing else.

    in a place -> name of the right form -> proven (leftover_proof.py) -> volumes taken down -> contents, note, folder
                                                 | any doubt               (loop_volume_left.py)
                                                 v
                                            left unchanged, and reported

Everything happens under the folder's own lock. The note, which proves what the folder is, is removed last. So the next
run can finish a removal that was interrupted.
Not done here: folders of other users, and in places that no later run uses.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flashscope.drives.own_folders.leftover_proof import InUse, Unproven, left_over
from flashscope.drives.own_folders.loop_volume_left import NotOurs, take_down
from flashscope.drives.own_folders.own_folder import MEMORY_PLACE, NAME_FORM, remove_empty
from flashscope.drives.own_folders.owner_note import NOTE
from flashscope.drives.own_folders.removal import remove_contents

_State = Literal["left over", "in use", "unproven", "removed"]


@dataclass(frozen=True)
class Found:
    """A folder with a name of the right form. state: what it is, or became. why: the reason not to remove it."""

    place: Path
    name: str
    state: _State
    why: str = ""

    @property
    def words(self) -> str:
        """One sentence for the reader, without a full stop."""
        where = f"{self.name} in {self.place}"
        match self.state:
            case "removed":
                return (
                    f"{where} was left by a run that was killed, and is removed now{self.why and f', with {self.why}'}"
                )
            case "left over":
                return f"{where} was left by a run that was killed; the next run that writes here removes it"
            case "in use":
                return f"{where}: another run is at work there now"
            case "unproven":
                return f"{where} is left as it is: {self.why}; remove it when no run uses it, it takes room"


def places() -> tuple[Path, ...]:
    """Where a run makes folders beside its target: for fio's notes, and in memory."""
    return tuple(dict.fromkeys((Path(tempfile.gettempdir()), MEMORY_PLACE)))


def look(place: Path) -> list[Found]:
    """This user's folders in a place whose names have the right form; nothing is changed."""
    return _each(place, remove=False)


def clear(place: Path) -> list[Found]:
    """Remove what killed runs left in a place, and return what happened to each folder. Raises nothing."""
    return _each(place, remove=True)


def _each(place: Path, *, remove: bool) -> list[Found]:
    found: list[Found] = []
    try:
        handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return found
    try:
        for name in sorted(filter(NAME_FORM.fullmatch, os.listdir(handle))):
            with contextlib.suppress(FileNotFoundError):  # its run ended and removed it
                if os.stat(name, dir_fd=handle, follow_symlinks=False).st_uid == os.geteuid():
                    found.append(_one(handle, place, name, remove=remove))
    finally:
        os.close(handle)
    return found


def _one(handle: int, place: Path, name: str, *, remove: bool) -> Found:
    try:
        with left_over(handle, name) as found:
            if not remove:
                return Found(place, name, "left over")
            undone = take_down(found.folder)
            if found.has_note:
                remove_contents(found.folder, keep=NOTE)
                os.unlink(NOTE, dir_fd=found.folder)
            remove_empty(handle, name, found.folder)
            return Found(place, name, "removed", ", ".join(undone))
    except InUse:
        return Found(place, name, "in use")
    except (Unproven, NotOurs) as doubt:
        return Found(place, name, "unproven", str(doubt))
    except FileNotFoundError:
        raise
    except OSError as error:
        return Found(place, name, "unproven", f"{error.strerror or error}")
