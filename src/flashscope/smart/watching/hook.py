"""The command of --on-alert: run for every alert that is raised or cleared; it never delays the watch.

    watch --tell--> queue --> one thread: run the command, wait for it, kill it and its children when it hangs

The command is split into words as by a shell and run without one; its data is in its environment (`environment`).
It is run at least once for every change: if a watch is killed before that, the next watch runs it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import shlex
import signal
import subprocess
import threading
from collections.abc import Callable
from datetime import UTC, datetime

from flashscope.errors import WrongUse
from flashscope.smart.watching.alerts import Change

TIME_LIMIT_S = 30.0
"""A command that runs for longer is killed [s]."""
_WAITING_AT_MOST = 1000
_log = logging.getLogger("flashscope.smart")


def environment(change: Change, wall_s: float) -> dict[str, str]:
    """What the command finds in its environment, name -> text; a number that does not apply is empty."""
    return {
        "FLASHSCOPE_STATE": change.state,
        "FLASHSCOPE_CONDITION": change.condition,
        "FLASHSCOPE_SEVERITY": change.severity,
        "FLASHSCOPE_DRIVE": change.subject,
        "FLASHSCOPE_DEVICE": change.place,
        "FLASHSCOPE_MESSAGE": change.message,
        "FLASHSCOPE_ADVICE": change.advice,
        "FLASHSCOPE_VALUE": "" if change.value is None else f"{change.value:.12g}",
        "FLASHSCOPE_LIMIT": "" if change.limit is None else f"{change.limit:.12g}",
        "FLASHSCOPE_UNIT": change.unit,
        "FLASHSCOPE_TIME_UTC": datetime.fromtimestamp(wall_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


class Hook:
    """A command, and the thread that runs it.

    command: as written for --on-alert. log: takes one line for a command that failed. told: called with the number
    of a change, from the thread of the hook, when the command ended, with success or not.
    Raises WrongUse when the command cannot be split into words.
    """

    def __init__(
        self,
        command: str,
        log: Callable[[str], None],
        told: Callable[[int], None] = lambda number: None,
        *,
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise WrongUse(f"--on-alert cannot be read: {error}", accepted="a command as for a shell") from None
        if not self._words:
            raise WrongUse("--on-alert is empty", accepted="a command, such as /usr/local/bin/tell-me")
        self._log, self._told, self._time_limit_s = log, told, time_limit_s
        self._queue: queue.Queue[tuple[int, Change, float] | None] = queue.Queue(_WAITING_AT_MOST)
        self._process: subprocess.Popen[bytes] | None = None
        self._given_up = False
        self._thread = threading.Thread(target=self._work, name="alert hook", daemon=True)
        self._thread.start()

    def tell(self, number: int, change: Change, wall_s: float) -> None:
        """Pass a change to the command. Returns at once; when the queue is full, the change waits in the store."""
        try:
            self._queue.put_nowait((number, change, wall_s))
        except queue.Full:
            self._log(
                f"--on-alert is {_WAITING_AT_MOST} alerts behind; the command for this one runs when the watch "
                f"starts again"
            )

    def close(self, wait_s: float) -> None:
        """Pass the waiting changes on, for at most `wait_s`; a command that still runs then is killed.

        Changes that were not passed on remain marked as such in the store.
        """
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(None)
        self._thread.join(wait_s)
        self._given_up = True
        if (process := self._process) is not None:
            self._kill(process)
            self._thread.join(1.0)

    def _work(self) -> None:
        while (waiting := self._queue.get()) is not None and not self._given_up:
            number, change, wall_s = waiting
            try:
                self._run(change, wall_s)
                if not self._given_up:
                    self._told(number)
            except Exception as error:  # an error in a hook does not end the watch
                self._log(f"--on-alert: {type(error).__name__}: {error}")

    def _run(self, change: Change, wall_s: float) -> None:
        try:
            process = subprocess.Popen(
                self._words,
                env=os.environ | environment(change, wall_s),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # so that its children can be killed with it
            )
        except OSError as error:
            self._log(f"--on-alert could not be started: {error}")
            return
        self._process = process
        # Its arguments are private and may contain a password: only the program is named.
        _log.debug("child %d: %s, for %s %s", process.pid, self._words[0], change.condition, change.state)
        try:
            status = process.wait(self._time_limit_s)
            if status:
                self._log(f"--on-alert ended with status {status} for {change.condition} {change.state}")
        except subprocess.TimeoutExpired:
            self._kill(process)
            self._log(f"--on-alert was killed: it ran for longer than {self._time_limit_s:g} s")
        finally:
            self._process = None

    @staticmethod
    def _kill(process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
