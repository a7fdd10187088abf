"""Many trials in child processes: a child that a signal ends, or that is silent for a minute, is a fault of its trial.

    python -m tests.fuzz.campaign address 0 2000

Each child says which trial it begins, and how it ended; its memory is limited (RLIMIT_AS), so that a drive that is
larger than announced ends the child and not the machine.
"""

from __future__ import annotations

import collections
import os
import resource
import select
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

SILENT_S = 60.0
ALLOWED_BYTES = 1 << 30
LIMIT_BYTES = 6 << 30
ROOT = Path(__file__).resolve().parents[2]


def child(kind: str, first: int, end: int) -> None:
    """Do trials first to end - 1; one line each on standard output."""
    from flashscope.drives.system.free_memory import limit_memory
    from tests.fuzz.trials import ended, trial_of

    limit_memory(ALLOWED_BYTES)
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, end):
            print(f"begins {number}", flush=True)
            what, trial = trial_of(kind, number, Path(folder))
            try:
                how = ended(trial)
            except BaseException as fault:
                where = traceback.extract_tb(fault.__traceback__)[-1]
                how = f"FAULT {type(fault).__name__}: {str(fault)[:300]!r} at {where.filename}:{where.lineno}; {what!r}"
            print(f"ended {number} {how}", flush=True)


def lines_of(command: list[str]) -> Iterator[str]:
    """The lines of a child; the last one says how it ended when it did not end well."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    running = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    assert running.stdout is not None
    assert running.stderr is not None
    try:
        while True:
            ready, _, _ = select.select([running.stdout], [], [], SILENT_S)
            if not ready:
                yield f"died silent for {SILENT_S:.0f} s"
                return
            line = running.stdout.readline()
            if not line:
                break
            yield line.rstrip("\n")
        said = running.stderr.read()
        if running.wait() != 0:
            yield f"died with exit code {running.returncode}: {said[-300:]!r}"
    finally:
        running.kill()
        running.communicate()


def run(kind: str, first: int, end: int) -> collections.Counter[str]:
    """Trials first to end - 1 of a kind; how they ended. Faults are printed as they come, with what they are about."""
    counts: collections.Counter[str] = collections.Counter()
    next_number = first
    while next_number < end:
        begun = next_number
        for line in lines_of([sys.executable, "-m", "tests.fuzz.campaign", "child", kind, str(next_number), str(end)]):
            word, _, rest = line.partition(" ")
            if word == "begins":
                begun = int(rest)
                continue
            how = rest.partition(" ")[2] if word == "ended" else rest
            if word == "died" or how.startswith("FAULT"):
                print(f"{kind} {begun}: {how}", flush=True)
                counts["fault"] += 1
            else:
                counts[how] += 1
        next_number = begun + 1
    return counts


if __name__ == "__main__":
    if sys.argv[1] == "child":
        child(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        print(dict(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
