"""The keys of points of sweeps and lives of populations: the question, and the build that answers it.

configuration            --> asked      the same question, for any build
configuration and build  --> identity   the same result
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from flashscope.records.plain import fingerprint
from flashscope.runner.build import this_build
from flashscope.store.points import PointKey

_VERSION_BEFORE_BUILDS = "0.1.0"
"""Points made before builds were noted are of this version, which was part of their identity."""


def key_of(configuration: Mapping[str, Any]) -> PointKey:
    """The key of a point. configuration: everything that decides its result, except the build."""
    return PointKey(
        identity=fingerprint({**configuration, "build": this_build().identity}),
        asked=fingerprint(configuration),
        before_builds=fingerprint({**configuration, "version": _VERSION_BEFORE_BUILDS}),
    )


def say_other_builds(
    keys: Collection[PointKey], there: Collection[str], others: Mapping[str, set[str]], what: str
) -> str:
    """A line about points that only other builds have computed; empty when there are none.

    there: identities that this build has. others: from `Store.points_of_other_builds`. what: "points" or "lives".
    """
    stale = [others[key.asked] for key in keys if key.identity not in there and key.asked in others]
    if not stale:
        return ""
    builds = sorted(set[str]().union(*stale))
    named = ", ".join(builds[:3]) + (f" and {len(builds) - 3} more" if len(builds) > 3 else "")
    return (
        f"{len(stale)} of {len(keys)} {what} are there from another build of flashscope ({named}); "
        f"they stay in the store and are computed again by build {this_build().identity}"
    )
