"""A sweep: missing points are computed, each answer is kept at once, and all outcomes are returned at the end.

    points --which are in the store?--> missing --collect--> store --> outcomes, in the order of the points

The client is the only writer. After a stop or a kill at any moment, the same sweep again computes what is missing.
A drive that failed is a result and stays. A point that was refused, or whose workers died, is kept as a failed record
without its identity, so that it is tried again.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from flashscope.endurance.virtual_run import new_record
from flashscope.errors import Interrupted
from flashscope.records import Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import TimeCost
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Progress, StepAhead
from flashscope.store.store import Store
from flashscope.sweeps.collect import collect
from flashscope.sweeps.exchange import Cluster
from flashscope.sweeps.keys import say_other_builds
from flashscope.sweeps.outcome import Outcome
from flashscope.sweeps.point import Point

OpenCluster = Callable[[int], AbstractContextManager[Cluster]]
"""Opens a cluster for this number of points."""


def sweep(
    points: Sequence[Point],
    store: Store,
    open_cluster: OpenCluster,
    *,
    command: str,
    progress: Progress,
    interruption: Interruption,
    say: Callable[[str], None] = lambda line: print(line, file=sys.stderr),
    anew: bool = False,
) -> list[Outcome]:
    """The outcomes of all points, including points that existed; after a stop, of the points answered until then.

    anew: compute existing points again too. say: a line for a person.
    Raises WrongUse or FlashscopeError when the cluster cannot be opened or is lost; earlier answers are kept.
    """
    there = {} if anew else store.points([point.identity for point in points])
    records = ((identity, store.load_sound(place.record_id)) for identity, place in there.items())
    found = {identity: Outcome.of_record(record, was_there=True) for identity, record in records if record is not None}
    missing = [point for point in points if point.identity not in found]
    for damaged in store.damaged.values():
        say(f"{damaged.in_a_line()}; its points are computed again")
    if found:
        say(f"{len(found)} of {len(points)} are in the store already")
    if missing and not anew:
        keys = [point.key for point in points]
        stale = say_other_builds(keys, there, store.points_of_other_builds(keys), "points")
        if stale:
            say(stale)
    if missing:
        run = _Run(store, command, found)
        progress.run_begins(f"sweep of {points[0].what}", [StepAhead("points", float(len(missing)))])
        progress.step_begins(0)
        ended = "stopped"
        try:
            with open_cluster(len(missing)) as cluster:
                collect(
                    missing, cluster, command=command, keep=run.keep, fail=run.fail, check=interruption.check,
                    on_share=lambda share: progress.advanced(share, 0, 0), say=say,
                )  # fmt: skip
            ended = "done"
        except Interrupted:
            ended = "interrupted"
        finally:
            progress.run_ends(ended)
    return [found[point.identity].of(point) for point in points if point.identity in found]


class _Run:
    """Keeps answers. found: identity -> outcome; each answer is added."""

    def __init__(self, store: Store, command: str, found: dict[str, Outcome]) -> None:
        self._store, self._command, self._found = store, command, found

    def keep(self, point: Point, answer: Mapping[str, Any]) -> None:
        record: Record = answer["record"]
        self._store.begin(record, point=point.key)
        self._found[point.identity] = Outcome.of_record(record, was_there=False)

    def fail(self, point: Point, why: str) -> None:
        record = failed_record(point, why, self._command)
        self._store.begin(record)
        self._found[point.identity] = Outcome.of_record(record, was_there=False)


def failed_record(point: Point, why: str, command: str) -> Record:
    """The record of a point without a result. why: in words."""
    part = point.parts[0]
    model = part.values.get("model")
    facts = DriveFacts(
        address=str(point.address),
        kind_name="virtual drive",
        model=part.name if model is None else str(model.value),
        firmware="",
        serial="",
        user_bytes=sum(one.user_bytes for one in point.parts),
        time_cost=TimeCost.FREE,
        capabilities=frozenset(),
    )
    configuration = point.configuration() | {"drive": facts.to_json()}
    record = new_record(point.what, str(point.address), point.address.seed, command, configuration)
    record.status, record.note = Status.FAILED, why
    return record
