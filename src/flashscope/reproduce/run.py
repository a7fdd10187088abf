"""Runs cases on all cores, in threads: the core lets go of Python while it works.

    cases, dearest first --> worker | worker --> rows, in the order of the catalogue whatever finished first

Not modelled here: nothing is recorded; a run of the laws is repeated, not resumed.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from flashscope import _core
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import BenchDrive
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
    advanced: Callable[[float], None] = lambda share_ratio: None,
) -> list[Row]:
    """Hold laws against the virtual drive; all their rows, in order.

    quick: fewer and smaller measurements. workers: threads. check: called a few times a second; may raise to stop.
    advanced: told the share of the work that is done [0..1], as often.
    """
    named = [(law.name, case) for law in laws for case in (law.cases(quick) if law.cases else ())]
    stop = threading.Event()
    rows: dict[int, list[Row]] = {}
    total = sum(case.cost for _, case in named)
    done = 0.0
    order = sorted(range(len(named)), key=lambda index: (-named[index][1].cost, index))
    with ThreadPoolExecutor(workers) as pool:
        pending: dict[Future[list[Row]], int] = {pool.submit(_run_case, *named[index], stop): index for index in order}
        try:
            while pending:
                check()
                for future in wait(pending, timeout=_LOOK_INTERVAL_S, return_when=FIRST_COMPLETED).done:
                    index = pending.pop(future)
                    rows[index] = future.result()
                    done += named[index][1].cost
                advanced(done / total)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
    return [row for index in range(len(named)) for row in rows[index]]


def _run_case(law: str, case: Case, stop: threading.Event) -> list[Row]:
    def check() -> None:
        if stop.is_set():
            raise _Stopped

    def open_drive(configuration: BenchConfiguration) -> BenchDrive:
        check()
        return BenchDrive(configuration, check=check)

    try:
        return list(case.measure(open_drive))
    except _core.ConfigRefused as refused:
        # A core that does not know a mechanism cannot show that its law holds.
        why = " ".join(str(part) for part in refused.args)
        return [Row(law, f"{case.name}: the core refuses this drive: {why}", math.nan, math.nan, 0.0)]
