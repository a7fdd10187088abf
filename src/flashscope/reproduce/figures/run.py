"""Runs scenarios on all cores, in threads: the core releases Python's lock while it works.

    scenarios, longest first --> worker | worker --> results, in the order of the published rows

Records go into a store of this run unless another is named. If a run does not end as "done", its figures have no model
value, and the note gives the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.drive import Drive
from flashscope.drives.open import open_drive
from flashscope.drives.parts.part import fitted_figures
from flashscope.drives.parts.published_figures import published_figures
from flashscope.errors import FlashscopeError
from flashscope.records import Record, Status
from flashscope.reproduce.figures.result import Result
from flashscope.reproduce.figures.scenario import SEED, Scenario
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store

_LOOK_INTERVAL_S = 0.2


class Bench:
    """A laboratory of virtual drives. store_path: where the records of one worker go."""

    def __init__(self, store_path: Path, interruption: Interruption) -> None:
        self._store_path = store_path
        self._interruption = interruption

    def open(self, address: str) -> Drive:
        """A new drive."""
        return open_drive(parse_address(address), destructive=True)

    def check(self) -> None:
        """Raise Interrupted when a stop was asked for."""
        self._interruption.check()

    def run(self, address: str, experiment: Experiment, effort: Effort = STANDARD) -> Record:
        """Run an experiment on a new drive. Raises FlashscopeError when it does not end as done."""
        with Store(self._store_path, repeatable=True) as store:
            record = run_experiment(
                experiment,
                self.open(address),
                Asked(seed=SEED, command="flashscope reproduce figures", effort=effort),
                store=store,
                progress=Silent(),
                interruption=self._interruption,
            )
        self._interruption.check()
        if record.status is not Status.DONE:
            raise FlashscopeError(f"{experiment.name} on {address} ended as {record.status.value}: {record.note}")
        return record


def run_scenarios(
    scenarios: Sequence[Scenario],
    store_path: Path,
    *,
    interruption: Interruption,
    advanced: Callable[[float], None] = lambda share_ratio: None,
    workers: int = 2,
) -> list[Result]:
    """Measure; one result for each published row of the scenarios, in the order of the rows.

    advanced: called a few times a second with the share of the work that is done [0..1].
    """
    with Store(store_path):  # made before any thread needs it
        pass
    bench = Bench(store_path, interruption)
    whole = sum(scenario.cost for scenario in scenarios) or 1.0
    done_cost = 0.0
    values: dict[str, float] = {}
    notes: dict[str, str] = {}
    order = sorted(scenarios, key=lambda scenario: -scenario.cost)
    with ThreadPoolExecutor(workers) as pool:
        pending: dict[Future[Mapping[str, float]], Scenario] = {
            pool.submit(scenario.measure, bench): scenario for scenario in order
        }
        try:
            while pending:
                interruption.check()
                for future in wait(pending, timeout=_LOOK_INTERVAL_S, return_when=FIRST_COMPLETED).done:
                    scenario = pending.pop(future)
                    done_cost += scenario.cost
                    try:
                        values |= future.result()
                    except FlashscopeError as error:
                        notes |= dict.fromkeys(scenario.ids, f"{scenario.name}: {error.what}")
                advanced(done_cost / whole)
        except BaseException:
            interruption.request("the end of this run")
            pool.shutdown(cancel_futures=True)
            raise
    fitted = fitted_figures()
    asked = {figure_id for scenario in scenarios for figure_id in scenario.ids}
    return [
        Result(
            figure,
            values.get(figure.id),
            figure.id in fitted,
            "" if figure.id in values else notes.get(figure.id, "the run did not yield it"),
        )
        for figure in published_figures()
        if figure.id in asked
    ]
