"""Commands of flashscope, carried out in this process: all but the start of another Python, which takes half a second.

A test about the process itself (signals, streams, a kill, limits) starts one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner, Result

from flashscope.cli.main import main


def in_process(folder: Path, *arguments: object, environment: Mapping[str, str] | None = None) -> Result:
    """What a command says and how it ends, in a working directory, with nothing on its standard input."""
    with contextlib.chdir(folder):
        return CliRunner().invoke(main, [str(one) for one in arguments], env=dict(environment or {}))
