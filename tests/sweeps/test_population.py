"""The lives of a population: the same in threads and on a cluster whose workers are killed; kept as they end."""

import os
import signal
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from flashscope.endurance.goal import Goal
from flashscope.endurance.life import Conditions
from flashscope.endurance.load import WearLoad
from flashscope.endurance.population import Row, wear_population
from flashscope.endurance.variation import Spread, drives_of_lots
from flashscope.records.plain import to_json
from flashscope.sweeps import cluster as cluster_module
from flashscope.sweeps.cluster import DaskCluster, open_local
from flashscope.sweeps.collect import DIED, collect
from flashscope.sweeps.population import LifePoint, row_of

CONDITIONS = Conditions(WearLoad(), Goal("death"), checkpoint_cycles=15, read_bytes=1 << 20)


def lives_of(configuration: dict[str, Any], count: int, conditions: Conditions = CONDITIONS) -> list[LifePoint]:
    return [LifePoint(drive, configuration, conditions) for drive in drives_of_lots(count, 3, 5, Spread())]


def in_threads(lives: list[LifePoint]) -> str:
    rows: list[Row] = []
    wear_population(
        [life.drive for life in lives], lives[0].configuration, lives[0].conditions,
        workers=2, check=lambda: None, on_row=lambda row, took_s: rows.append(row),
    )  # fmt: skip
    return to_json(sorted(rows, key=lambda row: row.number))


def kill(cluster: DaskCluster, worker: str) -> None:
    """End one of the processes that this cluster started, as a lack of memory would."""
    pids = cluster._client.run(os.getpid, workers=[worker])
    os.kill(pids[worker], signal.SIGKILL)


def test_a_worker_killed_half_way_changes_no_life(small: dict[str, Any]) -> None:
    lives, rows, said, killed = lives_of(small, 8), list[Row](), list[str](), list[str]()
    with open_local(2) as cluster:

        def keep(life: LifePoint, answer: Mapping[str, Any]) -> None:
            rows.append(row_of(answer["row"]))
            if len(rows) == 3:
                busy = [worker for worker, keys in cluster._client.processing().items() if keys]
                killed.extend(busy[:1])
                kill(cluster, busy[0])

        collect(lives, cluster, command="", keep=keep, fail=lambda life, why: pytest.fail(why), say=said.append)
    assert killed, "a worker was at work when it was killed"
    assert len(rows) == 8, "each life once"
    assert to_json(sorted(rows, key=lambda row: row.number)) == in_threads(lives)


def test_a_life_that_ends_its_workers_is_failed_and_the_others_are_lived(
    small: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "ALLOWED_FAILURES", 0)
    # The last one takes for ever: with blocks that hardly fail it wears until somebody ends it.
    endless = dict(small, endurance=dict(small["endurance"], characteristic_cycles=10**8))
    guilty = LifePoint(drives_of_lots(1, 1, 9, Spread())[0], endless, CONDITIONS)
    failed: dict[int, str] = {}
    rows: list[Row] = []
    over = threading.Event()
    with open_local(2) as cluster:

        def end_its_worker() -> None:
            while not over.wait(0.2):
                for worker, keys in cluster._client.processing().items():
                    if any(guilty.identity in str(key) for key in keys) and len(rows) == 3:
                        kill(cluster, worker)
                        time.sleep(2)

        killer = threading.Thread(target=end_its_worker)
        killer.start()
        try:
            collect(
                [guilty, *lives_of(small, 3)], cluster, command="",
                keep=lambda life, answer: rows.append(row_of(answer["row"])),
                fail=lambda life, why: failed.update({life.drive.seed: why}),
            )  # fmt: skip
        finally:
            over.set()
            killer.join()
    assert failed == {guilty.drive.seed: DIED}
    assert len(rows) == 3


@pytest.mark.long
def test_31_drives_on_two_workers_one_killed_half_way_live_as_in_threads(tmp_path: Path) -> None:
    import json

    from flashscope.drives.parts.part import load_part
    from flashscope.endurance.conditions import conditions_of, for_many

    configuration = json.loads(load_part("onyx-32").to_core_json())
    conditions = for_many(conditions_of("sim:onyx-32", 5000, "death", "sequential", 0.0))
    lives, rows = lives_of(configuration, 31, conditions), list[Row]()
    begun_s = time.monotonic()
    with open_local(2) as cluster:

        def keep(life: LifePoint, answer: Mapping[str, Any]) -> None:
            rows.append(row_of(answer["row"]))
            if len(rows) == 15:
                kill(cluster, next(worker for worker, keys in cluster._client.processing().items() if keys))

        collect(lives, cluster, command="", keep=keep, fail=lambda life, why: pytest.fail(why))
    spent_s = time.monotonic() - begun_s
    assert to_json(sorted(rows, key=lambda row: row.number)) == in_threads(lives)
    assert spent_s < 600, f"{spent_s} s"
