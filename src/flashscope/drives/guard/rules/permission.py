"""Rules about what was typed: a drive is written only when a person named it, and the name fits no other drive."""

from __future__ import annotations

from collections.abc import Iterator

from flashscope.drives.guard.rules.rule import NOTHING, Case, Rule
from flashscope.drives.system.view import SystemView


class WriteOk(Rule):
    """Files and directories are written only with --write-ok."""

    name = "write-ok"
    explains = "a run that writes to a file, or into a directory, was not given `--write-ok`"
    lifted_by = "`--write-ok`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.wants == "file" and case.target.kind in ("file", "missing") and not case.consent.write_ok:
            yield f"this run writes {case.target.path}", "give --write-ok"
        if case.target.wants == case.target.kind == "directory" and not case.consent.write_ok:
            yield f"this run makes files in a folder of its own in {case.target.path}", "give --write-ok"


class Serial(Rule):
    """Block devices are written only when their serial number was typed.

    A partition takes the number of its drive. A loop device has none and takes the path of its backing file.
    The refusal does not show the number: a person reads it from the drive and does not copy it from the refusal.
    """

    name = "serial"
    explains = "the drive's serial number was not typed, or another was typed, or two drives share it, or it has none"
    lifted_by = "`--serial NUMBER` (the WWN where two drives share a number; the backing file's path for a loop device)"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.block is None:
            return
        path, typed = case.block.path, case.consent.serial
        accepted = names_to_type(case.view, case.block.name)
        drive = case.view.blocks[case.view.whole(case.block.name)]
        if drive.backing_file and not drive.backing_number:
            where = f"type the path of its backing file after --serial; `losetup {drive.path}` shows it"
        elif drive.serial and drive.serial not in accepted:
            where = (
                "type its WWN after --serial, since another drive has the same serial number; "
                f"`lsblk -d -o NAME,WWN {drive.path}` shows it"
            )
        else:
            where = (
                "type the serial number after --serial; it is on the drive's label, in `flashscope plan`, "
                f"and in `lsblk -d -o NAME,MODEL,SERIAL,WWN {drive.path}`"
            )
        if not accepted:
            yield (
                f"{path} has no serial number and no WWN of its own, so nothing tells it apart from other drives",
                NOTHING,
            )
        elif typed is None:
            yield f"the serial number of {path} was not typed", where
        elif typed not in accepted:
            yield f"{typed!r} was typed, which is not the serial number of {path}", where


def names_to_type(view: SystemView, name: str) -> tuple[str, ...]:
    """What a person may type after --serial for a block device; empty when nothing tells it apart from other drives.

    The serial number and the WWN of the whole drive, each only while no other drive has the same (cheap USB
    bridges share numbers, name spaces of one NVMe drive too); the backing file's path for a loop device over a file.
    """
    drive = view.blocks[view.whole(name)]
    if drive.backing_number:  # a loop device over a drive is that drive, and does not get a name of its own
        under = view.named_by_number(drive.backing_number)
        return names_to_type(view, under) if under else ()
    others = [block for block in view.blocks.values() if block.name != drive.name and not block.partition_of]
    names = []
    if drive.serial and all(other.serial != drive.serial for other in others):
        names.append(drive.serial)
    if drive.world_wide_name and all(other.world_wide_name != drive.world_wide_name for other in others):
        names.append(drive.world_wide_name)
    if drive.backing_file and all(other.backing_file != drive.backing_file for other in others):
        names.append(drive.backing_file)
    return tuple(names)
