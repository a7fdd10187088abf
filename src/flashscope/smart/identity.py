"""Which drive is it: a key that stays the same over a drive's life, wherever it is plugged in.

model and serial number   the usual case
world wide name           where the serial number is missing or blanked, if all its digits are there
a hash of model and place   where both are missing; then two alike drives at one place are one drive
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal

from flashscope.smart.dump import Dump

_BLANKED = re.compile(
    r"(.)\1*|\W*|redacted|unknown|none|n/?a|not (specified|available|reported)|.*no information.*|<.*>|(xx|\*\*).*",
    re.IGNORECASE,
)
_WHOLE_NAME = re.compile(r"(0x|naa\.|eui\.)?[0-9a-f]{16}([0-9a-f]{16})?")
_OWN_DIGITS = 8  # at its end a name has the drive's own digits, before them the maker's
_HASH_DIGITS = 12


@dataclass(frozen=True)
class Identity:
    """key: unique, readable, stable. kind: what it rests on; a "hash" cannot tell two alike drives apart."""

    key: str
    kind: Literal["serial", "wwn", "hash"]
    model: str
    serial: str


def identify(dump: Dump, place: str) -> Identity:
    """The identity of the drive that was read. place: where (a path or an address); used only for a hash."""
    model = readable(" ".join(dump.model.split())) or "unknown drive"
    serial, wwn = readable(" ".join(dump.serial.split())), readable("".join(dump.wwn.split()).lower())
    if not is_blanked(serial):
        return Identity(f"{model}/{serial}", "serial", model, serial)
    if _WHOLE_NAME.fullmatch(wwn) and not is_blanked(wwn[-_OWN_DIGITS:]):
        return Identity(f"{model}/wwn-{wwn}", "wwn", model, "")
    # Neither size nor protocol: some dumps of one drive tell them and others do not.
    told = f"{model}\0{readable(place)}"
    return Identity(f"{model}/#{hashlib.sha256(told.encode()).hexdigest()[:_HASH_DIGITS]}", "hash", model, "")


def readable(text: str) -> str:
    """Text that any program takes: a byte that was no text becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def is_blanked(number: str) -> bool:
    """Whether a serial number or name says nothing: empty, one character repeated, or blanked by a program."""
    return _BLANKED.fullmatch(number.strip()) is not None
