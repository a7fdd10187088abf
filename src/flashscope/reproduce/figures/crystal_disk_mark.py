"""CrystalDiskMark of the drives that were compared over file work, and of the RAM disk (F204-F266, F352, F353).

The documents say "1000 MB, one pass, quick-formatted"; the program's steps are in
`experiments/profiles/crystal_disk_mark.py`. A quick format trims a drive that supports TRIM. On the others all flash
has been written before; here they are filled once in order. Their other history is not known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.profiles.crystal_disk_mark import MARKING_3, crystal_disk_mark_3, place_test_file, scores
from flashscope.experiments.streams import MIB, SECOND_NS, sequential_writes, whole_requests
from flashscope.records.drive_facts import DriveFacts
from flashscope.reproduce.figures.addresses import address_of
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, Script, figures_where, ids_of
from flashscope.workloads.steps import Step, Workload

_FILE_BYTES = 1000 * MIB
_RAM_DISK_PASSES = 5  # the program's own number, for a mark that does not state another


def scenarios() -> list[Scenario]:
    """One for each drive."""
    figures = figures_where("crystaldiskmark")
    drives = dict.fromkeys(figure.drive for figure in figures)
    marks = [_scenario(drive, [figure for figure in figures if figure.drive == drive], 1) for drive in drives]
    ram_disk = figures_where("read-write-interference", drive="ramdisk")
    return [*marks, _scenario("ramdisk", ram_disk, _RAM_DISK_PASSES)]


def used_before(facts: DriveFacts) -> list[Step]:
    """A fill in order, for a flash drive without TRIM; no step for others."""
    if facts.can_trim or not facts.raw_bytes:
        return []
    span = whole_requests(facts.user_bytes, MIB)
    job = sequential_writes("fill", request_bytes=MIB, size_bytes=span)
    return [Workload("used before", (job,), SECOND_NS, span, 0)]


def _scenario(drive: str, figures: list[Figure], passes: int) -> Scenario:
    def lay_out(facts: DriveFacts) -> list[Step]:
        marking = replace(MARKING_3, passes=passes)
        return [*used_before(facts), *crystal_disk_mark_3("", place_test_file(facts, _FILE_BYTES), marking)]

    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(address_of(drive), Script(f"{drive}-crystaldiskmark", lay_out))
        found = scores(record)
        return {figure.id: found[figure.metric].value / 1e6 for figure in figures if figure.metric in found}

    return Scenario(f"{drive}: CrystalDiskMark", ids_of(figures), 4.0, measure)
