"""The files of parts/smart/: tables of families and logs, layouts of vendor logs, makers' promises; parsed once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any

import flashscope
from flashscope.outputs.parsed_toml import parsed_folder


def tables_folder() -> Path:
    """Where the tables that come with flashscope are."""
    return Path(flashscope.__file__).parent / "parts" / "smart"


def documents(folder: str = ".") -> dict[str, tuple[str, Any]]:
    """The files of parts/smart/ or of a folder below it: name -> text and document; nobody changes them."""
    return {PurePath(path).name: one for path, one in _documents().items() if str(PurePath(path).parent) == folder}


@cache
def _documents() -> Mapping[str, tuple[str, Any]]:
    return parsed_folder(tables_folder(), "smart-tables")
