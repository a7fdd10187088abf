"""Runs cases on all cores, in threads: the core releases Python's lock while it works.

    law after law, in each its longest case first --> worker | worker --> rows, in the order of the catalogue

When no case of a law is left, a worker continues with the next law, so two laws may be under way; the progress names
the first one that is not finished.

Not done here: nothing is recorded; a run of the laws is repeated, not resumed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from flashscope import _core
from flashscope.reproduce.bench_drive import BenchDrive, Built
from flashscope.reproduce.case import Case, Law
from flashscope.reproduce.row import Row

_LOOK_INTERVAL_S = 0.2


class _Stopped(Exception):
    """Raised inside a worker between two slices of a run."""


def run_laws(
    laws: Sequence[Law],
    *,
    quick: bool = False,
    workers: int = 2,
    check: Callable[[], None] = lambda: None,
    advanced: Callable[[int, float], None] = lambda place, share_ratio: None,
) -> list[Row]:
    """Compare laws with the virtual drive; returns all rows, in order.

    quick: fewer and smaller measurements. workers: threads. check: called a few times a second; may raise to stop.
    advanced: called as often with the place of the law that is being measured and the share of its work done [0..1].
    """
    cases = [law.cases(quick) for law in laws]
    named = [(laws[place].name, case) for place, of_law in enumerate(cases) for case in of_law]
    places = [place for place, of_law in enumerate(cases) for _ in of_law]
    stop = threading.Event()
    rows: dict[int, list[Row]] = {}
    left = [sum(case.cost for case in of_law) for of_law in cases]
    whole = [max(cost, 1e-12) for cost in left]
    unfinished = [len(of_law) for of_law in cases]
    order = sorted(range(len(named)), key=lambda index: (places[index], -named[index][1].cost, index))
    with ThreadPoolExecutor(workers) as pool:
        pending: dict[Future[list[Row]], int] = {pool.submit(_run_case, *named[index], stop): index for index in order}
        try:
            while pending:
                check()
                for future in wait(pending, timeout=_LOOK_INTERVAL_S, return_when=FIRST_COMPLETED).done:
                    index = pending.pop(future)
                    rows[index] = future.result()
                    left[places[index]] -= named[index][1].cost
                    unfinished[places[index]] -= 1
                place = next((place for place, count in enumerate(unfinished) if count), len(laws) - 1)
                advanced(place, 1 - max(left[place], 0.0) / whole[place])
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return [row for index in range(len(named)) for row in rows[index]]


def _run_case(law: str, case: Case, stop: threading.Event) -> list[Row]:
    def check() -> None:
        if stop.is_set():
            raise _Stopped

    def open_drive(configuration: Built) -> BenchDrive[Built]:
        check()
        return BenchDrive(configuration, check=check)

    try:
        return list(case.measure(open_drive))
    except _core.ConfigRefused as refused:
        # With a core without this mechanism the law cannot be checked.
        why = " ".join(str(part) for part in refused.args)
        return [Row(law, f"{case.name}: the core refuses this drive: {why}", math.nan, math.nan, 0.0)]
