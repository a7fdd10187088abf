"""Consent: what a person typed so that a drive may be written.

    a file            --write-ok
    a new file        --write-ok --size 1GiB
    a block device    --serial NUMBER      typed by hand from the drive's label or from `flashscope plan`
    contents in the way (a partition table, a file system, another name of the file)
                      --allow RULE         once for each rule that is to be set aside

Consent is data. The rules in `rules/` decide whether it is enough.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Consent:
    """What was typed.

    write_ok: files may be written. serial: the serial number as typed, None when none was.
    create_bytes: size of a file to be made [bytes], None when none was asked for.
    allow: names of the rules to set aside; only some rules can be (`Rule.overridable`).
    """

    write_ok: bool = False
    serial: str | None = None
    create_bytes: int | None = None
    allow: frozenset[str] = frozenset()
