"""From what was named on the command line to readings: a dump, standard input, a real drive, a virtual one."""

from __future__ import annotations

import stat
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flashscope.errors import WrongUse

if TYPE_CHECKING:
    from flashscope.smart.decoding.reading import Reading
    from flashscope.smart.dump import Dump

_ACCEPTED = "a file that holds a dump, - for standard input, a device such as /dev/sda, or sim:PART"
_DUMP_BYTES_MAX = 256 << 20


def is_virtual(address: str) -> bool:
    """Whether an address names a virtual drive."""
    return address.startswith(("sim:", "stripe:"))


def is_device(address: str) -> bool:
    """Whether an address names a device, there or not."""
    path = Path(address)
    return path.is_block_device() or path.is_char_device() or address.startswith("/dev/")


def dated_by_file(dump: Dump, path: Path) -> Dump:
    """A saved dump; when it does not say when it was taken, it gets its file's date. Raises OSError like the file."""
    return dump if dump.taken_at_s is not None else replace(dump, taken_at_s=path.stat().st_mtime)


def read_all(addresses: Sequence[str]) -> list[tuple[Dump, Reading]]:
    """Every reading in everything that was named, in that order.

    Raises WrongUse for what is not there, may not be opened or is no dump; DriveFailed for a drive that is silent.
    """
    from flashscope.smart.decoding.decode import read

    return [(dump, read(dump)) for address in addresses for dump in dumps_of(address)]


def dumps_of(address: str) -> tuple[Dump, ...]:
    """The dumps behind one address; one, except for files that hold several. Raises as `read_all`."""
    if is_virtual(address):
        return (virtual_dump(address),)
    from flashscope.smart.readers.read import read_dumps

    if address == "-":
        return read_dumps(sys.stdin.buffer.read(), "standard input")
    path = Path(address)
    try:
        status = path.stat()
        kind = stat.S_IFMT(status.st_mode)
        if kind in (stat.S_IFBLK, stat.S_IFCHR):
            from flashscope.smart.readers.live import read_device

            return (read_device(address),)
        if kind == stat.S_IFDIR:
            raise WrongUse(
                f"{address} is a directory",
                accepted=_ACCEPTED,
                advice=f"for many drives: flashscope smart fleet {address}",
            )
        if status.st_size > _DUMP_BYTES_MAX:
            raise WrongUse(
                f"{address} has {status.st_size} bytes, too many for a SMART dump (at most {_DUMP_BYTES_MAX} bytes)",
                accepted=_ACCEPTED,
            )
        return read_dumps(path.read_bytes(), address)
    except FileNotFoundError:
        raise WrongUse(f"there is no {address}", accepted=_ACCEPTED) from None
    except PermissionError:
        raise WrongUse(
            f"no permission to read {address}", accepted=_ACCEPTED, advice="run it as root, or with sudo"
        ) from None
    except OSError as error:
        raise WrongUse(f"{address} cannot be read: {error.strerror or error}", accepted=_ACCEPTED) from None


def virtual_dump(address: str) -> Dump:
    """What the SMART of a virtual drive says, as it is when it has just been opened (or aged: ?aged=STATE)."""
    from flashscope.drives.addresses.address import parse_address
    from flashscope.drives.open import open_virtual
    from flashscope.smart.readers.virtual import dump_of_virtual_drive

    drive = open_virtual(parse_address(address))
    dump = replace(dump_of_virtual_drive(drive.read_smart(0)), source=address, serial=drive.facts.serial)
    drive.close()
    return dump


def smartctl_document(addresses: Sequence[str]) -> dict[str, Any]:
    """A virtual drive's SMART in the shape that smartctl --json prints.

    Raises WrongUse for anything but one virtual drive: of a real one, smartctl itself prints that.
    """
    if len(addresses) != 1 or not is_virtual(addresses[0]):
        raise WrongUse(
            f"--smartctl-json does not go with {' '.join(addresses)}",
            accepted="one virtual drive, such as sim:onyx-32",
            advice="for a real drive, smartctl --json itself prints it",
        )
    from flashscope.smart.readers.as_smartctl_json import as_smartctl_json

    return as_smartctl_json(virtual_dump(addresses[0]))
