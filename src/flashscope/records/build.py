"""Which build of flashscope made a result: its version, and fingerprints of its source.

    core      all that the Rust core is built from (crates/python/build.rs)
    package   all Python files and parts
    results   the core and those packages that decide the contents of a record (`runner/build.py`)

Results of two builds count as equal only when `results` is the same in both. Old records, made before builds were
noted, have no build: it is unknown, and equal to no other build.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

UNKNOWN = "build unknown"
"""The text for a record that was made before builds were noted."""


@dataclass(frozen=True)
class Build:
    """version: such as "0.1.0". core, package, results: fingerprints of 16 hexadecimal digits, as above."""

    version: str
    core: str
    package: str
    results: str

    @classmethod
    def of(cls, versions: Mapping[str, str]) -> Build | None:
        """The build in a record's versions; None when it is unknown."""
        if not {"flashscope", "core", "package", "results"} <= versions.keys():
            return None
        return cls(versions["flashscope"], versions["core"], versions["package"], versions["results"])

    def versions(self) -> dict[str, str]:
        """For the versions of a record."""
        return {"flashscope": self.version, "core": self.core, "package": self.package, "results": self.results}

    @property
    def identity(self) -> str:
        """The part of the build that decides a result, in one word: "0.1.0+9ab3f0c2d4e5f678"."""
        return f"{self.version}+{self.results}"

    def __str__(self) -> str:
        return f"flashscope {self.version}, core {self.core}, package {self.package}, results {self.results}"


def name_of_build(versions: Mapping[str, str]) -> str:
    """The build of a record for a person: "0.1.0+9ab3f0c2d4e5f678", or that it is unknown."""
    build = Build.of(versions)
    return UNKNOWN if build is None else f"build {build.identity}"


def is_same_build(first: Mapping[str, str], second: Mapping[str, str]) -> bool:
    """True when the same build decided both records. An unknown build is equal to no build."""
    ours, theirs = Build.of(first), Build.of(second)
    return ours is not None and theirs is not None and ours.identity == theirs.identity
