"""The run that is reported together with a fault of flashscope, so that the fault can be reproduced.

A run depends only on build, seed and configuration. With these and the time at which it stopped, the same fault occurs
at the same place. The text is added to the exception as a note, and is shown together with the exception.
"""

from __future__ import annotations

from flashscope.errors import FlashscopeError
from flashscope.records import Record


def note_run(fault: BaseException, record: Record, elapsed_ns: int, *, virtual: bool) -> None:
    """Add to a fault which run it ended; does nothing for exceptions that are not faults (a stop, a refusal).

    elapsed_ns: since the run began; in the drive's own time when it is a virtual one.
    """
    if isinstance(fault, FlashscopeError | KeyboardInterrupt | SystemExit):
        return
    clock = "virtual time" if virtual else "after"
    fault.add_note(
        f"seed {record.seed}, {clock} {elapsed_ns} ns, configuration {record.configuration_hash}, record {record.id}"
    )
