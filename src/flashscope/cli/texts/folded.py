"""Lines that keep their indentation where they are folded."""

from __future__ import annotations

from textwrap import wrap

_WIDTH = 100


def folded(line: str, *, hanging: int = 0) -> list[str]:
    """A line as lines of at most 100 columns. hanging: by how much those after the first are indented further."""
    text = line.lstrip(" ")
    indent = " " * (len(line) - len(text))
    return wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + " " * hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
