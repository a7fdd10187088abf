"""The batches of an archive of daily rows, read on the workers of a cluster.

    batches --a few ahead of the workers--> cluster --partials, in whatever order--> in the order of the days

A partial depends on its files alone, so a batch that is lost with its worker is read again by another. Only the client
writes the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flashscope.errors import FlashscopeError
from flashscope.smart.archives.batch import Partial
from flashscope.smart.archives.day_files import DayFile
from flashscope.smart.archives.engine import Limits
from flashscope.smart.archives.reading import Source
from flashscope.sweeps.exchange import Cluster, Ended, version_differs

_AHEAD_PER_WORKER = 2
_LOOK_INTERVAL_S = 0.2


def on_cluster(cluster: Cluster) -> Source:
    """Reads batches on a cluster. Raises FlashscopeError when a batch cannot be read, and all before it are given."""

    def source(batches: Sequence[Sequence[DayFile]], limits: Limits) -> Iterator[Partial]:
        found: dict[int, Partial] = {}
        handed_out = 0
        try:
            for index in range(len(batches)):
                while index not in found:
                    while handed_out < len(batches) and handed_out < index + _AHEAD_PER_WORKER * cluster.worker_count:
                        task = {"kind": "archive batch", "files": list(batches[handed_out]), "limits": limits}
                        cluster.submit(_key(batches[handed_out], handed_out), task)
                        handed_out += 1
                    ended = cluster.next(_LOOK_INTERVAL_S)
                    if ended is not None:
                        found[int(ended.key.rsplit("-", 1)[1])] = _partial(ended)
                yield found.pop(index)
        finally:
            cluster.drop_all()

    return source


def _key(batch: Sequence[DayFile], index: int) -> str:
    return f"flashscope-archive-{batch[0].fingerprint}-{index}"


def _partial(ended: Ended) -> Partial:
    """What a worker answered."""
    answer = ended.answer
    if answer is None:
        why = "each worker that read it died, perhaps out of memory" if ended.died else ended.error
        raise FlashscopeError(f"a batch of the archive could not be read: {why}", advice="give workers more memory")
    if "took_s" not in answer:
        raise version_differs("a worker", answer["version"])
    if "refused" in answer:
        raise FlashscopeError(f"a batch of the archive could not be read: {answer['refused']}")
    partial: Partial = answer["partial"]
    return partial
