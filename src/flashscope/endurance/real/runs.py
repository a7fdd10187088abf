"""The runs beside a store, and which belongs to this drive, by each run's description; only its journal is read.

    STORE.endurance/RUN/begin, or the first entry of RUN/journal     its drive: read for every run
    STORE.endurance/RUN/journal                                      its progress: read for the drive's own runs
    STORE.endurance/RUN.set-aside                                    no longer looked at (`setting_aside.py`)

A run without a readable description may be this drive's run only when the drive has blocks of an unknown run. Then it
must be set aside first; otherwise it is a doubt of the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flashscope.endurance.real.begin_line import BEGIN, read_begin
from flashscope.endurance.real.identity import is_same
from flashscope.endurance.real.journal import JOURNAL
from flashscope.endurance.real.ledger import read_state
from flashscope.errors import WrongUse
from flashscope.records import Doubt

SET_ASIDE = ".set-aside"
_KEYS = ("kind", "serial", "model", "user_bytes", "name")


def runs_folder(store_path: Path) -> Path:
    """Where the ledgers of a store's runs are: beside it."""
    return store_path.with_name(f"{store_path.name}.endurance")


@dataclass(frozen=True)
class KnownRun:
    """A run with a ledger. begin: its description, as given to `Ledger.create`."""

    folder: Path
    begin: dict[str, Any]

    @property
    def identity(self) -> dict[str, Any]:
        """Its drive."""
        found: dict[str, Any] = self.begin["identity"]
        return found

    @property
    def ended(self) -> str:
        """Why it is over, empty while it is not; from its journal. Raises WrongUse when that is damaged."""
        return read_state(self.folder).ended


@dataclass(frozen=True)
class Runs:
    """All runs of a store. known: oldest first. untold: folders without a readable description."""

    store_path: Path
    known: tuple[KnownRun, ...]
    untold: tuple[Path, ...]

    def of(self, identity: dict[str, Any]) -> list[KnownRun]:
        """Those of a drive, oldest first."""
        return [run for run in self.known if is_same(run.identity, identity)]

    def drive_ids(self) -> frozenset[bytes]:
        """The marks in the blocks of the known runs."""
        return frozenset(bytes.fromhex(run.begin["drive_id"]) for run in self.known)

    def doubts(self) -> list[Doubt]:
        """One doubt for each folder without a readable description."""
        return [
            Doubt(
                "RunUntold",
                f"a run beside the store does not say which drive it is of: {folder.name}",
                f"the drive holds no blocks of it; set it aside: flashscope endure --set-aside {folder.name}",
            )
            for folder in self.untold
        ]


def find_runs(store_path: Path) -> Runs:
    """All runs of a store; no journal is read beyond its first entry."""
    root = runs_folder(store_path)
    folders = sorted({path.parent for name in (JOURNAL, BEGIN) for path in root.glob(f"*/{name}")})
    known, untold = [], []
    for folder in folders:
        if SET_ASIDE in folder.name:
            continue
        try:
            known.append(KnownRun(folder, read_begin(folder)))
        except WrongUse:
            untold.append(folder)
    return Runs(store_path, tuple(known), tuple(untold))


def run_of(runs: Runs, identity: dict[str, Any]) -> KnownRun:
    """The newest run of this drive. Raises WrongUse, in clear words, when there is none or the drive is another one."""
    mine = runs.of(identity)
    if mine:
        return mine[-1]
    here = [run for run in runs.known if run.identity["name"] == identity["name"] and not _is_over(run)]
    if here:
        was = here[-1].identity
        differences = [
            f"{key.replace('_', ' ')} {was[key]!r} then, {identity[key]!r} now"
            for key in _KEYS
            if was[key] != identity[key]
        ]
        raise WrongUse(
            f"{identity['name']} is another drive than the one whose run began: {'; '.join(differences)}",
            accepted="the drive that the run was begun on, under any name",
            advice="connect that one; nothing was written",
        )
    named = dict.fromkeys(f"{run.identity['name']} ({run.identity['serial']})" for run in runs.known)
    raise WrongUse(
        f"the store {runs.store_path} holds no endurance run of {identity['name']} "
        f"(serial number {identity['serial']!r})" + _and_untold(runs.untold),
        accepted=f"a drive that it has a run of: {', '.join(named) or 'none'}",
        advice="name the right store with --store, or begin a run without --resume",
    )


def check_no_unfinished(runs: Sequence[KnownRun]) -> None:
    """runs: those of the drive. Raises WrongUse when one of them is not over, or its journal is damaged."""
    for run in runs:
        if not run.ended:
            raise WrongUse(
                f"a run of {run.identity['name']} is not over: {run.folder.name}",
                accepted="--resume, which goes on with it",
                advice=f"to give it up and begin again: flashscope endure --set-aside {run.folder.name}",
            )


def refuse_untold(runs: Runs, name: str) -> None:
    """The drive has blocks of an unknown run: raises WrongUse when a run without a description may be it."""
    if runs.untold:
        raise WrongUse(
            f"{name} holds blocks of an endurance run, which may be the run {runs.untold[0].name}, whose journal is "
            "damaged and does not say which drive it is of",
            accepted="a copy of that journal, put back; or the run set aside",
            advice=f"flashscope endure --set-aside {runs.untold[0].name} keeps all of it. Nothing was written",
        )


def _is_over(run: KnownRun) -> bool:
    try:
        return bool(run.ended)
    except WrongUse:
        return False


def _and_untold(folders: Sequence[Path]) -> str:
    named = ", ".join(folder.name for folder in folders)
    return f"; and it is not known which drive these runs are of, since their journals are damaged: {named}" * bool(
        named
    )
