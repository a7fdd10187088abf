"""A file copied within a drive, and from and to a RAM disk: times and the delay ratio (F274-F351).

The file is the document's, 4,194,304 KiB. Two passes, as there; the ratio is that of both together.
The host of this document (2008 to 2009) is Windows XP: copies within a disk take as long as in pieces of 64 KiB, and an
array that reads 592 MB/s in large requests was read at 100 MB/s through files. XP begins its partitions at sector 63,
so all addresses here begin there. The drives had been used before and have no TRIM: each is filled once in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.copy_within_drive import SOURCE_BYTES, CopyWithinDrive
from flashscope.records.drive_facts import DriveFacts
from flashscope.reproduce.figures.addresses import stripe_of
from flashscope.reproduce.figures.crystal_disk_mark import used_before
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, figures_where, ids_of
from flashscope.runner.effort import STANDARD, Effort
from flashscope.workloads.file_work import HostName
from flashscope.workloads.steps import SecureErase, Step

_HOST: HostName = "windows-xp"
_PARTITION = "@offset=63s"
_MEMBERS = re.compile(r"(?P<count>\d+) drive\(s\)")
_PASS = re.compile(r"pass (?P<number>\d)")
_TIMES = {"copy_within_drive": "copy_s", "write_from_ramdisk": "write_s", "read_to_ramdisk": "read_s"}


class _OnAUsedDrive(CopyWithinDrive):
    """The same on a drive that was used before, instead of on an erased one."""

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """A fill in order in place of the secure erase."""
        steps = super().steps(facts, effort)
        return [*used_before(facts), *(step for step in steps if not isinstance(step, SecureErase))]


def scenarios() -> list[Scenario]:
    """One for each drive and number of drives; the RAM disk itself is among the marks."""
    figures = [figure for figure in figures_where("read-write-interference") if figure.drive != "ramdisk"]
    places = dict.fromkeys((figure.drive, _count(figure)) for figure in figures)
    return [
        _scenario(part, count, [figure for figure in figures if (figure.drive, _count(figure)) == (part, count)])
        for part, count in places
    ]


def _count(figure: Figure) -> int:
    found = _MEMBERS.match(figure.condition)
    return int(found["count"]) if found else 1


def _scenario(part: str, count: int, figures: list[Figure]) -> Scenario:
    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(f"{stripe_of(part, count)}{_PARTITION}", _OnAUsedDrive(SOURCE_BYTES, host=_HOST))
        (ratio,) = record.findings
        passes = ratio.details.get("passes", [])
        values = {}
        for figure in figures:
            found = _PASS.search(figure.condition)
            if figure.metric == "delay_ratio":
                if isinstance(ratio.value, float):
                    values[figure.id] = ratio.value
            elif found and int(found["number"]) <= len(passes):
                values[figure.id] = passes[int(found["number"]) - 1][_TIMES[figure.metric]]
        return values

    return Scenario(f"{part}: copies on {count}", ids_of(figures), 4.0, measure)
