"""The data sheets that come with flashscope: where they are, and one of them by its name."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import resources
from pathlib import Path

from flashscope.errors import WrongUse


def shipped_folder() -> Path:
    """Where the shipped parts are: the folder parts/ of a checkout, or its copy in an installed package."""
    return Path(str(resources.files("flashscope"))) / "parts"


def shipped_names(folder: str) -> list[str]:
    """The names of the data sheets in a folder ("drives", "nand", "hosts"), sorted."""
    return sorted(path.stem for path in (shipped_folder() / folder).glob("*.toml"))


def shipped_sheet(folder: str, name: str, *, what: str) -> tuple[Path, str]:
    """Path and label of a shipped data sheet. what: it is called in messages.

    Raises WrongUse, naming the most similar one, when there is none of that name.
    """
    known = shipped_names(folder)
    if name not in known:
        near = get_close_matches(name, known, n=1, cutoff=0.4)
        raise WrongUse(
            f'there is no {what} "{name}"',
            accepted=f"{', '.join(known)}, or the path of a file that ends in .toml",
            advice=f'did you mean "{near[0]}"?' if near else "",
        )
    return shipped_folder() / folder / f"{name}.toml", f"parts/{folder}/{name}.toml"
