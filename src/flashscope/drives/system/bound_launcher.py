"""What a bound child runs first: `python -I -S bound_launcher.py PARENT PROGRAM ARGUMENTS...` (bound_child.py).

    set the death signal -> is the parent still the process that started us? -> become the program

In this order the program ends with the parent, whenever the parent ends: before the first step, the second step
notices it; after the first step, the kernel ends us. Imports nothing of flashscope, so that it starts quickly.
"""

import ctypes
import os
import signal
import sys

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG, <linux/prctl.h>
NOT_STARTED = 125
"""The exit status when the program was not started."""


def main(parent: int, command: list[str]) -> None:
    """Become the program, or end with NOT_STARTED. parent: the process that must still be there."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0) != 0:
        _give_up(f"its life could not be bound to its parent's: {os.strerror(ctypes.get_errno())}")
    if os.getppid() != parent:
        _give_up("its parent has ended")
    for changed in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and programs do not expect that
        signal.signal(changed, signal.SIG_DFL)
    try:
        os.execv(command[0], command)
    except OSError as error:
        _give_up(error.strerror or str(error))


def _give_up(why: str) -> None:
    sys.stderr.write(f"{sys.argv[2]} was not started: {why}\n")
    sys.stderr.flush()
    os._exit(NOT_STARTED)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
