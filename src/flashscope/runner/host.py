"""The machine and the programs of a run, for the record."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from flashscope.runner.build import this_build


def program_versions() -> dict[str, str]:
    """Versions of what every run uses: the build of flashscope, python, numpy, sqlite."""
    import sqlite3

    import numpy

    return {
        **this_build().versions(),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "sqlite": sqlite3.sqlite_version,
    }


def smartctl_version() -> str:
    """The version that smartctl reports, such as "7.3"; "unknown" when it does not answer."""
    import subprocess

    try:
        said = subprocess.run(["smartctl", "--version"], capture_output=True, text=True, timeout=30).stdout.split()
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return said[1] if said[:1] == ["smartctl"] and len(said) > 1 else "unknown"


def describe_host(target: Path | None = None) -> dict[str, Any]:
    """Kernel, processor, memory [bytes], and the file system that holds `target` when there is one."""
    host: dict[str, Any] = {
        "system": platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "processor": _processor(),
        "processor_count": os.cpu_count() or 0,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
    }
    if target is not None:
        host["file_system"] = file_system_of(target)
    return host


def _processor() -> str:
    for line in _lines("/proc/cpuinfo"):
        name, _, value = line.partition(":")
        if name.strip() in ("model name", "Model", "Hardware"):
            return value.strip()
    return platform.processor() or "unknown"


def file_system_of(path: Path) -> str:
    """The type of the file system that holds a path, such as "ext4"; or "unknown"."""
    device = path.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    for line in _lines("/proc/self/mountinfo"):
        before, _, after = line.partition(" - ")
        if before.split()[2] == number:
            return after.split()[0]
    return "unknown"


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
