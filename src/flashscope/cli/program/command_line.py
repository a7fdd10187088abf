"""The command as it was typed, for records and for reports of faults."""

from __future__ import annotations

import shlex
import sys


def command_line() -> str:
    """The command with its arguments, quoted so that a shell takes it again."""
    return shlex.join(["flashscope", *sys.argv[1:]])
