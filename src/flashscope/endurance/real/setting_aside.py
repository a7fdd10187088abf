"""Set a run aside: its folder gets another name, so that it is no longer used and nothing in it is lost.

    STORE.endurance/RUN  ->  STORE.endurance/RUN.set-aside

For a run whose journal is damaged, or that is abandoned. Its record stays in the store. Renaming it back undoes it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.durable import sync_folder
from flashscope.endurance.real.begin_line import read_begin
from flashscope.endurance.real.journal import JOURNAL, look_at_journal
from flashscope.endurance.real.ledger import locked
from flashscope.endurance.real.run_state import RunState
from flashscope.endurance.real.runs import SET_ASIDE, runs_folder
from flashscope.errors import WrongUse
from flashscope.store.file.disk_words import words_of
from flashscope.units import format_bytes


@dataclass(frozen=True)
class SetAside:
    """What was there, line by line, and where it is now."""

    run: str
    now: Path
    what: tuple[str, ...]


def set_aside(store_path: Path, reference: str) -> SetAside:
    """Set a run aside. reference: the name of its folder, or a unique beginning of it.

    Raises WrongUse when there is none or another process is at work on it; nothing was changed then.
    """
    folder = _find(store_path, reference)
    lock = locked(folder)
    try:
        what = tuple(describe(folder))
        now = _free_name(folder)
        folder.rename(now)
        sync_folder(folder.parent)
    except OSError as error:
        cause, advice = words_of(error)
        raise WrongUse(f"{folder} cannot be renamed: {cause}", advice=advice) from error
    finally:
        os.close(lock)
    return SetAside(folder.name, now, what)


def describe(folder: Path) -> list[str]:
    """What is in the folder of a run, as far as it can be read; changes nothing."""
    return [f"drive: {_drive(folder)}", f"journal: {_journal(folder)}", f"files: {_files(folder)}"]


def _find(store_path: Path, reference: str) -> Path:
    root = runs_folder(store_path)
    folders = sorted(root.iterdir()) if root.is_dir() else []
    there = [path for path in folders if path.is_dir() and SET_ASIDE not in path.name]
    found = [path for path in there if path.name == reference] or [
        path for path in there if reference and path.name.startswith(reference)
    ]
    if len(found) != 1:
        named = ", ".join(path.name for path in found or there) or "none"
        raise WrongUse(
            f"{root} has {len(found) or 'no'} run{'s' * (len(found) > 1)} {reference!r}",
            accepted=f"the name of one, or a unique beginning of it: {named}",
            advice="name the right store with --store",
        )
    return found[0]


def _free_name(folder: Path) -> Path:
    for number in range(1, 10_000):
        name = folder.with_name(folder.name + SET_ASIDE + (f"-{number}" if number > 1 else ""))
        if not os.path.lexists(name):
            return name
    raise WrongUse(f"{folder.name} was set aside too many times", advice=f"remove old ones from {folder.parent}")


def _drive(folder: Path) -> str:
    try:
        begin = read_begin(folder)
    except WrongUse:
        return "is not known"
    drive, settings = begin["identity"], begin["settings"]
    return (
        f"{drive['name']} ({drive['model']}, serial number {drive['serial']}), begun {begin['began_utc']} "
        f"with a budget of {format_bytes(settings['budget_bytes'])}"
    )


def _journal(folder: Path) -> str:
    try:
        found = look_at_journal(folder / JOURNAL)
    except WrongUse as error:
        return error.what
    state = RunState()
    for entry in found.entries:
        state.apply(entry)
    how = f"damaged at byte {found.whole_bytes}, and {found.torn_bytes} bytes follow" if found.damaged else "whole"
    said = f"{how}; its {len(found.entries)} entries say {format_bytes(state.written_bytes)} written"
    return said + (f", and that it ended: {state.ended}" if state.ended else ", and no end")


def _files(folder: Path) -> str:
    sizes = [(path.name, path.stat().st_size) for path in sorted(folder.iterdir())]
    return ", ".join(f"{name} ({size} bytes)" for name, size in sizes) or "none"
