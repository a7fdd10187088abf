"""A member of a fleet: a few numbers from one dump of one drive; or a file that could not be read, with the reason."""

from __future__ import annotations

import math
import stat
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from flashscope.errors import FlashscopeError
from flashscope.smart.decoding.clocks import Clock, clocks
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.decoding.verdict import UNKNOWN, judge
from flashscope.smart.dump import Dump

Number = int | float
Decode = Callable[[bytes, str], Iterable[tuple[Dump, Reading]]]
"""From a file's bytes to every dump in it with its reading. Must be importable by name, for other processes."""

LARGEST_BYTES = 64 * 2**20
"""A larger file is no dump; it is listed, not read [bytes]."""


@dataclass(frozen=True)
class Member:
    """path: the file. reason: why it could not be read; then all else is empty. values: field key -> value.

    identity: the same for two dumps of one drive; "" where the dump does not identify the drive. taken_at_s: seconds
    since 1970; None: unknown. verdict: a level of `decoding.verdict`; statement, verdict_reasons, advice: in words.
    """

    path: str
    reason: str = ""
    model: str = ""
    firmware: str = ""
    serial: str = ""
    family: str = ""
    is_flash: bool | None = None
    identity: str = ""
    user_bytes: int | None = None
    taken_at_s: float | None = None
    contradiction_count: int = 0
    verdict: str = UNKNOWN
    statement: str = ""
    verdict_reasons: tuple[str, ...] = ()
    advice: str = ""
    values: dict[str, Number] = field(default_factory=dict)


def decode_file(data: bytes, source: str) -> list[tuple[Dump, Reading]]:
    """Every dump in a file with its reading. Raises WrongUse when it holds none."""
    from flashscope.smart.decoding.decode import read
    from flashscope.smart.readers.read import read_dumps

    return [(dump, read(dump)) for dump in read_dumps(data, source)]


def read_members(path: Path, decode: Decode = decode_file) -> list[Member]:
    """The members in a file; never raises: a file that cannot be read is a member with a reason."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return [Member(str(path), "it is not a file but a device, a pipe or a socket")]
        if status.st_size > LARGEST_BYTES:
            return [Member(str(path), f"{status.st_size / 1e6:.0f} MB is too large for a dump")]
        members = [member_of(str(path), dump, reading) for dump, reading in decode(path.read_bytes(), str(path))]
    except FlashscopeError as error:
        return [Member(str(path), error.what.replace(f"{path}: ", "", 1))]
    except OSError as error:
        return [Member(str(path), f"it cannot be read: {error.strerror or error}")]
    except Exception as fault:  # an error of flashscope in one file must not stop the others
        return [Member(str(path), f"a fault in flashscope: {type(fault).__name__}: {fault}")]
    return members or [Member(str(path), "it holds no dump")]


def _clocks(dump: Dump, reading: Reading) -> tuple[Clock, ...]:
    return clocks([(dump.taken_at_s, reading)], promised=promised_writes(dump))


def member_of(path: str, dump: Dump, reading: Reading) -> Member:
    """The member that a dump makes, with its verdict. path: where it was read, unique in the fleet."""
    from flashscope.smart.identity import identify

    verdict = judge(reading, _clocks(dump, reading), dump)
    if reading.family == NO_SMART and verdict.level == UNKNOWN:
        return Member(path, "; ".join(("it holds no SMART numbers", *dump.remarks[:1])))
    identity = identify(dump, path)
    return Member(
        path=path,
        model=identity.model,
        firmware=dump.firmware,
        serial=identity.serial,
        family=reading.family,
        is_flash=reading.is_flash,
        identity=identity.key if identity.kind != "hash" else "",
        user_bytes=dump.user_bytes,
        taken_at_s=dump.taken_at_s,
        contradiction_count=len(reading.contradictions),
        verdict=verdict.level,
        statement=verdict.statement,
        verdict_reasons=verdict.reasons,
        advice=verdict.advice,
        values={key: one.value for key, one in reading.fields.items() if math.isfinite(one.value)},
    )
