"""What a worker does: a task of plain data in, an answer out. Perhaps on another machine.

    task {version, kind, ...}  --perform-->  answer {version, took_s, and one of: record, row, partial, refused}

It opens no store and reads no part: everything it needs is in the task. Results of two versions may differ and must not
be mixed, so a worker refuses the task of another version.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from flashscope.drives.open import assemble
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.endurance.population import wear_one
from flashscope.endurance.variation import DriveOfLot
from flashscope.endurance.virtual_run import run_endurance
from flashscope.errors import FlashscopeError, WrongUse
from flashscope.experiments import catalogue
from flashscope.records import Record
from flashscope.records.keeper import InMemory
from flashscope.runner.asked import Asked
from flashscope.runner.build import this_build
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.smart.archives.batch import read_batch
from flashscope.smart.archives.day_files import DayFile
from flashscope.sweeps.point import Point, conditions_of_task, point_of_task


def perform(task: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to a task.

    record: of a point of a sweep. row: of a life of a population. partial: of a batch of an archive. refused: why it
    cannot be done so, in words.
    took_s: wall time. A task of another version is answered with the worker's own version alone.
    """
    version = this_build().identity
    if task["version"] != version:
        return {"version": version}
    began_s = time.perf_counter()
    try:
        answer = _KINDS.get(task["kind"], _run)(task)
    except FlashscopeError as error:
        answer = {"refused": str(error)}
    return answer | {"version": version, "took_s": time.perf_counter() - began_s}


def version_here() -> str:
    """The version of flashscope on a worker."""
    return this_build().identity


def _run(task: Mapping[str, Any]) -> dict[str, Any]:
    return {"record": run_point(point_of_task(task), task["command"])}


def run_point(point: Point, command: str) -> Record:
    """The record of a point, kept nowhere yet. Raises WrongUse when the drive cannot be run so."""
    drive = assemble(point.address, point.parts)
    told: dict[str, Any] = {"store": InMemory(), "progress": Silent(), "interruption": Interruption()}
    if point.conditions is not None:
        if not isinstance(drive, SimulatedDrive) or drive.part.kind != "ssd":
            raise WrongUse(f"{point.address} does not wear out", accepted="a solid-state drive alone")
        return run_endurance(drive, point.conditions, command=command, **told)
    experiment = catalogue.find(point.what)
    if not experiment.steps(drive.facts, point.effort):
        raise WrongUse(f"{point.address} cannot take {point.what}")
    return run_experiment(experiment, drive, Asked(point.address.seed, command, point.effort), **told)


def _life(task: Mapping[str, Any]) -> dict[str, Any]:
    conditions = conditions_of_task(task["conditions"])
    row = wear_one(DriveOfLot(**task["drive"]), task["configuration"], conditions, lambda: None)
    return {"row": asdict(row)}


def _archive_batch(task: Mapping[str, Any]) -> dict[str, Any]:
    files: Sequence[DayFile] = task["files"]
    if unseen := [file.name for file in files if not file.path.exists()]:
        raise WrongUse(
            f"a worker does not see {unseen[0]}",
            accepted="files that all workers find under the same name",
            advice="put the archive on a disk that they share, or read it without --scheduler",
        )
    return {"partial": read_batch(files, task["limits"])}


_KINDS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {"life": _life, "archive batch": _archive_batch}
