"""All scenarios, in the order of the published rows, and what can be chosen among them."""

from __future__ import annotations

from flashscope.drives.parts.published_figures import published_figures
from flashscope.errors import WrongUse
from flashscope.reproduce.figures import (
    as_ssd,
    crystal_disk_mark,
    extract_parallel_serial,
    fill_and_recovery,
    hybrid_read_cache,
    laws,
    raid0_scaling,
    read_write_interference,
    sector_emulation_copy,
    small_write_matrix,
    smart_inference,
    smart_rber,
    sustained_sequential_write,
)
from flashscope.reproduce.figures.scenario import Scenario

_ROOMS = (
    smart_rber,
    laws,
    hybrid_read_cache,
    small_write_matrix,
    as_ssd,
    sector_emulation_copy,
    smart_inference,
    fill_and_recovery,
    crystal_disk_mark,
    extract_parallel_serial,
    raid0_scaling,
    read_write_interference,
    sustained_sequential_write,
)


def all_scenarios() -> list[Scenario]:
    """Every scenario; together they contain every published figure exactly once."""
    return [scenario for room in _ROOMS for scenario in room.scenarios()]


def choose(only: tuple[str, ...]) -> list[Scenario]:
    """The scenarios for the named rows: ids ("F072"), drives, or experiments; all scenarios when nothing is named.

    Raises WrongUse with the possible names when a name is none of these.
    """
    scenarios = all_scenarios()
    if not only:
        return scenarios
    figures = [figure for figure in published_figures() if figure.id.startswith("F")]
    wanted: set[str] = set()
    for name in only:
        rows = {figure.id for figure in figures if name in (figure.id, figure.drive, figure.experiment)}
        if not rows:
            drives, experiments = (
                ", ".join(dict.fromkeys(getattr(figure, key) for figure in figures)) for key in ("drive", "experiment")
            )
            raise WrongUse(
                f'no published figure is named "{name}"',
                accepted=f"an id such as F072, a drive ({drives}) or an experiment ({experiments})",
            )
        wanted |= rows
    return [scenario for scenario in scenarios if wanted & set(scenario.ids)]
