"""Programs that report about drives: lsblk and wipefs, both of util-linux; about bytes: file; about file systems."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# The PATH of a normal user often lacks these folders, and wipefs is there.
_ALSO_LOOK_IN = ("/usr/sbin", "/sbin", "/usr/local/sbin")
_PATIENCE_S = 30
_log = logging.getLogger("flashscope.drives")


def find_program(name: str) -> str | None:
    """The path of a program, also in folders that PATH lacks; None when it is not installed."""
    return shutil.which(name, path=os.pathsep.join((os.environ.get("PATH", ""), *_ALSO_LOOK_IN)))


def run_json(
    name: str, *arguments: str, path: Path | None = None, handles: Sequence[int] = ()
) -> dict[str, Any] | None:
    """The JSON output of a program; an empty dict when it prints nothing.

    path: given as the last argument, after the options. handles: descriptors that the program inherits.
    None when the program is missing, failed, took longer than 30 s or did not answer in JSON.
    """
    program = find_program(name)
    if program is None:
        return None
    began_s = time.monotonic()
    try:
        answer = subprocess.run(
            [program, *arguments, *([str(path)] if path else [])],
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=_PATIENCE_S,
            check=True,
            pass_fds=tuple(handles),
            env={**os.environ, "LC_ALL": "C"},
        ).stdout
        parsed = json.loads(answer or "{}")
    except (OSError, ValueError, subprocess.SubprocessError) as failure:
        _log.debug("%s %s: %s", name, " ".join(arguments), failure)
        return None
    _log.debug("%s %s: answered in %.3f s", name, " ".join(arguments), time.monotonic() - began_s)
    return parsed if isinstance(parsed, dict) else None


def run_on_bytes(name: str, *arguments: str, content: bytes) -> str | None:
    """What a program says about some bytes, which it reads from its standard input.

    None when the program is missing, failed, or took longer than 30 s.
    """
    program = find_program(name)
    if program is None:
        return None
    try:
        return subprocess.run(
            [program, *arguments],
            input=content,
            capture_output=True,
            timeout=_PATIENCE_S,
            check=True,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError) as failure:
        _log.debug("%s %s: %s", name, " ".join(arguments), failure)
        return None


def run_text(name: str, *arguments: str) -> str:
    """What a program that only reads says on standard output, whatever its exit code; empty when it is missing.

    It is given up after 30 s.
    """
    program = find_program(name)
    if program is None:
        return ""
    try:
        return subprocess.run(
            [program, *arguments],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE_S,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        ).stdout
    except (OSError, subprocess.SubprocessError) as failure:
        _log.debug("%s %s: %s", name, " ".join(arguments), failure)
        return ""
