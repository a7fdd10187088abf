"""From what `sweep` was asked to its points, each seen to make sense before any is run."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.drives.addresses.address import Address
from flashscope.drives.open import assemble, parts_of
from flashscope.drives.parts.part import Part
from flashscope.endurance.conditions import conditions_of
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import why_left_out
from flashscope.sweeps.grid import Grid
from flashscope.sweeps.point import ENDURE, Point


@dataclass(frozen=True)
class Asked:
    """The options that decide what is run; those after `effort` belong to ENDURE."""

    what: str
    effort: Effort
    until: str | None = None
    workload: str | None = None
    static_percent: int | None = None


def make_points(grid: Grid, asked: Asked) -> list[Point]:
    """The points of the grid. Raises WrongUse when the drives cannot take what was asked.

    Every part is checked with its keys. Whether a drive can take the experiment is checked for the first value of each
    key. What only the core refuses comes back from the workers as failed points.
    """
    if asked.what == ENDURE:
        if asked.effort != STANDARD:
            raise WrongUse("endure takes no --quick, --full or --read-only", accepted="--until WHEN")
        return grid.points(lambda address, parts: _endurance(address, parts, asked))
    given = [name for name in ("until", "workload", "static_percent") if getattr(asked, name) is not None]
    if given:
        raise WrongUse(f"--{given[0].removesuffix('_percent')} is for endure", advice="leave it out")
    experiment = catalogue.find(asked.what)
    first = {axis.key: axis.values[0] for axis in grid.axes}
    for address in grid.addresses:
        configured = Address(address.scheme, address.target, {**address.options, **first}, address.modifiers)
        facts = assemble(configured, parts_of(configured)).facts
        why = why_left_out(experiment, facts, asked.effort)
        if why:
            raise WrongUse(
                f"{address} cannot take {asked.what}{' read-only' * asked.effort.read_only}: {why}",
                accepted=", ".join(one.name for one in catalogue.all_experiments() if one.steps(facts, asked.effort)),
                advice="take another drive, or another experiment",
            )
    return grid.points(lambda address, parts: Point(asked.what, address, parts, asked.effort))


def _endurance(address: Address, parts: tuple[Part, ...], asked: Asked) -> Point:
    if address.scheme == "stripe" or address.modifiers or parts[0].kind != "ssd":
        raise WrongUse(f"{address} does not wear out", accepted="a solid-state drive alone, such as sim:onyx-32")
    if address.aged_state is not None:
        raise WrongUse(f"{address} is an aged drive", accepted="a new drive", advice="leave aged= out")
    rated = int(str(parts[0].values["timing.rated_pe_cycles"].value))
    static_ratio = (asked.static_percent or 0) / 100
    conditions = conditions_of(
        str(address), rated, asked.until or "death", asked.workload or "sequential", static_ratio
    )
    return Point(ENDURE, address, parts, conditions=conditions)
