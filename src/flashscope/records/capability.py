"""What a drive can do. Each drive states its own; experiments ask for what they need and never for a kind of drive.

A member has a word for records, and `missing`: the clause that says what a drive without it cannot do.
"""

from __future__ import annotations

import enum


class Capability(enum.StrEnum):
    """Something that some drives can do or report, and others cannot."""

    missing: str

    def __new__(cls, word: str, missing: str) -> Capability:
        """The member of that word. missing: a clause with "the drive" as its subject."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.missing = missing
        return member

    BARE = "bare", "the drive is reached through a file system"
    """Requests reach the drive itself: no file system is in between."""

    SOLID_STATE = "solid state", "the drive has platters"
    """No part of it moves."""

    FILES = "files", "the drive holds no files; mount a file system on it and name a directory of it (dir:PATH)"
    """Programs can work on files."""

    VOLUMES = "volumes", "no file system with logical sectors of 512 B and of 4096 B can be laid on the drive"
    """The files can lie on a file system with logical sectors of a chosen size."""

    STAMPED = "stamped data", "what is written to chosen places of it cannot be read back and compared"
    """Data can be written to chosen places, and it can be told whose data comes back."""

    TRIM = "trim", "the drive takes no TRIM"
    """It can be told that a range holds no data any more."""

    SECURE_ERASE = "secure erase", "no secure erase can be sent to the drive"
    """It can be brought back to its first state."""

    LAID_OUT = "laid out", "the drive cannot be put into a used state at once"
    """It can be put at once into the state that a long fill leaves."""

    SMART_ATTRIBUTES = "SMART attributes", "the drive shows no SMART attributes"
    """Its SMART has numbered attributes, with a maker's own meanings."""

    HEALTH_LOG = "health log", "the drive shows no NVMe health log"
    """Its SMART is the standard log of NVMe."""

    ERROR_BITS = "error bits", "the drive's SMART does not count the bits that were read wrong"
    """Its SMART may count bits that were read wrong. For a real drive this is known only after reading SMART."""

    MEMBERS = "members", "the drive is not an array of several drives"
    """It is an array of drives, and can be built anew from some of them."""

    GLASS = "glass", "the inside of the drive cannot be seen"
    """What is inside can be seen, block by block."""
