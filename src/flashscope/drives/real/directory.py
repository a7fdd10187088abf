"""A directory on a mounted file system as a drive: for work on real files, as programs do it.

    /mnt/point/                       what the address names; nothing in it is touched
      flashscope-run-3fa29c01/        made when the drive is opened, removed when it is closed (own_folder.py)
        files/...                     what the programs of a `FileWork` step read and write
        test-file                     what fio gets for a `Workload` step
        volume-512, mounted-512/      a file system with sectors of its own, for steps that ask for one (loop_volume.py)

The drive is measured together with the file system and the host's cache, as users experience it.
The folder is removed also after a failure and after Ctrl-C. When a run was killed, the next run that writes here
removes what is provably that run's own (leftovers.py). Files that steps keep in memory are in a folder of the same kind
in /dev/shm.
Not done here: the work itself (`runner/hands/files/hands.py`, fio), SMART of the drive underneath (smartctl).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Self

from flashscope.drives.addresses.address import Address
from flashscope.drives.guard import guard
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.rules import Case
from flashscope.drives.guard.rules.place import IN_MEMORY, MIB, RESERVE_BYTES
from flashscope.drives.held.held import Held
from flashscope.drives.own_folders.leftovers import Found, clear, look
from flashscope.drives.own_folders.loop_volume import LoopVolume, why_no_volumes
from flashscope.drives.own_folders.own_folder import MEMORY_PLACE, OwnFolder
from flashscope.drives.real.file_system import WHY_NO_TRIM, FileSystemFacts, file_system_of
from flashscope.drives.real.smart_access import smart_reasons, why_no_smart
from flashscope.drives.system.view import Block, SystemView
from flashscope.errors import DriveFailed, WrongUse
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts, FilePlace
from flashscope.records.time_cost import TimeCost

_ALIKE = "flashscope-*"
_NOT_KNOWN = " has a name like a run's own folder, but nothing proves that a run made it; remove it when no run uses it"
_ABOUT_ROOM = {"size", "space"}
_FOLDER = os.O_RDONLY | os.O_DIRECTORY


class DirectoryDrive:
    """A directory that is held and may be used as a drive.

    held: the run's own folder; the directory itself when nothing may be written, and then there is no folder.
    directory: the directory itself, held too. may_write: whether there is an own folder to work in.
    cleared: folders that killed runs had left here, and what happened to them when the drive was opened.
    """

    def __init__(self, case: Case, address: Address, directory: Held, cleared: Sequence[Found] = ()) -> None:
        facts = directory_facts(case)
        removed = [each.words for each in cleared if each.state == "removed"]
        self.facts = replace(facts, warnings=(*facts.warnings, *removed))
        self.cleared = tuple(cleared)
        self.may_write = case.destructive
        self.directory = directory
        self._case = case
        self._address = address
        self._folder: OwnFolder | None = None
        self._memory: OwnFolder | None = None
        self._inside = contextlib.ExitStack()
        self._volume: LoopVolume | None = None
        self.held = directory
        if self.may_write:
            self._folder = OwnFolder(directory.name, "run", place_handle=directory.handle)
            self.held = self._folder.held

    @classmethod
    def open(cls, address: Address, *, destructive: bool, consent: Consent, store_path: Path | None) -> Self:
        """Guard, remove what killed runs left behind, then make the folder.

        Raises guard.Refused and WrongUse; then nothing was made.
        With `consent.write_ok`, a run that only reads may write too, since the files that it reads must be made first.
        """
        writes = destructive or consent.write_ok
        case = guard.look(address, destructive=writes, consent=consent, store_path=store_path)
        cleared: list[Found] = []
        if writes and {refusal.rule for refusal in guard.broken_rules(case)} <= _ABOUT_ROOM:
            cleared = clear(case.target.path)  # leftovers may take the room that is missing
            case = guard.look(address, destructive=writes, consent=consent, store_path=store_path) if cleared else case
        _check(case, cleared)
        try:
            directory = Held.take(case.target.path, _FOLDER, wanted=case.target.identity)
        except OSError as error:
            raise WrongUse(f"{case.target.path} could not be opened: {error.strerror}") from error
        try:
            return cls(case, address, directory, cleared)
        except OSError as error:
            directory.close()
            raise WrongUse(f"no folder could be made in {case.target.path}: {error.strerror}") from error

    def guard_again(self) -> None:
        """See `drive.RealDrive.guard_again`."""
        changed = self.directory.what_changed() or self.held.what_changed()
        if changed:
            raise WrongUse(changed, advice="nothing was written; check it and start again")
        case = self._case
        guard.check(
            guard.look(self._address, destructive=case.destructive, consent=case.consent, store_path=case.store_path)
        )

    def memory_folder(self) -> Held:
        """A folder in memory, made at the first call and removed at the end. Raises WrongUse when it cannot be made."""
        if self._memory is None:
            self._memory = _folder_in_memory(self._case.view)
        return self._memory.held

    def also_holds(self, inside: Held) -> Held:
        """Hold something that was made in the folder, until the folder is emptied or removed."""
        return self._inside.enter_context(inside)

    def volume(self, sector_bytes: int) -> Held:
        """The top folder of a file system with these logical sectors; made anew unless the last one had the same.

        It takes all the space that may be used, so there is one at a time. Raises DriveFailed when it cannot be made.
        """
        if self._volume is None or self._volume.sector_bytes != sector_bytes:
            self._drop_volume()
            assert self._folder is not None, "a volume is asked for only where may_write"
            self._volume = LoopVolume(self._folder, self.facts.user_bytes, sector_bytes)
        return self._volume.top

    def _drop_volume(self) -> None:
        if self._volume is not None:
            self._volume.close()
            self._volume = None

    def empty(self) -> None:
        """Remove everything that earlier steps or experiments left in the folders of this drive."""
        self._inside.close()
        self._drop_volume()
        for folder in (self._folder, self._memory):
            if folder is not None:
                folder.empty()

    def close(self) -> None:
        """Remove the folders and release the directory. Closing twice does no harm.

        A folder that cannot be removed (the file system is read-only now, a volume is in use) stays for the next run.
        """
        if self.directory.is_closed:
            return
        self._inside.close()
        volume_is_gone = True
        try:
            self._drop_volume()
        except (DriveFailed, OSError):
            volume_is_gone = False
        if self._folder is not None:
            self._folder.close(remove=volume_is_gone)
        if self._memory is not None:
            self._memory.close()
        self.directory.close()

    def abandon(self) -> None:
        """See `drive.RealDrive.abandon`."""
        self.close()


def _check(case: Case, cleared: Sequence[Found]) -> None:
    """Raise guard.Refused, with a message that also names the leftovers that were removed before."""
    try:
        guard.check(case)
    except guard.Refused as refused:
        refused.what = "\n".join([refused.what, *(each.words for each in cleared if each.state == "removed")])
        raise


def directory_facts(case: Case) -> DriveFacts:
    """The facts of a directory. user_bytes: the space that may be used, whole MiB; at most `--size` when given."""
    path = case.target.path
    below = file_system_of(case.view, str(path))
    device = case.view.blocks.get(below.device)
    whole = case.view.blocks[case.view.whole(device.name)] if device else None
    room_bytes = max(0, case.target.free_bytes - RESERVE_BYTES)
    asked = case.consent.create_bytes
    (smart_path, no_smart), no_volumes = _smart_path(case.view, below), why_no_volumes()
    return DriveFacts(
        address=case.target.address,
        kind_name="directory",
        model=f"directory on {below.kind}" + (f" on {', '.join(below.drives)}" if below.drives else ""),
        firmware="",
        serial="",
        user_bytes=(room_bytes if asked is None else min(room_bytes, asked)) // MIB * MIB,
        time_cost=TimeCost.SHARED,
        capabilities=frozenset(_abilities(below, whole, smart_path, no_volumes)),
        why_not={
            Capability.TRIM: WHY_NO_TRIM,
            **({Capability.VOLUMES: no_volumes} if no_volumes else {}),
            **smart_reasons(no_smart, only_health_log=False),
        },
        sector_bytes=device.logical_sector_bytes if device else 512,
        when_written="writes only in a folder of its own, which is removed at the end; everything else stays",
        warnings=(*below.warnings, *_left_over(path), *_shared_with_results(case)),
        doubts=below.doubts,
        place=FilePlace(
            below.kind,
            below.mount_point,
            below.drives,
            path=str(path),
            free_bytes=case.target.free_bytes,
            physical_sector_bytes=device.physical_sector_bytes if device else 0,
            smart_path=smart_path,
        ),
    )


def _abilities(
    below: FileSystemFacts, whole: Block | None, smart_path: str, why_no_volumes: str
) -> Iterator[Capability]:
    """The capabilities of a directory. whole: the drive below, when it is exactly one and known."""
    yield Capability.FILES
    if not why_no_volumes:
        yield Capability.VOLUMES
    if whole is None or whole.backing_file or not whole.rotational:
        yield Capability.SOLID_STATE
    if below.passes_trim:
        yield Capability.TRIM
    if smart_path:
        yield Capability.SMART_ATTRIBUTES
        yield Capability.ERROR_BITS


def _smart_path(view: SystemView, below: FileSystemFacts) -> tuple[str, str]:
    """The one drive below whose SMART can be read, and ""; else "" and why there is none."""
    if len(below.drives) != 1:
        found = f"on several drives ({', '.join(below.drives)})" if below.drives else "on no drive that is known"
        return "", f"the directory is {found}, and SMART is read from exactly one"
    whole = view.blocks[below.drives[0]]
    why = why_no_smart(whole)
    return ("", why) if why else (whole.path, "")


def _left_over(path: Path) -> list[str]:
    found = {each.name: each.words for each in look(path)}
    with contextlib.suppress(OSError):
        for entry in path.glob(_ALIKE):
            if entry.name not in found and entry.is_dir():
                found[entry.name] = f"{entry.name} in {path}{_NOT_KNOWN}"
    return [found[name] for name in sorted(found)]


def _shared_with_results(case: Case) -> list[str]:
    if case.store_path is None:
        return []
    store = case.view.mount_of_path(os.path.realpath(case.store_path))
    if store is None or store != case.view.mount_of_path(str(case.target.path)):
        return []
    return ["the results store is on the same file system: its writes between two steps affect the result too"]


def _folder_in_memory(view: SystemView) -> OwnFolder:
    mount = view.mount_of_path(str(MEMORY_PLACE))
    if not MEMORY_PLACE.is_dir() or mount is None or mount.file_system not in IN_MEMORY:
        raise WrongUse(
            f"this step keeps files in memory, and {MEMORY_PLACE} is not a file system in memory",
            accepted=f"a tmpfs on {MEMORY_PLACE}",
            advice=f"`mount -t tmpfs tmpfs {MEMORY_PLACE}`; nothing was written",
        )
    try:
        return OwnFolder(MEMORY_PLACE, "memory")
    except OSError as error:
        raise WrongUse(f"no folder could be made in {MEMORY_PLACE}: {error.strerror}") from error
