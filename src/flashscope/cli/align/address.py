"""What `align` takes as a disk: the path of an image or a device, or any drive's address."""

from __future__ import annotations

import re
from pathlib import Path

from flashscope.drives.addresses.address import Address, parse_address
from flashscope.errors import WrongUse

_SCHEME = re.compile(r"[a-z+]+:")


def disk_address(name: str) -> Address:
    """The address of a disk by its name as typed.

    A file that exists is an image, wherever it lies (/dev/shm too) and whatever characters its name holds. What is not
    there is read as an address where it looks like one, else as the path of an image. Raises WrongUse for a directory.
    """
    path = Path(name)
    if path.is_file():
        return Address("file", name)
    address = parse_address(name) if name.startswith("/dev/") or _SCHEME.match(name) else Address("file", name)
    if address.scheme == "dir" or path.is_dir():
        raise WrongUse(f"{name} is a directory, which has no partitions", accepted="a device or an image of one")
    return address
