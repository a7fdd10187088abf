"""Whether this process can draw charts, and the text that replaces them when it cannot.

The renderer is a JavaScript engine. It reserves about 64 GB of addresses, of which it uses very little, and ends
its process by a signal when the limit is lower (`ulimit -v`). Where there is such a limit, a child process tries
it first: a report without charts is better than none. An export of charts as files is refused before it begins.
"""

from __future__ import annotations

import functools
import resource
import subprocess
import sys

from flashscope.errors import NotEnoughMemory
from flashscope.units import format_bytes

# A chart of one point.
_TRIAL = (
    "import vl_convert; vl_convert.vegalite_to_svg("
    '{"data": {"values": [{"x": 1}]}, "mark": "point", "encoding": {"x": {"field": "x", "type": "quantitative"}}})'
)
_TRIAL_SECONDS = 120


class NoPictures(NotEnoughMemory):
    """The requested charts cannot be drawn here. The other parts of a report can be written. Exit code 1."""


@functools.cache
def why_no_pictures() -> str:
    """Why charts cannot be drawn, in a sentence; empty when they can."""
    limit_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit_bytes == resource.RLIM_INFINITY:
        return ""
    trial = [sys.executable, "-c", _TRIAL]
    null = subprocess.DEVNULL
    try:
        ended = subprocess.run(trial, stdin=null, stdout=null, stderr=null, timeout=_TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        ended = None
    if ended is not None and ended.returncode == 0:
        return ""
    return (
        f"Charts are missing: this process may have {format_bytes(limit_bytes)} of address space (ulimit -v), "
        f"and the program that draws them reserves about 64 GB."
    )


def check_pictures() -> None:
    """Raise NoPictures when charts cannot be drawn."""
    why = why_no_pictures()
    if why:
        raise NoPictures(
            why.rstrip("."),
            accepted="no limit (ulimit -v unlimited), or one of 128 GB and more",
            advice="draw them from the records without the limit: flashscope report --charts DIR",
        )
