"""The text for node-exporter's textfile collector: a reader sees the complete file or none."""

from __future__ import annotations

from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.outputs import METRICS, OWN_FILES, Replacing, ResultFile, check_file, write_result


def check_textfile(path: Path, replacing: Replacing = OWN_FILES) -> None:
    """Raises WrongUse when the collector would not read such a file, or no result may go there."""
    if path.suffix != ".prom":
        raise WrongUse(f"--textfile is {path}", accepted="a name that ends in .prom; node-exporter reads no other")
    if not path.parent.is_dir():
        raise WrongUse(
            f"--textfile: there is no directory {path.parent}",
            advice="make the directory first, readable for everybody",
        )
    check_file(path, METRICS, replacing)


def write_textfile(path: Path, text: str, replacing: Replacing = OWN_FILES) -> None:
    """Write the text into the file. Readable for all, since node-exporter is another user.

    Raises WrongUse when no result may go there, or it cannot be written; the old file stays then.
    """
    write_result(ResultFile(path, METRICS, text.encode()), replacing)
