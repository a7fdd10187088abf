#!/usr/bin/env python3
"""How long a SMART dump takes to be read and to be understood: CPU milliseconds per dump, over all below the folders.

    python scripts/time-smart.py FOLDER [FOLDER ...]

Each file is read from memory `ROUNDS` times; the best round counts, since other programs only ever slow one down.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.smart.decoding.decode import read
from flashscope.smart.readers.read import read_dump

ROUNDS = 5


def main(folders: list[str]) -> int:
    """Print the figures; 2 when there is no dump."""
    dumps: list[bytes] = []
    for path in (path for folder in folders for path in sorted(Path(folder).rglob("*")) if path.is_file()):
        try:
            read_dump(data := path.read_bytes(), path.name)
        except WrongUse:
            continue
        dumps.append(data)
    if not dumps:
        print("no dump below the folders named", file=sys.stderr)
        return 2
    mean_bytes = sum(map(len, dumps)) / len(dumps)
    print(f"{len(dumps)} dumps of {mean_bytes / 1024:.1f} KiB; CPU milliseconds each:")
    for what, work in (("read", lambda data: read_dump(data, "dump")), ("read and understood", _understood)):
        best_s = min(_round_s(dumps, work) for _ in range(ROUNDS))
        print(f"  {what:20}{1e3 * best_s / len(dumps):.2f}")
    return 0


def _understood(data: bytes) -> object:
    return read(read_dump(data, "dump"))


def _round_s(dumps: list[bytes], work: Callable[[bytes], object]) -> float:
    began = time.process_time()
    for data in dumps:
        work(data)
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
