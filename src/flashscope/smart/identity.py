"""Which drive is it: a key that stays the same over a drive's life, wherever it is connected.

model and serial number   the usual case
world wide name           where the serial number is missing or blanked, if all its digits are there
a hash of model and place   where both are missing; two drives of one model at one place then have one key
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
_OWN_DIGITS = 8  # the last digits of a name are the drive's own, those before are the maker's
_HASH_DIGITS = 12


@dataclass(frozen=True)
class Identity:
    """key: unique, readable, stable. kind: its source; a "hash" cannot tell two drives of one model apart."""

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
    # Neither size nor protocol: some dumps of a drive contain them and others do not.
    told = f"{model}\0{readable(place)}"
    return Identity(f"{model}/#{hashlib.sha256(told.encode()).hexdigest()[:_HASH_DIGITS]}", "hash", model, "")


def readable(text: str) -> str:
    """Text that any program accepts: a byte that is no text becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def is_blanked(number: str) -> bool:
    """Whether a serial number or name is useless: empty, one character repeated, or hidden by a program."""
    return _BLANKED.fullmatch(number.strip()) is not None
