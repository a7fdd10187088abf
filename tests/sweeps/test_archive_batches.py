"""An archive read on a cluster says the same as read here; a batch that fails leaves what was read before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from flashscope.errors import FlashscopeError
from flashscope.smart.archives.day_files import find_day_files
from flashscope.smart.archives.keeper import Keeper
from flashscope.smart.archives.plan import plan_batches
from flashscope.smart.archives.reading import one_by_one, read_archive
from flashscope.sweeps.archive_batches import on_cluster
from flashscope.sweeps.cluster import open_local
from flashscope.sweeps.exchange import Ended
from flashscope.sweeps.work import perform, version_here
from tests.smart.archives.made_archive import LIMITS, row, write_day


class Here:
    """A cluster in this process that gives its answers in the reverse order."""

    worker_count, lost_workers, has_workers = 3, 0, True

    def __init__(self) -> None:
        self.waiting: deque[tuple[str, Mapping[str, Any]]] = deque()
        self.dropped = False

    def submit(self, key: str, task: Mapping[str, Any]) -> None:
        self.waiting.append((key, {**task, "version": version_here()}))

    def next(self, timeout_s: float) -> Ended | None:
        key, task = self.waiting.pop()
        return Ended(key, perform(task))

    def drop_all(self) -> None:
        self.dropped = True


def fleet(folder: Path, days: int = 7) -> None:
    for index in range(days):
        hours = 24 * index if index < 5 else index
        write_day(folder, index, [row(index, f"S{one}", r9=hours + one, n9=100, r197=index % 3) for one in range(20)])


def lives(keeper: Keeper) -> list[tuple[Any, ...]]:
    return keeper.query("FROM lives ORDER BY serial") + keeper.query("FROM last_rows ORDER BY serial")


def expected(folder: Path) -> list[tuple[Any, ...]]:
    files, _ = find_day_files([folder])
    with Keeper(None, LIMITS) as keeper:
        read_archive(plan_batches(files, {}, None, 1), keeper, LIMITS, source=one_by_one)
        return lives(keeper)


def test_answers_in_any_order_are_merged_in_the_order_of_days(tmp_path: Path) -> None:
    fleet(tmp_path)
    files, _ = find_day_files([tmp_path])
    cluster = Here()
    with Keeper(None, LIMITS) as keeper:
        effort, not_read = read_archive(plan_batches(files, {}, None, 1), keeper, LIMITS, source=on_cluster(cluster))
        assert (effort.row_count, effort.day_count, not_read) == (140, 7, [])
        assert lives(keeper) == expected(tmp_path)
    assert cluster.dropped


def test_a_worker_that_does_not_see_the_files_stops_the_reading(tmp_path: Path) -> None:
    fleet(tmp_path)
    files, _ = find_day_files([tmp_path])
    files[4].path.unlink()
    with Keeper(None, LIMITS) as keeper:
        with pytest.raises(FlashscopeError, match="does not see"):
            read_archive(plan_batches(files, {}, None, 1), keeper, LIMITS, source=on_cluster(Here()))
        assert keeper.totals().row_count <= 4 * 20


def test_processes_of_dask_say_the_same(tmp_path: Path) -> None:
    fleet(tmp_path)
    files, _ = find_day_files([tmp_path])
    with open_local(2) as cluster, Keeper(None, LIMITS) as keeper:
        read_archive(plan_batches(files, {}, None, 1), keeper, LIMITS, source=on_cluster(cluster))
        assert lives(keeper) == expected(tmp_path)
