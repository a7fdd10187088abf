"""What a fault of ours is told with: the run that it ended, so that it can be had again.

A run is a function of build, seed and configuration. With these and the time at which it stopped, the same fault comes
at the same place. What is said here goes with the exception, as a note, to whoever tells it to a person.
"""

from __future__ import annotations

from flashscope.errors import FlashscopeError
from flashscope.records import Record


def note_run(fault: BaseException, record: Record, elapsed_ns: int, *, virtual: bool) -> None:
    """Say which run it was that a fault ended; nothing when it is no fault of ours, but a stop or a refusal.

    elapsed_ns: since the run began; in the drive's own time when it is a virtual one.
    """
    if isinstance(fault, FlashscopeError | KeyboardInterrupt | SystemExit):
        return
    clock = "virtual time" if virtual else "after"
    fault.add_note(
        f"seed {record.seed}, {clock} {elapsed_ns} ns, configuration {record.configuration_hash}, record {record.id}"
    )
