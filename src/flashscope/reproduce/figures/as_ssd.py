"""AS SSD on the C300: the time of a 512 B write, and the rate of 4 KiB writes (F040, F041)."""

from __future__ import annotations

from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.profiles import as_ssd
from flashscope.experiments.profiles.passes import best_of
from flashscope.experiments.profiles.test_file import place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, Script, figures_where, ids_of

_LIMIT_NS = 30 * SECOND_NS
_ACCESS_NS = 10 * SECOND_NS


def scenarios() -> list[Scenario]:
    """One run for both."""
    figures = figures_where("as-ssd")
    drive = figures[0].drive
    return [Scenario(f"{drive}: AS SSD", ids_of(figures), 3.0, lambda lab: _measure(drive, figures, lab))]


def _measure(drive: str, figures: list[Figure], laboratory: Laboratory) -> Mapping[str, float]:
    script = Script(
        f"{drive}-as-ssd",
        lambda facts: as_ssd.as_ssd(
            "",
            place_test_file(facts, as_ssd.FILE_BYTES),
            facts,
            at_most_ns=_LIMIT_NS,
            access_time_ns=_ACCESS_NS,
            reads_only=False,
        ),
    )
    record = laboratory.run(f"sim:{drive}", script)
    write, *_ = as_ssd.access_loads(record.drive_facts.sector_bytes)
    access = best_of(record, "", write)
    values = {
        "latency": None if access is None else access.latency_ns / 1e6,
        "throughput": as_ssd.scores(record)["rand_write_4k"].value / 1e6,
    }
    return {figure.id: value for figure in figures if (value := values[figure.metric]) is not None}
