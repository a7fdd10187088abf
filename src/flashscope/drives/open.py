"""From an address to a drive: look at it (`probe`), ask the guard (`refusals`), or take it (`open_drive`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flashscope.drives.addresses.address import Address
from flashscope.drives.drive import Drive, RealDrive
from flashscope.drives.guard import guard
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.rules import Refusal
from flashscope.drives.guard.target import path_of
from flashscope.drives.real.block_device import BlockDevice, block_facts
from flashscope.drives.real.directory import DirectoryDrive, directory_facts
from flashscope.drives.real.file import FileDrive, file_facts
from flashscope.drives.real.shifted import SeenRealDrive, seen_facts
from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts

if TYPE_CHECKING:
    from flashscope.drives.parts.part import Part
    from flashscope.drives.virtual.in_virtual_time import InVirtualTime

NO_CONSENT = Consent()


def probe(address: Address, consent: Consent = NO_CONSENT) -> DriveFacts:
    """What is known of a drive. Writes nothing and makes nothing.

    consent: only its `create_bytes` matters: the size of a file that is still to be made, the room in a directory.
    Raises guard.Refused when the drive is not there, is not of the kind that was named, or may not be read; or
    when a file that is still to be made could not be.
    """
    if address.is_virtual:
        return _virtual(address, consent).facts
    to_be_made = address.scheme == "file" and consent.create_bytes is not None and not path_of(address).exists()
    only_size = Consent(write_ok=True, create_bytes=consent.create_bytes)
    case = guard.look(address, destructive=to_be_made, consent=only_size, store_path=None)
    guard.check(case)
    if address.scheme == "dir":
        return directory_facts(case)
    facts = block_facts(case) if address.scheme == "device" else file_facts(case)
    return seen_facts(facts, address.modifiers) if address.modifiers else facts


def refusals(
    address: Address,
    *,
    destructive: bool,
    consent: Consent = NO_CONSENT,
    store_path: Path | None = None,
    keeps_data: bool = False,
) -> tuple[Refusal, ...]:
    """Every rule of the guard that a run would break now; empty when it may start. For plans; opens nothing.

    Raises WrongUse when the consent itself makes no sense (see `guard.broken_rules`).
    """
    if address.is_virtual:
        _check_virtual(consent)
        return ()
    case = guard.look(address, destructive=destructive, consent=consent, store_path=store_path, keeps_data=keeps_data)
    return guard.broken_rules(case)


def open_drive(
    address: Address, *, destructive: bool, consent: Consent = NO_CONSENT, store_path: Path | None = None
) -> Drive:
    """Take a drive into use, once the guard agrees; the caller closes it.

    destructive: the run writes or trims. store_path: the results store, which must not be written over.
    Raises guard.Refused with every broken rule, or WrongUse; then nothing was written and no file is left.
    """
    if address.is_virtual:
        return _virtual(address, consent)
    if address.scheme == "dir":
        return DirectoryDrive.open(address, destructive=destructive, consent=consent, store_path=store_path)
    kind = BlockDevice if address.scheme == "device" else FileDrive
    drive = kind.open(address, destructive=destructive, consent=consent, store_path=store_path)
    if not address.modifiers:
        return drive
    try:
        return SeenRealDrive(drive, address.modifiers)
    except WrongUse:
        drive.abandon()
        raise


def open_to_move(address: Address, *, consent: Consent, store_path: Path | None) -> RealDrive:
    """Take a file or a block device into use whose contents are moved and kept; the caller closes it.

    The rules about contents that would be lost are not asked (`Case.keeps_data`); all others are.
    Raises as `open_drive`, and WrongUse for every other kind of drive.
    """
    if address.scheme not in ("device", "file") or address.modifiers:
        raise WrongUse(f"partitions cannot be moved on {address}", accepted="a block device, or file:PATH of an image")
    kind = BlockDevice if address.scheme == "device" else FileDrive
    return kind.open(address, destructive=True, consent=consent, store_path=store_path, keeps_data=True)


def open_virtual(address: Address) -> InVirtualTime:
    """A new virtual drive, of an address that names one. Raises WrongUse when it cannot be built."""
    return _virtual(address, NO_CONSENT)


def _virtual(address: Address, consent: Consent) -> InVirtualTime:
    _check_virtual(consent)
    return assemble(address, parts_of(address))


def parts_of(address: Address) -> tuple[Part, ...]:
    """The parts of a virtual drive, with what its address sets: one, or of a stripe one for each member.

    Raises WrongUse when there is no such part, or it contradicts itself.
    """
    from flashscope.drives.parts.part import load_part

    names = address.members if address.scheme == "stripe" else [address.target]
    loaded = {name: load_part(name, address.part_keys) for name in dict.fromkeys(names)}
    return tuple(loaded[name] for name in names)


def memory_needed(address: Address) -> int:
    """The memory that the drive of an address takes when all of it is in use [bytes]; 0 for a real drive.

    Raises WrongUse when there is no such part, or no drive can be built from it.
    """
    if not address.is_virtual:
        return 0
    from flashscope.drives.virtual.room import memory_needed as needed

    return needed(parts_of(address), aged=address.aged_state is not None)


def assemble(address: Address, parts: Sequence[Part]) -> InVirtualTime:
    """The virtual drive of an address, from its parts as `parts_of` gave them; no file is read.

    Raises WrongUse when the parts make no drive, or it cannot be in the state or seen as the address says.
    """
    drive = _virtual_below(replace(address, modifiers=()), parts)
    if not address.modifiers:
        return drive
    from flashscope.drives.virtual.shifted import SeenInVirtualTime

    return SeenInVirtualTime(drive, address.modifiers)


def _virtual_below(address: Address, parts: Sequence[Part]) -> InVirtualTime:
    """The virtual drive of an address without modifiers."""
    # Imported here: they bring the core and numpy, which a file or a block device does not need.
    from flashscope.drives.hosts.host import load_host
    from flashscope.drives.virtual.room import check_room

    check_room(address, parts)
    host = None if address.host_name is None else load_host(address.host_name)
    if address.scheme == "stripe":
        from flashscope.drives.virtual.striped import StripedDrive

        return StripedDrive(address, parts, host)
    from flashscope.drives.virtual.simulated import SimulatedDrive

    named = {} if address.host_name is None else {"host": address.host_name}
    name = str(replace(address, options=address.part_keys | named))
    drive = SimulatedDrive(parts[0], seed=address.seed, address=name, host=host)
    if address.aged_state is not None:
        drive.age(address.aged_state)
    return drive


def _check_virtual(consent: Consent) -> None:
    """A virtual drive can lose nothing, so it takes no consent; only a size would be silently ignored."""
    if consent.create_bytes is not None:
        raise WrongUse(
            "--size does not go with a virtual drive: its part states its size",
            advice="name another part, or copy its file and change the geometry",
        )
