"""What an exception that ends a command means: the caller's mistake, the machine's state, or a fault of flashscope.

Most errors get their message where they arise. The ones here can come up anywhere, in any command: a path too long for
the system, a disk that fills, a working directory that somebody deleted, no memory left. They are not faults of
flashscope.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from flashscope.errors import FlashscopeError, NotEnoughMemory, WrongUse

_OF_THE_MACHINE = frozenset(
    {
        errno.EACCES,
        errno.EAGAIN,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.ELOOP,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENODEV,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.ENXIO,
        errno.EPERM,
        errno.EROFS,
        errno.ESTALE,
    }
)

_NAME_SHOWN = 120
_CANNOT_MAP = "failed to map segment"  # the system's words for a library that found no room


def in_words(error: BaseException) -> FlashscopeError | None:
    """The error with a message for a person; None when it can only be a fault of flashscope."""
    match error:
        case FlashscopeError():
            return error
        case MemoryError():
            return _memory_used_up()
        case ImportError() if _CANNOT_MAP in str(error):
            return _memory_used_up()
        case OSError():
            return _of_the_system(error)
        case UnicodeEncodeError() if "surrogates" in error.reason:
            return WrongUse(
                f"{_shown(_around(error))} holds bytes that are not valid UTF-8",
                accepted="names of files in UTF-8",
                advice="rename the file, or reach it through a link with a plain name",
            )
        case ValueError() if "embedded null" in str(error):
            return WrongUse("a path holds a NUL character", accepted="a path without NUL characters")
    return None


def _around(error: UnicodeEncodeError) -> str:
    """The name that holds such bytes; it may stand in quotes in a longer text."""
    text, at = str(error.object), error.start
    begin = max(text.rfind('"', 0, at) + 1, at - _NAME_SHOWN)
    end = text.find('"', at)
    return text[begin : min(end if end > 0 else len(text), at + _NAME_SHOWN)]


def refuse_what_is_no_text(arguments: Sequence[str]) -> None:
    """Raise WrongUse for an argument with bytes that are not UTF-8: no record and no report could name it."""
    for argument in arguments:
        if any("\ud800" <= character <= "\udfff" for character in argument):
            raise WrongUse(
                f"the argument {_shown(argument)} holds bytes that are not valid UTF-8",
                accepted="arguments in UTF-8",
                advice="rename the file, or reach it through a link with a plain name: ln -s",
            )


def _of_the_system(error: OSError) -> FlashscopeError | None:
    named = f"{_shown(os.fsdecode(error.filename))}: " if isinstance(error.filename, str | bytes) else ""
    if error.errno == errno.ENAMETOOLONG:
        return WrongUse(
            f"{_shortened(named)}this path is too long for the system",
            accepted="at most 4095 bytes in all, and 255 between two slashes",
        )
    if error.errno == errno.ENOMEM:
        return _memory_used_up()
    if isinstance(error, FileNotFoundError) and _is_working_directory_gone():
        return WrongUse(
            "the working directory does not exist any more: somebody deleted it",
            accepted="a working directory that exists",
            advice="change to another one (cd), or give every path as an absolute path",
        )
    if error.errno in _OF_THE_MACHINE:
        return FlashscopeError(f"{named}{error.strerror}", advice="remove the cause, then give the command again")
    return None


def _is_working_directory_gone() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _memory_used_up() -> NotEnoughMemory:
    return NotEnoughMemory(
        "there is not enough memory",
        accepted="what fits into the machine's memory, or into what `ulimit -v` leaves this process",
        advice="take a smaller drive or fewer requests, close other programs, or raise the limit",
    )


def _shortened(name: str) -> str:
    return name if len(name) <= 120 else f"{name[:80]}...: "


def _shown(text: str) -> str:
    """The text, with bytes that are not UTF-8 written as \\udc80 and the like."""
    return text.encode("utf-8", "backslashreplace").decode()
