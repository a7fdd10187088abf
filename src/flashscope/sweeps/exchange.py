"""What passes between the client of a sweep and its workers, whoever carries it (`cluster.py` does, by Dask)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from flashscope.errors import WrongUse
from flashscope.runner.build import this_build


@dataclass(frozen=True)
class Ended:
    """A task that ended. answer: what `work.perform` returned; None when it did not come to that.

    died: it lost worker after worker. error: a fault of ours, in a line.
    """

    key: str
    answer: dict[str, Any] | None = None
    died: bool = False
    error: str = ""


class Cluster(Protocol):
    """What `collect.py` asks of a cluster."""

    @property
    def worker_count(self) -> int:
        """Tasks that can be at work at once, as last seen."""

    @property
    def lost_workers(self) -> int:
        """Workers that have gone so far, as last seen."""

    @property
    def has_workers(self) -> bool:
        """False while nobody is there to work, as last seen."""

    def submit(self, key: str, task: Mapping[str, Any]) -> None:
        """Hand a task over."""

    def next(self, timeout_s: float) -> Ended | None:
        """A task that ended; None when none did in that time."""

    def drop_all(self) -> None:
        """Let go of all that is under way."""


def check_versions(said: Mapping[str, Any]) -> None:
    """What each worker says its version is, by its address. Raises WrongUse when one is not ours."""
    ours = this_build().identity
    for worker, version in said.items():
        if version != ours:
            raise version_differs(f"the worker at {worker}", version)


def version_differs(who: str, version: object) -> WrongUse:
    """The error for a worker of another version; of an exception in its place, that it has none that can do this."""
    has = f"flashscope {version}" if isinstance(version, str) else f"a flashscope that cannot sweep ({version})"
    return WrongUse(
        f"{who} has {has}", accepted=f"flashscope {this_build().identity}, as here",
        advice="install the same version there: results of two versions need not agree",
    )  # fmt: skip
