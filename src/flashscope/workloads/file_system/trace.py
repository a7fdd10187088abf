"""What programs do to a drive, block by block, without times: columns of numbers, kept in a file.

columns of a Trace
    program_ends   for each program the number of operations up to its end
    operations     four numbers for each operation: kind, file, from, length
    file_ends      for each file the number of extents up to its end
    extents        two numbers for each extent: offset on the drive, length [bytes]
    compressible   for each file the share that a compressor could remove, in 1/255

kinds of operation (`vocabulary.TraceOperation`)
    0 compute        length [ns]
    1 read           a part of a file, through the cache     3 the same, past the cache
    2 write          a part of a file, into the cache        4 the same, past the cache
    5 change         metadata; file: kind of metadata (`vocabulary.TraceMetadata`); from, length: on the drive
    6 read metadata  from, length: on the drive              7 trim    from, length: on the drive
    8 lock records   a file record is taken or given back

the file, version 1
    a line  "flashscope file trace 1"
    a line  JSON: user_bytes, sector_bytes, programs (names), lengths (of the columns above, in their order)
    zlib    the columns in their order: unsigned, little-endian, 8 bytes each, the last one 1 byte each

It contains no times except those of computing: the same trace takes another time on another drive or with another host.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flashscope.errors import WrongUse
from flashscope.outputs import OWN_FILES, TRACE, Replacing, ResultFile, write_result

_FIRST_LINE = b"flashscope file trace "
_VERSION = 1
_TYPES = {"program_ends": "<u8", "operations": "<u8", "file_ends": "<u8", "extents": "<u8", "compressible": "u1"}


@dataclass(frozen=True)
class Trace:
    """Columns as described above. user_bytes, sector_bytes: of the drive the file system was made for."""

    user_bytes: int
    sector_bytes: int
    programs: tuple[str, ...]
    program_ends: np.ndarray
    operations: np.ndarray
    file_ends: np.ndarray
    extents: np.ndarray
    compressible: np.ndarray

    @property
    def operation_count(self) -> int:
        """Operations of all programs."""
        return len(self.operations) // 4


def save_trace(trace: Trace, path: Path, replacing: Replacing = OWN_FILES) -> None:
    """Write a trace to a file. Raises WrongUse when no result may be written there, or writing fails."""
    columns = [np.ascontiguousarray(getattr(trace, name), kind) for name, kind in _TYPES.items()]
    header = {
        "user_bytes": trace.user_bytes,
        "sector_bytes": trace.sector_bytes,
        "programs": trace.programs,
        "lengths": [len(column) for column in columns],
    }
    packed = zlib.compress(b"".join(column.tobytes() for column in columns), 6)
    content = _FIRST_LINE + b"%d\n" % _VERSION + json.dumps(header).encode() + b"\n" + packed
    write_result(ResultFile(path, TRACE, content), replacing)


def load_trace(path: Path) -> Trace:
    """Read a trace from a file. Raises WrongUse when it is none, is damaged, or is of another version."""
    first, _, rest = path.read_bytes().partition(b"\n")
    if not first.startswith(_FIRST_LINE):
        raise WrongUse(
            f"{path} is not a trace of file work", accepted=f"a file that begins with {_FIRST_LINE.decode()!r}"
        )
    if first != _FIRST_LINE + b"%d" % _VERSION:
        raise WrongUse(
            f"{path} is a trace of another version: {first.decode(errors='replace')}",
            accepted=f"version {_VERSION}",
            advice="make the trace again with this version",
        )
    line, _, packed = rest.partition(b"\n")
    try:
        header, data = json.loads(line), zlib.decompress(packed)
        columns, begin = {}, 0
        for (name, kind), length in zip(_TYPES.items(), header["lengths"], strict=True):
            columns[name] = np.frombuffer(data, kind, length, begin)
            begin += columns[name].nbytes
        programs = tuple(map(str, header["programs"]))
        return Trace(int(header["user_bytes"]), int(header["sector_bytes"]), programs, **columns)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise WrongUse(f"{path} is damaged: {error}", accepted="a trace as it was saved") from None
