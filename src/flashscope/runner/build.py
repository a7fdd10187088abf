"""The build that runs here: the version, and fingerprints of the source.

    _core.SOURCE_FINGERPRINT      built into the core ------------+--> results
    src/flashscope, parts --read once a process-->  deciding rooms --+
                                                    all of it --> package

Three packages make no records and only choose or show: cli, reports, reproduce (`lint-imports` checks it). A change in
them changes `package` but not `results`; so does a change of the published figures. Any other change of a file counts,
even of a comment: to find out which changes do not matter would cost more than it saves.
Computed when first needed, in about 20 ms of CPU time; never by `--help` or by SMART commands.
Not noticed: files that change while the process runs. Not covered: the versions of Python and of libraries.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

from flashscope.records.build import Build

_PACKAGE = Path(__file__).resolve().parents[1]
_COUNTED = {".py", ".jinja", ".css", ".js", ".toml", ".csv"}
_SHOWING = ("cli/", "reports/", "reproduce/", "parts/figures/")
_DIGITS = 16


@cache
def this_build() -> Build:
    """The build of this process."""
    core = _core_fingerprint()
    package, deciding = fingerprints_of(_PACKAGE)
    results = hashlib.sha256(f"{core} {deciding}".encode()).hexdigest()
    return Build(flashscope_version(), core[:_DIGITS], package[:_DIGITS], results[:_DIGITS])


def fingerprints_of(folder: Path) -> tuple[str, str]:
    """SHA-256 over all sources in a package's folder, and over those that decide results.

    Names and contents count; the folder's own path, times and the order on the disk do not.
    """
    all_of_it, deciding = hashlib.sha256(), hashlib.sha256()
    for name, path in sorted(_sources(folder)):
        content = path.read_bytes()
        entry = f"{name} {len(content)}\n".encode() + content
        all_of_it.update(entry)
        if not name.startswith(_SHOWING):
            deciding.update(entry)
    return all_of_it.hexdigest(), deciding.hexdigest()


def _sources(folder: Path) -> list[tuple[str, Path]]:
    """Each source with its name below the folder. In a checkout the parts are a link to follow."""
    found = []
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [name for name in folders if name != "__pycache__"]
        paths = [Path(place, name) for name in names if os.path.splitext(name)[1] in _COUNTED]
        found += [(path.relative_to(folder).as_posix(), path) for path in paths]
    return found


def flashscope_version() -> str:
    """The version of this package; in a source tree that was never installed, the version of its core, if built."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("flashscope")
    except PackageNotFoundError:
        pass
    try:
        from flashscope import _core
    except ImportError:
        return "unknown"
    return _core.__version__


def _core_fingerprint() -> str:
    try:
        from flashscope import _core
    except ImportError:
        return "unknown"
    return _core.SOURCE_FINGERPRINT
