"""Virtual drives whose inside is chosen by a test, and experiments run on them as a person would run them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from flashscope.drives.parts.part import Part, PartValue, load_part
from flashscope.drives.parts.part_file import Scalar
from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.records import Record
from flashscope.runner.asked import Asked
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store

# A small drive of 512 MB with four banks: cheap to fill, everything in it is a few blocks.
SMALL = {
    "geometry.blocks_per_plane": 260,
    "geometry.pages_per_block": 64,
    "geometry.dies_per_package": 1,
    "geometry.packages_per_channel": 2,
    "capacity.user_size": 500_000_000 // 4096 * 4096,
    "capacity.initial_bad_block_count": 0,
    "capacity.reserved_block_count": 0,
    "endurance.spare_block_count": 1,
}


def planted(
    part: str = "onyx-32",
    values: Mapping[str, Scalar] | None = None,
    *,
    seed: int = 1,
    without: tuple[str, ...] = (),
    **more: Scalar,
) -> SimulatedDrive:
    """The drive of a shipped part with other values: planted(buffer__size=1 << 20); `without` removes sections.

    values: the same by their dotted names: {"buffer.size": 1 << 20}.
    """
    base = load_part(part)
    kept = {key: value for key, value in base.values.items() if key.split(".")[0] not in without}
    others = {name.replace("__", "."): value for name, value in more.items()}
    for key, value in {**(values or {}), **others}.items():
        kept[key] = PartValue(value, str(value), "assumed", "planted by a test", (), "test")
    return SimulatedDrive(Part(base.name, kept, base.kind, base.title), seed=seed, address=f"sim:{part}")


def run(experiment: Experiment, drive: SimulatedDrive, effort: Effort = STANDARD, *, seed: int = 1) -> Record:
    """The record of an experiment on a drive."""
    with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "store.sqlite") as store:
        return run_experiment(
            experiment, drive, Asked(seed=seed, command="test", effort=effort), store=store, progress=Silent()
        )
