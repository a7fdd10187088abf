"""One to six JMF602 drives side by side: CrystalDiskMark and HD Tune (F270-F337).

"HD Tune Pro 64 MB" and "4 MB" name the block size of the curve; the table has its average. The drives were used before
and have no TRIM; each array is new, of drives that were filled once in order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from flashscope.drives.parts.published_figures import Figure
from flashscope.experiments.profiles.crystal_disk_mark import MARKING_3, crystal_disk_mark_3, place_test_file, scores
from flashscope.experiments.profiles.hd_tune import curve, hd_tune
from flashscope.experiments.streams import MIB
from flashscope.records.drive_facts import DriveFacts
from flashscope.reproduce.figures.addresses import stripe_of
from flashscope.reproduce.figures.crystal_disk_mark import used_before
from flashscope.reproduce.figures.scenario import Laboratory, Scenario, Script, figures_where, ids_of
from flashscope.workloads.steps import Step

_FILE_BYTES = 1000 * MIB
_PASSES = 5
_COUNT = re.compile(r"(?P<count>\d+) drive")
_BLOCK = re.compile(r"HD Tune Pro (?P<size>\d+) MB")
_POINTS = 16
_DIRECTIONS: tuple[Literal["read"], Literal["write"]] = ("read", "write")


def member_count(figure: Figure) -> int:
    """How many drives the condition of a row names."""
    found = _COUNT.match(figure.condition)
    assert found, figure.condition
    return int(found["count"])


def scenarios() -> list[Scenario]:
    """One for each number of drives."""
    figures = figures_where("raid0-scaling")
    counts = sorted({member_count(figure) for figure in figures})
    return [_scenario(count, [figure for figure in figures if member_count(figure) == count]) for count in counts]


def _scenario(count: int, figures: list[Figure]) -> Scenario:
    part = figures[0].drive
    blocks = sorted({block for figure in figures if (block := _block_bytes(figure))})

    def lay_out(facts: DriveFacts) -> list[Step]:
        marking = replace(MARKING_3, passes=_PASSES)
        steps = [*used_before(facts), *crystal_disk_mark_3("", place_test_file(facts, _FILE_BYTES), marking)]
        for block in blocks:
            for direction in _DIRECTIONS:
                condition = f"HD Tune {direction} {block}"
                steps += hd_tune(condition, facts, direction=direction, block_bytes=block, point_count=_POINTS)
        return steps

    def measure(laboratory: Laboratory) -> Mapping[str, float]:
        record = laboratory.run(stripe_of(part, count), Script(f"{part}-raid0-{count}", lay_out))
        mark = scores(record)
        values = {}
        for figure in figures:
            block = _block_bytes(figure)
            if block:
                direction = _DIRECTIONS[figure.metric == "seq_write"]
                drawn = curve(record, f"HD Tune {direction} {block}", direction)
                if drawn is not None:
                    values[figure.id] = drawn.average / 1e6
            elif figure.metric in mark:
                values[figure.id] = mark[figure.metric].value / 1e6
        return values

    return Scenario(f"{part}: {count} in RAID 0", ids_of(figures), 3.0 * count, measure)


def _block_bytes(figure: Figure) -> int:
    """HD Tune's block size of a row [bytes]; 0 for a row of another program."""
    found = _BLOCK.search(figure.condition)
    return int(found["size"]) * MIB if found else 0
