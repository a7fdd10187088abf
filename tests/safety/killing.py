"""Many runs of one kind on one drive, each killed at a moment drawn by chance; what went wrong is counted.

    to its end -> begin -> kill -> look -> begin -> kill -> look ...          run, examine, trim
    to its end -> begin -> kill -> look -> --resume -> kill -> ... done       endure; then the next run

Every kill is followed by the next run, and every twentieth run goes to its end, so that a drive, a store or a lock that
a kill left unusable is seen. The seed decides which moments are drawn; where in the run they fall the machine decides.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from flashscope.endurance.real.runs import find_runs

from .canaries import ENVIRONMENT
from .kills import KilledRun, Moment

_TO_THE_END_EVERY = 20


class Killable(Protocol):
    """A drive on which runs may be killed; see `killed_drives.py`."""

    address: str
    path: Path
    consent: list[str]

    def after(self, gone: Callable[[float], list[str]]) -> list[str]: ...


@dataclass(frozen=True)
class Kind:
    """What is run. command: its name. options: what follows the address, consent apart.

    phases: those that are aimed at (see `kills.py`). length_s: how long a run is watched [s] that would take too long
    to be let go to its end; 0 for one that ends by itself, whose length is measured.
    """

    command: str
    options: Sequence[str]
    phases: Sequence[str] = ("fio",)
    length_s: float = 0.0


@dataclass
class Tally:
    """What happened. phases: who was at work when a kill came. faults: one sentence each."""

    kills: int = 0
    resumed: int = 0
    finished: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        phases = ", ".join(f"{name} {count}" for name, count in sorted(self.phases.items()))
        return (
            f"{self.kills} kills ({phases}), {self.resumed} resumed, {self.finished} runs to their end, "
            f"{len(self.faults)} faults"
        )


class Killing:
    """Kills runs. own: a folder for the store, temporary files and reports; watched: no, it may change."""

    def __init__(self, kind: Kind, drive: Killable, own: Path, chance: random.Random) -> None:
        self.tally = Tally()
        self._kind, self._drive, self._own, self._chance = kind, drive, own, chance
        self._temporary = own / "temporary"
        self._temporary.mkdir()
        self._environment: Mapping[str, str] = {**ENVIRONMENT, "TMPDIR": str(self._temporary)}
        self._store_number = 0
        self._length_s = kind.length_s

    def kill(self, times: int) -> Tally:
        """Kill runs until so many were killed."""
        resume = False
        if not self._kind.length_s:
            self._to_the_end()
        while self.tally.kills < times:
            run = self._start(resume=resume)
            moment = Moment.by_chance(self._chance, self._length_s, self._kind.phases)
            phase = run.kill(moment, self._drive.path)
            if phase == "ended":
                self._see_end(run, resume=resume)
                resume = False
                continue
            self.tally.kills += 1
            self.tally.phases[phase] += 1
            self._note(self._drive.after(run.gone), phase)
            (self._own / "tally.txt").write_text(f"{self.tally}\n" + "\n".join(self.tally.faults))
            if self._kind.command == "endure":
                resume = self._begun()
            elif not self._kind.length_s and self.tally.kills % _TO_THE_END_EVERY == 0:
                self._to_the_end()
        if not self._kind.length_s:
            self._to_the_end(resume=resume)
        return self.tally

    def _start(self, *, resume: bool) -> KilledRun:
        self.tally.resumed += resume
        what = ["--resume"] if resume else self._kind.options
        command = [sys.executable, "-m", "flashscope", self._kind.command, self._drive.address, *what]
        command += [*self._drive.consent, "--quiet", "--store", str(self._store)]
        return KilledRun(command, self._own, self._environment)

    @property
    def _store(self) -> Path:
        return self._own / f"records-{self._store_number}.sqlite"

    def _begun(self) -> bool:
        """Whether an endurance run has begun and is not over: then it must be possible to go on with it."""
        known = find_runs(self._store).known
        return bool(known) and not known[-1].ended

    def _to_the_end(self, *, resume: bool = False) -> None:
        """The run after a kill, which is left alone: it must come to its end and clear up behind the killed ones."""
        self._see_end(self._start(resume=resume), resume=resume)
        self._note([f"{path.name} was left in the temporary folder" for path in self._temporary.iterdir()], "end")

    def _see_end(self, run: KilledRun, *, resume: bool) -> None:
        code = run.finish()
        if not (resume or self._kind.length_s):
            self._length_s = time.monotonic() - run.began_s
        said = run.output.read_text(errors="replace")
        wears = self._kind.command == "endure"
        if code != 0 or (wears and "none was lost" not in said):
            self._note([f"{'resumed, ' if resume else ''}it ended with {code} and said: {said[-1500:]}"], "end")
        self.tally.finished += 1
        self._store_number += wears

    def _note(self, faults: Sequence[str], phase: str) -> None:
        self.tally.faults += [f"kill {self.tally.kills} ({phase}): {fault}" for fault in faults]
