"""Modifiers, which may follow any address: they change how the drive appears to the host.

    ADDR@offset=63s          a misaligned partition: the visible drive begins there; s = sectors of 512 B, or 31.5KiB
    ADDR@sector=4096         logical-sector emulation: the drive shows sectors of 4096 B and takes nothing smaller
    ADDR@sector=4096@offset=1MiB      both, applied from left to right, each to the result of the one before

Only the very end of an address is read as modifiers, so a path may contain an @.
Reading them opens nothing; `shifted.py` checks whether they fit the drive.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from flashscope import units
from flashscope.errors import WrongUse

MODIFIER_FORMS = "@offset=63s or @offset=1MiB, @sector=4096"

_NAMES = ("sector", "offset")
_EXAMPLES = {"sector": "@sector=4096", "offset": "@offset=63s"}
_TAIL = re.compile(r"(?:@[a-z_-]+=[^@/?&]*)+$")
_OLD_SECTOR_BYTES = 512
_SECTOR_BYTES_MAX = 65_536


@dataclass(frozen=True)
class Modifier:
    """One of them. value: bytes. text: as it was written, with the @."""

    name: Literal["sector", "offset"]
    value: int
    text: str


Modifiers = tuple[Modifier, ...]


def split_modifiers(text: str) -> tuple[str, Modifiers]:
    """The address without its modifiers, and the modifiers in the order in which they are applied.

    Raises WrongUse for a modifier that does not exist, is given twice, or has a value that makes no sense. The path of
    a file or a block device may end in text that looks like a modifier: there, an unknown name belongs to the path.
    """
    tail = _TAIL.search(text)
    if tail is None:
        _refuse_one_before_options(text)
        return text, ()
    pairs = [pair.partition("=") for pair in tail[0].removeprefix("@").split("@")]
    names = [name for name, _, _ in pairs]
    if text.startswith(("file:", "dir:", "/dev/")) and not set(names) & set(_NAMES):
        return text, ()
    for name in names:
        if name not in _NAMES:
            raise _unknown(name, text)
        if names.count(name) > 1:
            raise WrongUse(f"drive address {text!r} gives @{name} twice", accepted=f"each once: {MODIFIER_FORMS}")
    return text[: tail.start()], tuple(_modifier(name, value, text) for name, _, value in pairs)


def _modifier(name: str, value: str, text: str) -> Modifier:
    written = f"@{name}={value}"
    key = f"drive address {text!r}: {name}"
    if name == "sector":
        bare_bytes = units.whole_number(value)
        sector_bytes = units.parse(value, "bytes", key=key) if bare_bytes is None else bare_bytes
        power_of_two = sector_bytes & (sector_bytes - 1) == 0
        if not power_of_two or not _OLD_SECTOR_BYTES <= sector_bytes <= _SECTOR_BYTES_MAX:
            raise WrongUse(
                f"{key} is {value}",
                accepted=f"a power of two from {_OLD_SECTOR_BYTES} to {_SECTOR_BYTES_MAX} [bytes]",
                advice="@sector=4096 is what drives of today show",
            )
        return Modifier("sector", sector_bytes, written)
    sectors = re.fullmatch(r"(\d+) ?s", value, re.ASCII)
    offset_bytes = (units.whole_number(sectors[1]) or 0) * _OLD_SECTOR_BYTES if sectors else _offset_bytes(value, key)
    if offset_bytes >= 2**63:
        raise WrongUse(f"{key} is {value[:40]}", accepted="an offset inside the drive, such as 63s or 1MiB")
    return Modifier("offset", offset_bytes, written)


def _offset_bytes(value: str, key: str) -> int:
    if value.isascii() and value.isdigit():
        raise WrongUse(
            f"{key} is {value}, without a unit",
            accepted="sectors of 512 B, such as 63s, or bytes with a unit, such as 31.5KiB",
            advice=f"write @offset={value}s for sectors, or @offset={value}B for bytes",
        )
    return units.parse(value, "bytes", key=key)


def _unknown(name: str, text: str) -> WrongUse:
    near = difflib.get_close_matches(name, _NAMES, n=1, cutoff=0.4)
    return WrongUse(
        f"drive address {text!r}: there is no @{name}=",
        accepted=MODIFIER_FORMS,
        advice=f"did you mean {_EXAMPLES[near[0]]}?" if near else "",
    )


def _refuse_one_before_options(text: str) -> None:
    early = re.search(r"@(?:sector|offset)=[^@/?&]*(?=\?)", text)
    if early and text.startswith(("sim:", "stripe:")):
        moved = text[: early.start()] + text[early.end() :] + early[0]
        raise WrongUse(
            f"drive address {text!r}: {early[0]} stands before the options", accepted="it at the end", advice=moved
        )
