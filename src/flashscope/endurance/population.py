"""Many drives worn out: the spread of their lives, and whether a standard would accept them.

    variation.py: the drives --> life.py on every core --> rows --> Weibull, JESD218, what the sample can show

Each drive depends only on seed, lot and number. So results do not depend on how many drives are worn in parallel, nor
on where: in threads here, or on the workers of a cluster (`sweeps/population.py`).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass
from typing import Any

from flashscope import _core
from flashscope.analysis.small_samples import (
    JESD218_LEAST_LOTS,
    bound,
    data_errors_accepted,
    drives_needed,
    failures_accepted,
    what_the_sample_tells,
)
from flashscope.analysis.weibull import WeibullFit, fit_weibull
from flashscope.endurance.life import Conditions, live
from flashscope.endurance.retention import retention_of
from flashscope.endurance.variation import DriveOfLot, Spread
from flashscope.records import Doubt, Finding, Record
from flashscope.records.plain import to_json
from flashscope.units import format_bytes

EXPERIMENT = "endurance-population"
_LOOK_INTERVAL_S = 0.2
_UBER_CLIENT = 1e-15


@dataclass(frozen=True)
class Row:
    """One drive's life. before_rating: it failed with fewer cycles on average than it is rated for."""

    number: int
    lot: int
    seed: int
    life_factor: float
    error_factor: float
    end: str
    failed: bool
    before_rating: bool
    host_written_bytes: int
    erase_count_mean: float
    bad_blocks: int
    elapsed_ns: int
    rber: float | None
    unreadable_reads: int
    uber_year_at_30_celsius: float | None


def wear_one(
    drive: DriveOfLot, configuration: dict[str, Any], conditions: Conditions, check: Callable[[], None]
) -> Row:
    """Wear one drive of a population. check: called now and then; an exception of it ends the life."""
    own = drive.applied_to(configuration)
    core = _core.Drive(to_json(own), drive.seed)
    rated = int(own["timing"]["rated_pe_cycles"])
    at_rating: dict[str, Any] = {}

    def keep(checkpoint: Any) -> None:
        if not at_rating and checkpoint.erase_count_mean >= rated - 1:
            at_rating.update(retention_of(core, own))

    life = live(core, own, conditions, seed=drive.seed, on_checkpoint=keep, on_progress=lambda *_: check())
    last = life.checkpoints[-1]
    year = next((curve for curve in at_rating.get("curves", ()) if curve["celsius"] == 30.0), None)
    uber = year["lost_ratio"][year["months"].index(12)] / (8 * at_rating["codeword_bytes"]) if year else None
    return Row(
        drive.number, drive.lot, drive.seed, drive.life_factor, drive.error_factor, life.end, life.failed,
        life.failed and last.erase_count_mean < rated - 1, last.host_written_bytes, last.erase_count_mean,
        last.bad_blocks, last.elapsed_ns, last.rber, sum(seen.unreadable_reads for seen in life.checkpoints), uber,
    )  # fmt: skip


def wear_population(
    drives: Sequence[DriveOfLot],
    configuration: dict[str, Any],
    conditions: Conditions,
    *,
    workers: int,
    check: Callable[[], None],
    on_row: Callable[[Row, float], None],
) -> None:
    """Compute the lives of these drives, in threads.

    workers: drives worn at once. check: raises to stop all. on_row: called with each life as it ends and the wall time
    that it took [s], in this thread.
    """
    stop: list[BaseException] = []

    def checked() -> None:
        if stop:
            raise stop[0]

    with ThreadPoolExecutor(workers) as pool:
        pending = {pool.submit(_timed, drive, configuration, conditions, checked) for drive in drives}
        while pending:
            finished, pending = wait(pending, timeout=_LOOK_INTERVAL_S, return_when=FIRST_COMPLETED)
            try:
                for future in finished:
                    on_row(*future.result())
                check()
            except BaseException as error:
                stop.append(error)
                for future in pending:
                    future.cancel()
                with contextlib.suppress(BaseException):
                    wait(pending)
                raise


def _timed(
    drive: DriveOfLot, configuration: dict[str, Any], conditions: Conditions, check: Callable[[], None]
) -> tuple[Row, float]:
    began_s = time.perf_counter()
    return wear_one(drive, configuration, conditions, check), time.perf_counter() - began_s


def findings_of_population(rows: Sequence[Row], lots: int, rated_pe_cycles: int, spread: Spread) -> list[Finding]:
    """functional_failures_at_rating, life_weibull_scale, life_weibull_shape, what the sample can show."""
    failed_early = sum(row.before_rating for row in rows)
    findings = [_acceptance(rows, lots, failed_early, rated_pe_cycles)]
    fit = fit_weibull([row.host_written_bytes for row in rows], [row.failed for row in rows])
    findings += _weibull(rows, fit, spread, lots)
    sample = bound(len(rows), failed_early)
    findings.append(
        Finding(
            "failing_share_at_rating",
            what_the_sample_tells(len(rows), failed_early),
            failed_early / len(rows),
            "ratio",
            low=0.0,
            high=sample.exact_ratio,
            confidence_ratio=0.6,
            details={"poisson_ratio": sample.poisson_ratio, "exact_ratio": sample.exact_ratio},
        )
    )
    return findings


def _acceptance(rows: Sequence[Row], lots: int, failed_early: int, rated_pe_cycles: int) -> Finding:
    allowed = failures_accepted(len(rows))
    least_tb = min(row.host_written_bytes for row in rows) / 1e12
    unreadable = sum(row.unreadable_reads for row in rows)
    errors_allowed = data_errors_accepted(len(rows), least_tb, _UBER_CLIENT)
    aged = [row.uber_year_at_30_celsius for row in rows if row.uber_year_at_30_celsius is not None]
    beyond = sum(uber > _UBER_CLIENT for uber in aged)
    accepted = failed_early <= allowed and unreadable <= errors_allowed and lots >= JESD218_LEAST_LOTS
    verdict = "would accept" if accepted else "would not accept"
    limit = f"{allowed} may" if allowed >= 0 else f"{drives_needed(0)} drives are the smallest sample"
    statement = (
        f"{failed_early} of {len(rows)} drives failed before {rated_pe_cycles} cycles; by JESD218 ({limit}) a maker "
        f"{verdict} the rating for functional failures and read errors."
    )
    if errors_allowed < 0:
        statement += " So little was written that even without a read error UBER 1e-15 would not be shown."
    if aged:
        statement += (
            f" After a year without power at 30 C, from the rating on, {beyond} of {len(aged)} are beyond UBER 1e-15."
        )
    doubts = []
    if lots < JESD218_LEAST_LOTS:
        doubts.append(Doubt("FewLots", f"{lots} lots", f"JESD218 asks for {JESD218_LEAST_LOTS} lots at least"))
    return Finding(
        "functional_failures_at_rating", statement, failed_early, "count", doubts=tuple(doubts),
        details={
            "failures_accepted": allowed, "unreadable_reads": unreadable, "data_errors_accepted": errors_allowed,
            "accepted": accepted, "drives_needed_for_none": drives_needed(0), "beyond_uber_after_a_year": beyond,
            "rows": [asdict(row) for row in rows],
        },
    )  # fmt: skip


def _weibull(rows: Sequence[Row], fit: WeibullFit | None, spread: Spread, lots: int) -> list[Finding]:
    failed = sum(row.failed for row in rows)
    if fit is None:
        why = f"{failed} of {len(rows)} drives failed; a Weibull fit needs at least two failures."
        return [Finding("life_weibull_scale", f"No distribution of lives: {why}", None, "bytes")]
    doubts = (
        Doubt(
            "AssumedSpread",
            f"how drives differ is assumed: lots by {spread.lot_life_cv:.0%}, "
            f"drives of a lot by {spread.drive_life_cv:.0%}",
            "the fit describes the assumption as much as the part",
        ),
        Doubt(
            "NotIndependent",
            f"drives of one lot are alike, and there are {lots} lots; the intervals take all drives as independent",
            "the intervals are too narrow; wear more lots",
        ),
    )
    text = f"{format_bytes(fit.scale_low)} to {format_bytes(fit.scale_high)}"
    details = asdict(fit) | {"life_1_percent": fit.life(0.01), "life_10_percent": fit.life(0.10)}
    return [
        Finding(
            "life_weibull_scale",
            f"63 % of such drives have failed by {format_bytes(fit.scale)} from the host ({text}); {fit.failures} of "
            f"{fit.count} were seen to fail.",
            fit.scale, "bytes", fit.scale_low, fit.scale_high, doubts=doubts, details=details,
        ),
        Finding(
            "life_weibull_shape",
            f"Lives follow a Weibull shape of {fit.shape:.1f} ({fit.shape_low:.1f} to {fit.shape_high:.1f}); 10 % have "
            f"failed by {format_bytes(fit.life(0.10))}.",
            fit.shape, "shape", fit.shape_low, fit.shape_high, doubts=doubts,
        ),
    ]  # fmt: skip


def rows_of(record: Record) -> list[dict[str, Any]]:
    """The drives of a population's record, as plain rows."""
    finding = next((found for found in record.findings if found.key == "functional_failures_at_rating"), None)
    return list(finding.details.get("rows", [])) if finding else []
