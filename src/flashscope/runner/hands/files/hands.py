"""The runner's hands for a directory: programs are real processes on real files; fio runs jobs on a test file.

    FileWork   a volume with the required sectors -> enough room? -> sources laid out, old targets removed
               -> written out, cache emptied -> all programs begin together
               -> last one ended -> written out            (file_hands_*.py)
    Workload   test file as long as the jobs' span -> fio
    Trim       a hole punched into the test file

Files stay for later steps, until the run ends; every run begins with an empty folder.
Not done here: separating the work of the file system from the drive's own; a virtual drive can separate these.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from flashscope.drives.held.beneath import Beneath
from flashscope.drives.held.held import Held
from flashscope.drives.own_folders.own_folder import MEMORY_PLACE, folder_for_notes
from flashscope.drives.real.directory import DirectoryDrive
from flashscope.errors import DriveFailed, WrongUse
from flashscope.records import Status
from flashscope.records.capability import Capability
from flashscope.runner.hands.files.cache import doubt_about_reads, empty_cache, write_out
from flashscope.runner.hands.files.layout import Key, Layout, cold_bytes, lay_out, plan_of, room_needed_bytes
from flashscope.runner.hands.files.prepare import bytes_in, prepare, reached
from flashscope.runner.hands.files.processes import Ended, run_together
from flashscope.runner.hands.files.result import doubt_about_speed, to_workload_result
from flashscope.runner.hands.files.test_file import make_ready, new_test_file
from flashscope.runner.hands.hands import OnProgress, Outcome
from flashscope.runner.hands.real import RealHands
from flashscope.workloads.file_work import Place
from flashscope.workloads.steps import FileWork, Trim, Workload

_FILES = "files"
_SPARE_BYTES = 16 * 1024 * 1024  # for the file system's own records
_NEEDS_CONSENT = "the files that this step reads have to be written first: give --write-ok"


class DirectoryHands(RealHands):
    """Carries steps out in a directory. Raises WrongUse when fio is missing.

    seed: of the run; it is added to the seed of every job.
    """

    def __init__(self, drive: DirectoryDrive, seed: int) -> None:
        super().__init__(drive, seed)
        self._directory = drive
        self._wrote = False
        self._test_file: Held | None = None
        self._files: dict[int, Held] = {}
        try:
            drive.empty()
        except OSError as error:
            raise DriveFailed(
                f"the files of an earlier experiment in {drive.held.name} could not be removed: {error.strerror}",
                advice="check whether the file system still takes writes",
            ) from error

    def _run(self, step: Workload, on_progress: OnProgress) -> Outcome:
        if not self._directory.may_write:
            return Outcome(Status.SKIPPED, _NEEDS_CONSENT)
        self._guard_once()
        self._wrote = True
        jobs = self._seeded(step.jobs)
        if self._test_file is None:
            self._test_file = self._directory.also_holds(new_test_file(self._directory.held))
        laid_out_bytes = make_ready(self._test_file, jobs, on_progress)
        outcome = self._load(self._test_file, step, on_progress)
        if outcome.workload is None:
            return outcome
        totals = {**outcome.workload.totals, "laid_out_bytes": laid_out_bytes}
        return replace(outcome, workload=replace(outcome.workload, totals=totals))

    def _trim(self, step: Trim, on_progress: OnProgress) -> Outcome:
        if self._test_file is None:
            return Outcome(Status.SKIPPED, "no job has run in this directory yet, so there is no test file to trim")
        return self._trim_in(self._test_file, step, on_progress)

    def _smart_path(self) -> Path:
        place = self._directory.facts.place
        return Path(place.smart_path if place is not None else "")

    def _work_on_files(self, step: FileWork, on_progress: OnProgress) -> Outcome:
        if not self._directory.may_write:
            return Outcome(Status.SKIPPED, _NEEDS_CONSENT)
        why = self._directory.facts.why_it_cannot(Capability.VOLUMES)
        if step.sector_bytes and why:
            return Outcome(
                Status.SKIPPED, f"the step needs a volume with sectors of {step.sector_bytes} bytes, and {why}"
            )
        layout = lay_out(step.programs)
        self._guard_once()
        try:
            self._see_that_there_is_room(step, layout)
            folders = self._folders(layout, step.sector_bytes)
            self._wrote = True
            with reached(folders) as places:
                sizes = prepare(layout, places, on_progress)
                write_out(folders["drive"])
                doubts = empty_cache(places["drive"], [path for place, path in sizes if place == "drive"])
        except OSError as error:
            raise DriveFailed(
                f"the files that the programs begin with could not be made: {_in_words(_plain(error))}",
                advice="check whether the drive is still there and has free space",
            ) from error
        plans = [plan_of(program, layout) for program in step.programs]
        with folder_for_notes(_elsewhere(), "programs") as own:
            ended = run_together(plans, folders, step.sample_interval_ns, own.path, on_progress)
        return self._outcome(step, ended, folders, cold_bytes(step.programs, sizes), Outcome(doubts=doubts))

    def _top(self, sector_bytes: int) -> Held:
        """The folder for the files of a step on the drive: the run's own, or that of a volume with such sectors."""
        if not sector_bytes:
            return self._directory.held
        for old in [each for each in self._files if each not in (0, sector_bytes)]:
            self._files.pop(old).close()  # a volume that is held cannot be removed
        return self._directory.volume(sector_bytes)

    def _folders(self, layout: Layout, sector_bytes: int) -> dict[Place, Held]:
        """The folders of a step, held. Raises DriveFailed when one was replaced, OSError and WrongUse."""
        top = self._top(sector_bytes)
        if sector_bytes not in self._files:
            files = Held.take_folder(top.name / _FILES, top)
            self._files[sector_bytes] = self._directory.also_holds(files)
        folders: dict[Place, Held] = {"drive": self._files[sector_bytes]}
        if _in_memory(layout):
            folders["memory"] = self._directory.memory_folder()
        for folder in folders.values():
            folder.check()
        return folders

    def _see_that_there_is_room(self, step: FileWork, layout: Layout) -> None:
        self._drop_test_file()
        top = self._top(step.sector_bytes)
        self._see_room_in("drive", top, self._files.get(step.sector_bytes), step, layout)
        if _in_memory(layout):
            memory = self._directory.memory_folder()
            self._see_room_in("memory", memory, memory, step, layout)

    def _see_room_in(self, place: Place, top: Held, files: Held | None, step: FileWork, layout: Layout) -> None:
        """top: on the file system in question. files: folder of the files, None when there are none yet."""
        room = os.fstatvfs(top.handle)
        needed_bytes, count = room_needed_bytes(step.programs, layout, place, room.f_frsize)
        own_bytes = bytes_in(files)
        there_bytes = room.f_bavail * room.f_frsize - _SPARE_BYTES + own_bytes
        if place == "drive":
            there_bytes = min(there_bytes, self._directory.facts.user_bytes)
        kept_bytes = own_bytes - _bytes_of(files, [name for where, name in _all(layout) if where == place])
        words = ""
        if needed_bytes + kept_bytes > there_bytes:
            words = (
                f"needs {needed_bytes + kept_bytes} bytes in {top.name}, and {max(0, there_bytes)} may be used there"
            )
        elif room.f_files and count > room.f_favail:
            words = f"makes {count} files in {top.name}, and its file system takes {room.f_favail} more"
        if words:
            self._no_room(f"step {step.name!r} {words}")

    def _drop_test_file(self) -> None:
        """Jobs make the test file anew; files need its room."""
        if self._test_file is not None:
            self._test_file.unlink()
            self._test_file.close()
            self._test_file = None

    def _no_room(self, what: str) -> None:
        advice = "free some space, give a larger --size, or name a directory on a larger file system"
        if self._wrote:
            raise DriveFailed(what, advice=advice)
        raise WrongUse(what, advice=f"{advice}; nothing was written")

    def _outcome(self, step: FileWork, ended: Ended, folders: dict[Place, Held], cold: int, so_far: Outcome) -> Outcome:
        results = [result for result in ended.results if result is not None]
        words = [_in_words(result["error"]) for result in results if result["error"]]
        try:
            write_out(folders["drive"])
        except OSError as error:
            words.append(f"the files could not be written out: {error.strerror}")
        measured = to_workload_result(
            results,
            began_ns=ended.began_ns,
            synced_ns=time.monotonic_ns() - ended.began_ns,
            interval_ns=step.sample_interval_ns,
        )
        outcome = replace(so_far, workload=measured)
        if ended.stopped:
            return replace(outcome, status=Status.INTERRUPTED, note=ended.stopped)
        if len(results) < len(ended.results):
            words.append(f"a program of the step was ended from outside ({ended.words})")
        if words:
            why = self._watched.why_it_failed()
            note = "; ".join(dict.fromkeys([*([why] if why else []), *words]))
            return replace(outcome, status=Status.FAILED, note=note)
        fetched = measured.totals["fetched_bytes"]
        more = (*doubt_about_reads(step.name, cold, fetched), *doubt_about_speed(step.name, results))
        return replace(outcome, doubts=(*outcome.doubts, *more))


def _plain(error: OSError) -> dict[str, Any]:
    return {"errno": error.errno or 0, "what": error.strerror or str(error), "path": str(error.filename or "")}


def _in_words(error: dict[str, Any]) -> str:
    where = f" ({error['path']})" if error["path"] else ""
    if error["errno"] == errno.ENOSPC:
        return f"there is no space left{where}"
    if error["errno"] in (errno.EIO, errno.ENODEV, errno.ENXIO):
        return f"the drive does not answer any more: {error['what']}{where}"
    return f"{error['what']}{where}"


def _in_memory(layout: Layout) -> bool:
    return any(place == "memory" for place, _ in _all(layout))


def _bytes_of(files: Held | None, names: list[str]) -> int:
    """The space that files with these names take now [bytes]."""
    if files is None:
        return 0
    beneath = Beneath(files.handle)
    try:
        return sum(beneath.size_bytes(name) or 0 for name in names)
    finally:
        beneath.close()


def _all(layout: Layout) -> set[Key]:
    return {*layout.before, *layout.targets}


def _elsewhere() -> Path:
    """The folder for the programs' own notes: in memory where possible, so that they cost no drive time."""
    return MEMORY_PLACE if os.access(MEMORY_PLACE, os.W_OK) else Path(tempfile.gettempdir())
