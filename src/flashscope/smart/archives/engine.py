"""DuckDB, opened with limits: it reads CSV with all cores and spills to disk where memory is short.

Nothing is fetched from a network: extensions are neither installed nor loaded by themselves.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flashscope.errors import FlashscopeError, NotEnoughMemory, WrongUse

IN_MEMORY = ":memory:"
LEAST_MEMORY_BYTES = 512 << 20
DEFAULT_MEMORY_BYTES = 2 << 30


@dataclass(frozen=True)
class Limits:
    """What DuckDB may take. memory_bytes: its buffers, beyond which it spills. threads: 0 for all cores."""

    memory_bytes: int = DEFAULT_MEMORY_BYTES
    threads: int = 0

    def __post_init__(self) -> None:
        if self.memory_bytes < LEAST_MEMORY_BYTES:
            raise WrongUse(
                f"{self.memory_bytes} B of memory is too little to read an archive", accepted="512 MiB or more"
            )


def thread_count(limits: Limits) -> int:
    """How many threads may work at once."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return limits.threads or cores


def check_engine() -> None:
    """Raises WrongUse, with what to install, when DuckDB is not there."""
    if importlib.util.find_spec("duckdb") is None:
        raise WrongUse("an archive needs DuckDB, which is not installed", accepted="pip install duckdb")


def connect(path: str, limits: Limits, spill: Path, *, read_only: bool = False) -> Any:
    """A connection. path: a database file, or IN_MEMORY. spill: the folder for what does not fit into memory."""
    check_engine()
    duckdb: Any = importlib.import_module("duckdb")
    settings: dict[str, Any] = {
        "memory_limit": f"{limits.memory_bytes}B",
        "temp_directory": str(spill),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "preserve_insertion_order": False,
    }
    settings["threads"] = thread_count(limits)
    return duckdb.connect(path, read_only=read_only, config=settings)


def error_type() -> type[Exception]:
    """The base of DuckDB's errors."""
    error: type[Exception] = importlib.import_module("duckdb").Error
    return error


def first_line(error: Exception) -> str:
    """What DuckDB says, without its advice and its picture of the place."""
    return str(error).strip().split("\n")[0][:200]


def explained(error: Exception) -> FlashscopeError:
    """A failure of DuckDB in words for a person."""
    if type(error).__name__ == "OutOfMemoryException":
        return NotEnoughMemory(
            f"DuckDB needs more memory than it may have: {first_line(error)}",
            advice="give it more with --memory, such as --memory 4GiB; or free some space for what it spills to disk",
        )
    return FlashscopeError(f"DuckDB could not read this batch: {first_line(error)}")


def text(value: object) -> str:
    """A value as an SQL string."""
    return "'" + str(value).replace("'", "''") + "'"


def name(value: str) -> str:
    """A name as an SQL identifier."""
    return '"' + value.replace('"', '""') + '"'


def texts(values: Sequence[object]) -> str:
    """An SQL list of strings."""
    return "[" + ", ".join(text(one) for one in values) + "]"
