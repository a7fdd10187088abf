"""Is it still the same drive? What a run's journal says of its drive, held against the drive at hand.

    names match, serial number and size match     the same, wherever it is plugged in
    same name, other serial number or size        another drive took its place: refused
    neither                                       this store knows no run of this drive

A file has no serial number; there the path stands for it, and the blocks themselves say whose they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flashscope.drives.drive import DriveFacts
from flashscope.endurance.real.block_stamp import stamp_of
from flashscope.endurance.real.direct_file import DirectFile, aligned
from flashscope.endurance.real.generation_map import GenerationMap
from flashscope.endurance.real.layout import Layout
from flashscope.endurance.real.ledger import JOURNAL, read_begin, read_state
from flashscope.errors import WrongUse

_LOOKS = 64
_KEYS = ("kind", "serial", "model", "user_bytes", "name")


def runs_folder(store_path: Path) -> Path:
    """Where the ledgers of a store's runs are: beside it."""
    return store_path.with_name(f"{store_path.name}.endurance")


def identity_of(facts: DriveFacts, path: Path) -> dict[str, Any]:
    """What tells a drive from others. A file's serial number is its path."""
    serial = facts.serial or (str(path) if facts.kind == "file" else "")
    name = facts.address
    return {
        "kind": facts.kind, "serial": serial, "model": facts.model, "user_bytes": facts.user_bytes, "name": name,
    }  # fmt: skip


@dataclass(frozen=True)
class KnownRun:
    """A run of which there is a ledger. ended: why it is over, empty while it is not."""

    folder: Path
    begin: dict[str, Any]
    ended: str

    @property
    def identity(self) -> dict[str, Any]:
        """Its drive."""
        found: dict[str, Any] = self.begin["identity"]
        return found


def known_runs(store_path: Path) -> list[KnownRun]:
    """All runs of a store, oldest first. Raises WrongUse when a journal is damaged."""
    root = runs_folder(store_path)
    folders = sorted(path.parent for path in root.glob(f"*/{JOURNAL}")) if root.is_dir() else []
    whole = [folder for folder in folders if not folder.name.endswith(".new")]
    return [KnownRun(folder, read_begin(folder), read_state(folder).ended) for folder in whole]


def run_of(runs: Sequence[KnownRun], identity: dict[str, Any], store_path: Path) -> KnownRun:
    """The newest run of this drive. Raises WrongUse, in clear words, when there is none or the drive is another one."""
    mine = [run for run in runs if _same(run.identity, identity)]
    if mine:
        return mine[-1]
    here = [run for run in runs if run.identity["name"] == identity["name"] and not run.ended]
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
    others = ", ".join(dict.fromkeys(f"{run.identity['name']} ({run.identity['serial']})" for run in runs)) or "none"
    raise WrongUse(
        f"the store {store_path} holds no endurance run of {identity['name']} (serial number {identity['serial']!r})",
        accepted=f"a drive that it has a run of: {others}",
        advice="name the right store with --store, or begin a run without --resume",
    )


def check_no_unfinished(runs: Sequence[KnownRun], identity: dict[str, Any]) -> None:
    """Raises WrongUse when a run of this drive is not over."""
    for run in runs:
        if _same(run.identity, identity) and not run.ended:
            raise WrongUse(
                f"a run of {identity['name']} is not over: {run.folder.name}",
                accepted="--resume, which goes on with it",
                advice=f"to give it up and begin anew, remove {run.folder}",
            )


def check_blocks(drive: DirectFile, layout: Layout, generations: GenerationMap, drive_id: bytes, name: str) -> None:
    """Read some blocks before anything is written: the drive must hold data of this run.

    Raises WrongUse when not one of up to 64 written blocks bears the run's mark.
    """
    written = np.flatnonzero(generations.known(slice(0, min(layout.blocks, 1 << 22))))
    if not len(written):
        return
    chosen = written[np.linspace(0, len(written) - 1, min(_LOOKS, len(written))).astype(int)]
    buffer = aligned(layout.block_bytes)
    unreadable = 0
    for block in chosen.tolist():
        try:
            drive.read_into(buffer, layout.offset_bytes(block))
        except OSError:
            unreadable += 1
            continue
        found = stamp_of(bytes(buffer))
        if found is not None and found.drive_id == drive_id:
            return
    if unreadable < len(chosen):
        raise WrongUse(
            f"{name} does not hold this run's data: none of {len(chosen)} blocks that were written bears its mark",
            accepted="the drive as the run left it",
            advice="it was replaced, erased or written by something else; begin a new run. Nothing was written",
        )


def _same(was: dict[str, Any], now: dict[str, Any]) -> bool:
    keys = ("kind", "serial", "user_bytes") if was["kind"] == "file" else ("kind", "serial", "model", "user_bytes")
    return bool(was["serial"]) and all(was[key] == now[key] for key in keys)
