"""A block device as a drive: a disk, a partition of one, or a loop device.

It is held open exclusively (O_EXCL) as long as it is used, so meanwhile the kernel lets nobody mount it, swap to it or
build an array on it. Every program that writes to it inherits the descriptor (held.py).
Not done here: loading (fio does) and SMART (smartctl does).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from flashscope.drives.addresses.address import Address
from flashscope.drives.guard import guard
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.rules import Case
from flashscope.drives.guard.rules.permission import names_to_type
from flashscope.drives.held.held import Held
from flashscope.drives.held.identity import place_of_device
from flashscope.drives.real.smart_access import smart_reasons, why_no_smart
from flashscope.drives.system.file_birth import file_id
from flashscope.drives.system.view import Block
from flashscope.errors import WrongUse
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DeviceFacts, DriveFacts
from flashscope.records.time_cost import TimeCost

_WHY_NO_FILES = dict.fromkeys((Capability.FILES, Capability.VOLUMES), Capability.FILES.missing)


class BlockDevice:
    """A block device that is held and may be used as a drive. held: see `drive.RealDrive.held`."""

    def __init__(self, case: Case, address: Address, held: Held) -> None:
        self.held = held
        self._case = case
        self._address = address
        self.facts = block_facts(case)

    @classmethod
    def open(
        cls,
        address: Address,
        *,
        destructive: bool,
        consent: Consent,
        store_path: Path | None,
        keeps_data: bool = False,
    ) -> Self:
        """Guard, open (exclusively when the run writes), and guard again. Raises guard.Refused and WrongUse.

        keeps_data: see `Case`.
        """
        case = guard.look(
            address, destructive=destructive, consent=consent, store_path=store_path, keeps_data=keeps_data
        )
        guard.check(case)
        path = case.target.path
        try:
            # Reading is enough to hold it, and does not make udev probe the drive anew at the end.
            flags = os.O_RDONLY | (os.O_EXCL if destructive else 0)
            held = Held.take(path, flags, wanted=place_of_device(_device(case.block.number)) if case.block else None)
        except OSError as error:
            raise WrongUse(f"{path} could not be opened: {error.strerror}") from error
        try:
            drive = cls(case, address, held)
            drive.guard_again()
        except BaseException:
            held.close()
            raise
        return drive

    def guard_again(self) -> None:
        """See `drive.RealDrive.guard_again`."""
        now = guard.look(
            self._address,
            destructive=self._case.destructive,
            consent=self._case.consent,
            store_path=self._case.store_path,
            held=self.held,
            keeps_data=self._case.keeps_data,
        )
        was, changed = self._case.block, self.held.what_changed()
        if changed or was is None or now.block is None or _changed(was, now.block):
            raise WrongUse(
                f"{self.held.name} is another drive, or has another medium, than the one that was checked"
                + (f": {changed}" if changed else ""),
                advice="look at `lsblk` and start again",
            )
        guard.check(now)

    def close(self) -> None:
        """Release the drive. Closing twice does no harm."""
        self.held.close()

    def abandon(self) -> None:
        """See `drive.RealDrive.abandon`; nothing was made, so there is nothing to remove."""
        self.close()


def block_facts(case: Case) -> DriveFacts:
    """The facts of a block device, from the system; `guard.check` has checked that it is one.

    serial: what is typed after --serial (see guard/rules/permission.py), empty when nothing identifies it uniquely.
    """
    block = case.block
    if block is None:
        raise WrongUse(f"{case.target.path} is not among the block devices of this system")
    whole = case.view.blocks[case.view.whole(block.name)]
    warnings = []
    if block.partition_of:
        warnings.append(
            f"this is a partition of {whole.path}: the data and the load on the rest of the drive affect the result too"
        )
    if whole.backing_file:
        warnings.append(f"this is a loop device over {whole.backing_file}, not a drive")
    if whole.rotational and not whole.backing_file:
        warnings.append("the system calls this drive rotational, which a flash drive is not")
    return DriveFacts(
        address=case.target.address,
        kind_name="block device",
        model=whole.model or whole.kind,
        firmware=whole.revision,
        serial=next(iter(names_to_type(case.view, block.name)), ""),
        user_bytes=block.size_bytes,
        time_cost=TimeCost.OWN,
        capabilities=frozenset(_abilities(block, whole)),
        why_not={**_WHY_NO_FILES, **smart_reasons(why_no_smart(whole), only_health_log=_is_nvme(whole))},
        sector_bytes=block.logical_sector_bytes,
        warnings=tuple(warnings),
        device=DeviceFacts(
            path=block.path,
            physical_sector_bytes=block.physical_sector_bytes,
            transport=whole.transport,
            rotational=whole.rotational,
            partition_of=whole.path if block.partition_of else "",
            backing_file=whole.backing_file,
        ),
        file_id=file_id(Path(whole.backing_file)) if whole.backing_file else "",
    )


def _abilities(block: Block, whole: Block) -> Iterator[Capability]:
    """The capabilities of a block device. whole: the device itself, or the drive it is a partition of."""
    yield Capability.BARE
    yield Capability.STAMPED
    if whole.backing_file or not whole.rotational:
        yield Capability.SOLID_STATE
    if block.discard_max_bytes > 0:
        yield Capability.TRIM
    if not why_no_smart(whole):
        yield Capability.HEALTH_LOG if _is_nvme(whole) else Capability.SMART_ATTRIBUTES
        yield Capability.ERROR_BITS


def _is_nvme(whole: Block) -> bool:
    return whole.transport == "nvme"


def _changed(was: Block, now: Block) -> bool:
    """Whether a device's name means another device now. The disk sequence grows with each new medium."""
    return (was.number, was.disk_sequence, was.size_bytes, was.serial, was.backing_identity) != (
        now.number,
        now.disk_sequence,
        now.size_bytes,
        now.serial,
        now.backing_identity,
    )


def _device(number: str) -> int:
    """The device number for a text such as "8:16"."""
    major, _, minor = number.partition(":")
    return os.makedev(int(major), int(minor))
