"""Why a file of flashscope could not be written, in words that help: full, read-only, protected, failing.

SQLite reports most causes as "disk I/O error". So the place is tested: a file without a name is written there, which
leaves nothing behind, and the permissions are checked. A file that SQLite has open is never opened here: closing it
would drop SQLite's locks.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

_TRIED_BYTES = 4096

_WORDS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("its disk is full", "free some space there"),
    errno.EDQUOT: ("the quota there is used up", "free some space there"),
    errno.EROFS: ("its file system takes no writes, it is read-only", "mount it for writing again (see `dmesg`)"),
    errno.EPERM: ("it is protected from changes", "remove the protection (`lsattr` shows it, `chattr -i` lifts it)"),
    errno.EACCES: ("permission is denied", "run as a user who may write there"),
    errno.EIO: ("its disk reports an error", "look at that disk (`dmesg`)"),
    errno.EFBIG: ("its file has reached the largest size that is allowed", "raise the limit (`ulimit -f`)"),
    errno.ENOENT: ("it is gone", "put it back"),
}


def words_of(error: OSError) -> tuple[str, str]:
    """What happened, and what to do about it."""
    said = (error.strerror or str(error)).lower()
    return _WORDS.get(error.errno or 0, (said, "look at that disk (`dmesg`)"))


def ask_place(path: Path, *beside: str) -> tuple[str, str] | None:
    """What prevents writing a file, and what to do; None when no cause is found.

    beside: endings of the names of files that belong to it.
    """
    for suffix in ("", *beside):
        one = path.with_name(path.name + suffix)
        if one.exists() and not os.access(one, os.W_OK):
            return words_of(OSError(_why_no_access(one), ""))
    try:
        _try_to_write(path.parent)
    except OSError as error:
        return None if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT) else words_of(error)
    return None


def _why_no_access(path: Path) -> int:
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return errno.EROFS
    return errno.EPERM if os.geteuid() == 0 or path.stat().st_uid == os.geteuid() else errno.EACCES


def _try_to_write(folder: Path) -> None:
    handle = os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, bytes(_TRIED_BYTES))
        os.fsync(handle)
    finally:
        os.close(handle)
