#!/usr/bin/env python3
"""What whole commands cost: CPU-seconds, seconds of wall time and memory of each, with the build that ran.

    python scripts/time-programs.py                        every program, one after another
    python scripts/time-programs.py examine death          these only
    python scripts/time-programs.py --other PATH examine   this checkout and the one at PATH in turns, and their ratio
    python scripts/time-programs.py --json ...             a JSON object for each run instead

`make bench CASE=programs` calls this. What a program's processes use is counted together. Of `--rounds` runs (default
1, with --other 3) the one with the least CPU time counts: other programs only ever slow one down. Each run has an
empty store of its own. A program that fails is named, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
STORE = ("--store", "records.sqlite")

PROGRAMS = {
    "smart": ("smart", "sim:onyx-32"),
    "examine": ("examine", "sim:onyx-32", "--quiet", *STORE),
    "examine-quick-modern": ("examine", "--quick", "sim:kc3000-1024", "--quiet", *STORE),
    "examine-modern": ("examine", "sim:kc3000-1024", "--quiet", *STORE),
    "examine-full": ("examine", "--full", "sim:c300-256", "--quiet", *STORE),
    "death": ("endure", "sim:onyx-32", *STORE),
    "laws": ("reproduce", "laws", "--json"),
    "figures": ("reproduce", "figures", "--json"),
}
"""Name -> arguments of flashscope, in the order in which they run."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a program."""

    program: str
    build: str
    """What `flashscope --version` says."""

    user_s: float
    """CPU seconds in the program's own code, of all its processes."""

    system_s: float
    """CPU seconds in the kernel."""

    wall_s: float
    peak_mib: float
    """The largest memory of one of its processes."""

    @property
    def cpu_s(self) -> float:
        """CPU seconds in all."""
        return self.user_s + self.system_s


def main() -> int:
    """Run what was asked for; 0, or 1 when a program failed."""
    parser = argparse.ArgumentParser(description="CPU time, wall time and memory of whole flashscope commands")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"of {', '.join(PROGRAMS)}; default: all")
    parser.add_argument("--other", type=Path, metavar="PATH", help="a second checkout that is set up, run in turns")
    parser.add_argument("--rounds", type=int, metavar="N", help="runs of each; the one of least CPU time counts")
    parser.add_argument("--json", action="store_true", help="a JSON object for each run")
    asked = parser.parse_args()
    if unknown := [name for name in asked.programs if name not in PROGRAMS]:
        parser.error(f"there is no program {unknown[0]}; there are {', '.join(PROGRAMS)}")
    if asked.rounds is not None and asked.rounds < 1:
        parser.error(f"--rounds is {asked.rounds}; accepted: 1 and more")
    checkouts = [HERE] if asked.other is None else [HERE, asked.other.resolve()]
    for checkout in checkouts:
        if not command_of(checkout).exists():
            parser.error(f"{checkout} has no .venv/bin/flashscope; run `make setup` there")
    failed = False
    for name in asked.programs or PROGRAMS:
        try:
            best = _in_turns(name, checkouts, asked.rounds or (1 if asked.other is None else 3))
        except subprocess.CalledProcessError as error:
            print(f"{name} failed with exit code {error.returncode}:\n{error.stderr}", file=sys.stderr)
            failed = True
            continue
        print("\n".join(json.dumps(asdict(run)) for run in best) if asked.json else _in_words(best), flush=True)
    return int(failed)


def command_of(checkout: Path) -> Path:
    """The program of a checkout."""
    return checkout / ".venv" / "bin" / "flashscope"


def _in_turns(name: str, checkouts: list[Path], rounds: int) -> list[Run]:
    """The run of least CPU time in each checkout. Raises CalledProcessError when a run fails."""
    runs = [[timed(name, checkout) for checkout in checkouts] for _ in range(rounds)]
    return [min(of_one, key=lambda run: run.cpu_s) for of_one in zip(*runs, strict=True)]


def timed(name: str, checkout: Path) -> Run:
    """One run of a program of this checkout, in an empty folder. Raises CalledProcessError when it fails."""
    command = [str(command_of(checkout)), *PROGRAMS[name]]
    version = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder, "said")
        began = time.monotonic()
        with said.open("wb") as errors:
            process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        wall_s = time.monotonic() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise subprocess.CalledProcessError(process.returncode, command, stderr=said.read_text(errors="replace"))
    return Run(name, version, used.ru_utime, used.ru_stime, wall_s, used.ru_maxrss / 1024)


def _in_words(best: list[Run]) -> str:
    lines = [
        f"{run.program:22}{run.cpu_s:8.2f} CPU-s ({run.system_s:.2f} in the kernel)  {run.wall_s:7.2f} s of wall time"
        f"  peak {run.peak_mib:,.0f} MiB  {run.build}"
        for run in best
    ]
    if len(best) > 1:
        lines.append(f"{'':22}{best[0].cpu_s / best[1].cpu_s:8.2f} times the CPU time of the other build")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
