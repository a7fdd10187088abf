"""The runner's hands on a directory: programs are real processes on real files, jobs are fio's on a test file.

    FileWork   a volume with the sectors it asks for -> room? -> sources laid out, old targets removed
               -> written out, cache emptied -> all programs begin together
               -> last one ended -> written out            (file_hands_*.py)
    Workload   test file as long as the jobs' span -> fio
    Trim       a hole punched into the test file

Files stay for the steps after, until the run ends; every run begins with an empty folder.
Not done here: what of a step is the file system's own work and what the drive's; a virtual drive can tell these apart.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

from flashscope.drives.directory import DirectoryDrive
from flashscope.errors import DriveFailed, WrongUse
from flashscope.records import Status
from flashscope.runner.file_hands_cache import doubt_about_reads, empty_cache, write_out
from flashscope.runner.file_hands_data import CHUNK_BYTES, DataSource, holds, make_archive
from flashscope.runner.file_hands_layout import Key, Layout, cold_bytes, lay_out, plan_of, room_needed_bytes
from flashscope.runner.file_hands_processes import Ended, run_together
from flashscope.runner.file_hands_result import doubt_about_speed, to_workload_result
from flashscope.runner.file_hands_test_file import NAME as TEST_FILE
from flashscope.runner.file_hands_test_file import make_ready
from flashscope.runner.hands import OnProgress, Outcome
from flashscope.runner.real import RealHands
from flashscope.workloads.file_work import File, Place
from flashscope.workloads.steps import FileWork, Trim, Workload

_FILES = "files"
_SPARE_BYTES = 16 * 1024 * 1024  # for the file system's own records
_NEEDS_CONSENT = "what is read in a directory has to be written first: give --write-ok"


class DirectoryHands(RealHands):
    """Carries steps out in a directory. Raises WrongUse when fio is missing.

    seed: of the run; it is added to the seed of every job.
    """

    def __init__(self, drive: DirectoryDrive, seed: int) -> None:
        super().__init__(drive, seed)
        self._directory = drive
        self._wrote = False
        try:
            drive.empty()
        except OSError as error:
            raise DriveFailed(
                f"what an earlier experiment left in {drive.path} could not be removed: {error.strerror}",
                advice="see whether the file system still takes writes",
            ) from error

    def _run(self, step: Workload, on_progress: OnProgress) -> Outcome:
        if not self._directory.may_write:
            return Outcome(Status.SKIPPED, _NEEDS_CONSENT)
        self._guard_once()
        self._wrote = True
        jobs = self._seeded(step.jobs)
        laid_out_bytes = make_ready(self._directory.path / TEST_FILE, jobs, on_progress)
        outcome = self._load(self._directory.path / TEST_FILE, step, on_progress)
        if outcome.workload is None:
            return outcome
        totals = {**outcome.workload.totals, "laid_out_bytes": laid_out_bytes}
        return replace(outcome, workload=replace(outcome.workload, totals=totals))

    def _trim(self, step: Trim, on_progress: OnProgress) -> Outcome:
        if not self._trimmed_path().exists():
            return Outcome(Status.SKIPPED, "no job has run in this directory yet, so there is no test file to trim")
        return super()._trim(step, on_progress)

    def _trimmed_path(self) -> Path:
        return self._directory.path / TEST_FILE

    def _smart_path(self) -> Path:
        return Path(self._directory.facts.extra["smart_path"])

    def _work_on_files(self, step: FileWork, on_progress: OnProgress) -> Outcome:
        if not self._directory.may_write:
            return Outcome(Status.SKIPPED, _NEEDS_CONSENT)
        why = self._directory.facts.extra["why_no_volumes"]
        if step.sector_bytes and why:
            return Outcome(
                Status.SKIPPED, f"the step wants a volume with sectors of {step.sector_bytes} bytes, and {why}"
            )
        layout = lay_out(step.programs)
        self._guard_once()
        folders = self._folders(layout, step.sector_bytes)
        try:
            self._see_that_there_is_room(step, layout, folders)
            self._wrote = True
            sizes = _prepare(layout, folders, on_progress)
            write_out(folders["drive"])
            doubts = empty_cache([folders["drive"] / path for place, path in sizes if place == "drive"])
        except OSError as error:
            raise DriveFailed(
                f"the files that the programs begin with could not be made: {_in_words(_plain(error))}",
                advice="see whether the drive is still there and has room",
            ) from error
        plans = [plan_of(program, layout) for program in step.programs]
        named: dict[str, str] = {place: str(folder) for place, folder in folders.items()}
        with tempfile.TemporaryDirectory(prefix="flashscope-programs-", dir=_elsewhere()) as own:
            ended = run_together(plans, named, step.sample_interval_ns, Path(own), on_progress)
        return self._outcome(step, ended, folders, cold_bytes(step.programs, sizes), Outcome(doubts=doubts))

    def _folders(self, layout: Layout, sector_bytes: int) -> dict[Place, Path]:
        own = self._directory.volume(sector_bytes) if sector_bytes else self._directory.path
        folders: dict[Place, Path] = {"drive": own / _FILES}
        if any(place == "memory" for place, _ in [*layout.before, *layout.targets]):
            folders["memory"] = self._directory.memory_folder()
        return folders

    def _see_that_there_is_room(self, step: FileWork, layout: Layout, folders: dict[Place, Path]) -> None:
        if self._trimmed_path().exists():
            self._trimmed_path().unlink()  # jobs make it anew; files need the room
        for place in folders:
            folder = folders["drive"].parent if place == "drive" else folders[place]
            room = os.statvfs(folder)
            needed_bytes, count = room_needed_bytes(step.programs, layout, place, room.f_frsize)
            own_bytes = _bytes_in(folders[place])
            there_bytes = room.f_bavail * room.f_frsize - _SPARE_BYTES + own_bytes
            if place == "drive":
                there_bytes = min(there_bytes, self._directory.facts.user_bytes)
            kept_bytes = own_bytes - sum(_size(folders[place] / path) for where, path in _all(layout) if where == place)
            words = ""
            if needed_bytes + kept_bytes > there_bytes:
                words = (
                    f"needs {needed_bytes + kept_bytes} bytes in {folder}, and {max(0, there_bytes)} may be used there"
                )
            elif room.f_files and count > room.f_favail:
                words = f"makes {count} files in {folder}, and its file system takes {room.f_favail} more"
            if words:
                self._no_room(f"step {step.name!r} {words}")

    def _no_room(self, what: str) -> None:
        advice = "make room, give a larger --size, or name a directory on a larger file system"
        if self._wrote:
            raise DriveFailed(what, advice=advice)
        raise WrongUse(what, advice=f"{advice}; nothing was written")

    def _outcome(self, step: FileWork, ended: Ended, folders: dict[Place, Path], cold: int, so_far: Outcome) -> Outcome:
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


def _prepare(layout: Layout, folders: dict[Place, Path], on_progress: OnProgress) -> dict[Key, int]:
    """Lay sources out and remove old targets; returns the sizes of the sources as they are [bytes]."""
    for folder in folders.values():
        folder.mkdir(exist_ok=True)
    for place, name in layout.targets:
        old = folders[place] / name
        if (place, name) not in layout.before and old.exists():
            old.unlink()
    sizes = {}
    for (place, name), file in layout.before.items():
        path = folders[place] / name
        path.parent.mkdir(parents=True, exist_ok=True)
        archive = layout.archives.get((place, name))
        if archive is not None:
            if not holds(path, archive.members, deflated=archive.deflated):
                make_archive(path, archive.members, deflated=archive.deflated)
        elif _size(path) != file.size_bytes and not is_zipfile(path):
            _write(path, file)
        sizes[place, name] = path.stat().st_size
        on_progress(0, 0)
    return sizes


def _write(path: Path, file: File) -> None:
    source = DataSource(file.path, file.compressible_ratio)
    with path.open("wb", buffering=0) as target:
        for left in range(file.size_bytes, 0, -CHUNK_BYTES):
            target.write(source.take(min(left, CHUNK_BYTES)))


def _plain(error: OSError) -> dict[str, Any]:
    return {"errno": error.errno or 0, "what": error.strerror or str(error), "path": str(error.filename or "")}


def _in_words(error: dict[str, Any]) -> str:
    where = f" ({error['path']})" if error["path"] else ""
    if error["errno"] == errno.ENOSPC:
        return f"there is no room left{where}"
    if error["errno"] in (errno.EIO, errno.ENODEV, errno.ENXIO):
        return f"the drive does not answer any more: {error['what']}{where}"
    return f"{error['what']}{where}"


def _all(layout: Layout) -> set[Key]:
    return {*layout.before, *layout.targets}


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0


def _elsewhere() -> str | None:
    """Where the programs' own notes are kept: in memory when there is such a place, so that they cost no drive time."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
