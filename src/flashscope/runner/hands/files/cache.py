"""Writes out the host's file cache, and empties it as far as this process may.

    syncfs                      all that is dirty goes to the drive
    posix_fadvise(DONTNEED)     the data of single files leave the cache; anybody may
    /proc/sys/vm/drop_caches    names, records and maps leave it too; root only, and it affects the whole machine

Not done here: the drive's own cache; the cache of a host below this one (a virtual machine's).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from flashscope.drives.held.beneath import Beneath
from flashscope.drives.held.held import Held
from flashscope.records import Doubt

_DROP = Path("/proc/sys/vm/drop_caches")
_PAGES_NAMES_AND_RECORDS = "3"
_ADVICE = "run as root, so that the whole cache can be emptied; or use files larger than the memory"


def write_out(folder: Held) -> None:
    """Let the file system of a folder write all dirty data to the drive, and wait. Raises OSError when it fails."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syncfs(folder.handle) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(folder.name))


def empty_cache(folder: Beneath, files: Iterable[str]) -> tuple[Doubt, ...]:
    """Drop files that were written out from the host's cache; returns a doubt when something may be left.

    files: their paths below the folder.
    """
    for path in files:
        handle = folder.open(path)
        try:
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        except OSError:
            pass  # this file system ignores fadvise; reads from the drive are counted later
        finally:
            os.close(handle)
    try:
        _DROP.write_text(_PAGES_NAMES_AND_RECORDS)
    except OSError as error:
        message = (
            f"the host's cache could not be emptied completely ({error.strerror}): the data of the files were "
            f"dropped from "
            "it, their names and records were not"
        )
        return (Doubt("CacheInTheWay", message, _ADVICE),)
    return ()


def doubt_about_reads(step_name: str, cold_bytes: int, fetched_bytes: int) -> tuple[Doubt, ...]:
    """A doubt when fewer bytes came from the drive than were read from files for the first time.

    cold_bytes: of files read before anybody wrote them. fetched_bytes: what the kernel fetched from a drive for the
    programs, -1 when unknown.
    """
    if fetched_bytes < 0 or fetched_bytes >= 0.9 * cold_bytes:
        return ()
    message = (
        f"step {step_name!r} read {cold_bytes} bytes of files for the first time, and {fetched_bytes} of them came "
        "from the drive: the rest came from a cache of the host"
    )
    return (Doubt("CacheInTheWay", message, _ADVICE),)
