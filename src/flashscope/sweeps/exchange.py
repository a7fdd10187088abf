"""What passes between the client of a sweep and its workers, by any transport (`cluster.py` uses Dask)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from flashscope.errors import WrongUse
from flashscope.runner.build import this_build


@dataclass(frozen=True)
class Ended:
    """A task that ended. answer: what `work.perform` returned; None when there is none.

    died: its workers died repeatedly. error: a fault of flashscope, in one line.
    """

    key: str
    answer: dict[str, Any] | None = None
    died: bool = False
    error: str = ""


class Cluster(Protocol):
    """What `collect.py` needs of a cluster."""

    @property
    def worker_count(self) -> int:
        """Tasks that can run in parallel, as last seen."""

    @property
    def lost_workers(self) -> int:
        """Workers that have gone so far, as last seen."""

    @property
    def has_workers(self) -> bool:
        """False while there are no workers, as last seen."""

    def submit(self, key: str, task: Mapping[str, Any]) -> None:
        """Hand a task over."""

    def next(self, timeout_s: float) -> Ended | None:
        """A task that ended; None when none ended in that time."""

    def drop_all(self) -> None:
        """Cancel all tasks."""


def check_versions(said: Mapping[str, Any]) -> None:
    """The version of each worker, by its address. Raises WrongUse when one has another version."""
    ours = this_build().identity
    for worker, version in said.items():
        if version != ours:
            raise version_differs(f"the worker at {worker}", version)


def version_differs(who: str, version: object) -> WrongUse:
    """The error for a worker of another version; for an exception, that its version cannot do this."""
    has = f"flashscope {version}" if isinstance(version, str) else f"a flashscope that cannot sweep ({version})"
    return WrongUse(
        f"{who} has {has}", accepted=f"flashscope {this_build().identity}, as here",
        advice="install the same version there: results of two versions need not agree",
    )  # fmt: skip
