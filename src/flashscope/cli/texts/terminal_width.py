"""The width of the terminal on standard output, and lines cut to it. In a pipe or a file nothing is cut."""

from __future__ import annotations

import shutil
import sys

_LEAST = 40


def terminal_columns() -> int | None:
    """Columns of the terminal on standard output, COLUMNS respected; None when it is a pipe, a file or closed."""
    try:
        if not sys.stdout.isatty():
            return None
    except (AttributeError, ValueError):  # no standard output, or a closed one
        return None
    return max(_LEAST, shutil.get_terminal_size().columns)


def fitted_to(line: str, columns: int | None) -> str:
    """The line in at most so many columns, cut after a whole word with an ellipsis; as it is for None."""
    if columns is None or len(line) <= columns:
        return line
    kept = line[: columns - 1]
    if not line[columns - 1].isspace():
        kept = kept.rpartition(" ")[0] or kept
    return kept.rstrip(" ,;:") + "…"
