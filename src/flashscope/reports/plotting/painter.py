"""A program of its own that draws charts for another process (`beside.py`): specifications in, SVG out, until the end.

    standard input     pickled (specification, options), one after another
    standard output    for each the pickled SVG text; None when the renderer refuses it, and its caller finds out why

It imports nothing of flashscope, so that it starts fast. It ends when its caller closes the pipe, or has ended itself.
"""

from __future__ import annotations

import pickle
import signal
import sys


def main() -> None:
    """Draw until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of Ctrl-C the caller knows what to do
    import vl_convert

    while True:
        try:
            spec, options = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            svg = str(vl_convert.vegalite_to_svg(spec, **options))
        except Exception:  # whatever it is: the caller draws the chart itself, and says what is wrong with it
            svg = None
        pickle.dump(svg, sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
