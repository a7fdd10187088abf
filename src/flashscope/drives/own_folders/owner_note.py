"""The note in a folder that a run made for itself: what the folder is, whose, and whether a lock shows a live run.

    {"about": "...", "kind": "run", "identifier": "3fa29c01", "folder_inode": 1234,      one line of JSON
     "program": "flashscope 0.1.0", "boot": "9c0f...", "locked": true}

It names the folder twice, by the end of its name and by its inode. So neither a copy nor a renamed folder is taken for
a folder that a run made. Not here: the lock itself (own_folder.py), the check of the note (leftover_proof.py).
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

NOTE = "owner-note.json"
NOTE_BYTES_MOST = 4096
_ABOUT = "flashscope made this folder for one run, which locks this file while it lives; a later run removes the folder"


@dataclass(frozen=True)
class OwnerNote:
    """The contents of the note. identifier: the end of the folder's name. folder_inode: of the folder it was made in.

    boot: the kernel's boot id when it was made. locked: whether the file system has locks.
    """

    about: str
    kind: str
    identifier: str
    folder_inode: int
    program: str
    boot: str
    locked: bool


def note_text(folder: int, kind: str, identifier: str, *, locked: bool) -> bytes:
    """The note of an open folder, as it is written."""
    inode = os.fstat(folder).st_ino
    note = OwnerNote(_ABOUT, kind, identifier, inode, _program(), boot_identifier(), locked)
    return json.dumps(asdict(note)).encode() + b"\n"


def read_note(handle: int) -> OwnerNote | None:
    """The note in an open file; None when the file is not a complete, well-formed note."""
    try:
        found = json.loads(os.pread(handle, NOTE_BYTES_MOST + 1, 0))
        note = OwnerNote(**found)
    except (ValueError, TypeError):
        return None
    types = {name: type(value) for name, value in asdict(note).items()}
    right = {"about": str, "kind": str, "identifier": str, "folder_inode": int, "program": str, "boot": str}
    return note if note.about == _ABOUT and types == {**right, "locked": bool} else None


def boot_identifier() -> str:
    """The kernel's boot id, which changes at every start of a machine. Empty when unknown."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _program() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"flashscope {version('flashscope')}"
    except PackageNotFoundError:  # a source tree that was never installed
        return "flashscope"
