"""The kinds of errors, which are never mixed, and the exit code of each.

    the caller is wrong   WrongUse     exit 2   nothing was written
    the drive or run fails  DriveFailed  exit 1   recorded as data
    the machine is too small  NotEnoughMemory  exit 1
    flashscope is wrong   an AssertionError or another exception: not caught here

Every message says four things: what was found, where, what is accepted, what to do.
Doubt about a measurement is none of these; it is a `records.Doubt`, kept with the record.
"""


class FlashscopeError(Exception):
    """Base of all errors that are shown to a person without a traceback.

    what: one sentence: what was found and where.
    accepted: what would have been accepted there (may be empty).
    advice: what to do next (may be empty).
    """

    exit_code = 1

    def __init__(self, what: str, *, accepted: str = "", advice: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.accepted = accepted
        self.advice = advice

    def __str__(self) -> str:
        lines = [self.what]
        if self.accepted:
            lines.append(f"  accepted: {self.accepted}")
        if self.advice:
            lines.append(f"  to do:    {self.advice}")
        return "\n".join(lines)


class WrongUse(FlashscopeError):
    """The caller asked for something that cannot be done as asked. Nothing was written. Exit code 2."""

    exit_code = 2


class DriveFailed(FlashscopeError):
    """The drive, or a program that loads it, failed while it was being run. Recorded; exit code 1."""

    exit_code = 1


class NotEnoughMemory(FlashscopeError):
    """The run does not fit into the memory of this machine or of this process. Exit code 1."""

    exit_code = 1


class Interrupted(FlashscopeError):
    """A person stopped the run. What was measured until then is kept and marked. Exit code 1."""

    exit_code = 1
