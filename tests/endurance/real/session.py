"""One session of an endurance run in a process of its own, to be killed: tells each acknowledgement before it goes on.

Forked, so that no time goes into starting Python, and most kills come while the run is at work.
"""

import os
import signal
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from flashscope.endurance.real.settings import WearSettings, parse_workloads

from .worn import MIB, Worn


class Session:
    """A child process that begins or resumes the run in a folder."""

    def __init__(self, folder: Path, *, resume: bool, budget_mib: int, workload: str) -> None:
        self._output, told = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self._output)
            code = 1
            try:
                status = _work(folder, resume, budget_mib, workload, lambda line: os.write(told, line.encode()))
                os.write(told, f"ended {status}\n".encode())
                code = 0
            except BaseException:
                os.write(told, traceback.format_exc().encode())
            finally:
                os._exit(code)
        os.close(told)
        self._heard = b""

    def wait_for(self, start: str) -> bool:
        """Wait until a line begins so; False when the session ended first."""
        while not any(line.startswith(start) for line in self.lines()):
            more = os.read(self._output, 65536)
            if not more:
                return False
            self._heard += more
        return True

    def kill(self, after_s: float) -> None:
        """SIGKILL after so much time; then all it had said is heard."""
        time.sleep(after_s)
        os.kill(self.pid, signal.SIGKILL)
        self.end()

    def end(self) -> int:
        """Hear it to its end; its exit code."""
        while more := os.read(self._output, 65536):
            self._heard += more
        os.close(self._output)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def lines(self) -> list[str]:
        """Whole lines heard so far."""
        return self._heard.decode(errors="replace").split("\n")[:-1]


def _work(folder: Path, resume: bool, budget_mib: int, workload: str, tell: Callable[[str], object]) -> str:
    worn = Worn(folder, address=f"file:{folder}/drive.img")
    tell("started\n")

    def acknowledged(batches: int, written_bytes: int) -> None:
        tell(f"ack {batches} {written_bytes}\n")

    if resume:
        return worn.resume(on_acknowledged=acknowledged).status.value
    settings = WearSettings(
        parse_workloads(workload),
        budget_mib * MIB,
        static_ratio=0.25,
        checkpoint_bytes=7 * MIB,
        verify="sampled",
        figures=False,
    )
    return worn.begin(settings, on_acknowledged=acknowledged).status.value
