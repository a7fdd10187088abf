"""Hands out tasks and takes answers: every answer is kept before the next one is read.

    points --a few ahead of the workers--> cluster --answers, in whatever order--> keep

When several workers die with a task, another task beside it may have been the cause. So the task is tried once more,
alone; when workers die again, the task has failed. The other tasks continue.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from flashscope.runner.progress.pace_of_many import Pace
from flashscope.sweeps.exchange import Cluster, Ended, version_differs
from flashscope.sweeps.point import Computable
from flashscope.units import counted

Work = TypeVar("Work", bound=Computable)

_AHEAD_PER_WORKER = 2
_LOOK_INTERVAL_S = 0.2

DIED = "each worker that computed it died, at last when it ran alone (perhaps out of memory)"


def collect(
    points: Sequence[Work],
    cluster: Cluster,
    *,
    command: str,
    keep: Callable[[Work, Mapping[str, Any]], None],
    fail: Callable[[Work, str], None],
    check: Callable[[], None] = lambda: None,
    on_share: Callable[[float], None] = lambda share: None,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Compute all points. An exception of a callback ends this; tasks under way are then dropped.

    keep: called with each point's answer (`work.perform`). fail: called with each point without an answer, and why.
    check: raises to stop. on_share: called now and then with the share done. say: called when workers are lost.
    Raises WrongUse when a worker has another version.
    """
    waiting, suspects = deque(points), deque[Work]()
    under_way: dict[str, Work] = {}
    pace, lost, alone, waits = Pace(len(points)), 0, "", False
    try:
        while waiting or under_way or suspects:
            check()
            while waiting and len(under_way) < _AHEAD_PER_WORKER * cluster.worker_count:
                _submit(waiting.popleft(), cluster, command, under_way, "")
            if suspects and not under_way:
                alone = _submit(suspects.popleft(), cluster, command, under_way, "-alone")
            ended = cluster.next(_LOOK_INTERVAL_S)
            if cluster.lost_workers > lost:
                lost = cluster.lost_workers
                say(f"{counted(lost, 'worker')} lost so far; their points go to the others")
            if not cluster.has_workers and not waits:
                say("no worker is there; waiting for one")
            waits = not cluster.has_workers
            if ended is not None:
                point = under_way.pop(ended.key)
                if ended.died and ended.key != alone:
                    suspects.append(point)
                else:
                    _end(point, ended, keep, fail)
                    pace.ended((ended.answer or {}).get("took_s", 0.0))
            on_share(pace.share(cluster.worker_count))
    except BaseException:
        cluster.drop_all()
        raise


def _submit(point: Work, cluster: Cluster, command: str, under_way: dict[str, Work], suffix: str) -> str:
    key = f"flashscope-{point.key.identity}{suffix}"
    under_way[key] = point
    cluster.submit(key, {**point.task(), "command": command})
    return key


def _end(
    point: Work, ended: Ended, keep: Callable[[Work, Mapping[str, Any]], None], fail: Callable[[Work, str], None]
) -> None:
    if ended.answer is None:
        fail(point, DIED if ended.died else ended.error)
        return
    if "took_s" not in ended.answer:
        raise version_differs("a worker", ended.answer["version"])
    if "refused" in ended.answer:
        fail(point, ended.answer["refused"])
    else:
        keep(point, ended.answer)
