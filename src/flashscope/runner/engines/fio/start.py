"""How long fio takes here to start and to end, measured without any drive: its engine `null` moves nothing.

On a busy machine this is most of the time of a short load. The worse of two runs counts: the first one also brings fio
into memory, and the load of the machine changes from second to second.
"""

from __future__ import annotations

import subprocess
import time
from functools import cache

from flashscope.drives.system.bound_child import run_bound
from flashscope.errors import WrongUse
from flashscope.runner.engines.fio.process import find_fio

_TRIES = 2
_PATIENCE_S = 30.0


@cache
def start_s() -> float | None:
    """Time of a fio run that does nothing [s]; None when there is no fio, or it fails."""
    try:
        command = [find_fio(), "--name=start", "--ioengine=null", "--rw=read", "--bs=4k", "--size=4k", "--thread"]
        command += ["--output-format=json+", "--eta=never"]
        took_s = []
        for _ in range(_TRIES):
            began_s = time.monotonic()
            code, _ = run_bound(command, patience_s=_PATIENCE_S)
            if code != 0:
                return None
            took_s.append(time.monotonic() - began_s)
    except (WrongUse, OSError, subprocess.TimeoutExpired):
        return None
    return max(took_s)
