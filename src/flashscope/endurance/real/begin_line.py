"""The description of a run, in a small file beside its journal: it identifies the run of a damaged journal.

    flashscope wear run 1
    {"begin": {...}}              the same as the first entry of the journal
    0123456789abcdef              the checksums of the line before

Written once, completely or not at all. Older ledgers without this file have the same in the first entry of their
journal.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flashscope.endurance.real.block_stamp import checks
from flashscope.endurance.real.journal import JOURNAL, first_entry
from flashscope.endurance.real.whole_file import write_whole
from flashscope.errors import WrongUse

BEGIN = "begin"
_MARK = b"flashscope wear run 1"


def write_begin(folder: Path, begin: dict[str, Any]) -> None:
    """Write the description of the run in a folder. Raises StoreFailed."""
    line = json.dumps({"begin": begin}, separators=(",", ":"), allow_nan=False).encode()
    write_whole(folder / BEGIN, b"\n".join((_MARK, line, b"%016x" % checks(line), b"")))


def read_begin(folder: Path) -> dict[str, Any]:
    """The description of the run in a folder, without reading its whole journal. Raises WrongUse when there is none."""
    begin = _read_line(folder / BEGIN)
    if begin is None:
        entry = first_entry(folder / JOURNAL)
        begin = entry.values.get("begin") if entry is not None else None
    if begin is None:
        raise WrongUse(f"neither {BEGIN} nor {JOURNAL} in {folder} says which drive it is of")
    return begin


def _read_line(path: Path) -> dict[str, Any] | None:
    try:
        mark, line, told, *_ = path.read_bytes().split(b"\n")
    except (OSError, ValueError):
        return None
    if mark != _MARK or told != b"%016x" % checks(line):
        return None
    begin: dict[str, Any] = json.loads(line)["begin"]
    return begin
