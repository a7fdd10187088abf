"""Erases and flash bytes check each other: the bytes programmed per erase of the whole drive are the size of its flash.

bytes programmed / (erases * user's bytes)  =  flash / user's bytes, 1.0 to 1.35 in most drives
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flashscope.smart.learning.erases import KEY, TOTAL_KEY, name_of
from flashscope.smart.learning.evidence import Evidence
from flashscope.smart.learning.likelihood import normal
from flashscope.smart.learning.meanings import Meaning

_FLASH_PER_USER = (math.log(1.12), 0.12)
_WORTH_COMPARING = 0.02


def agree_on_flash(found: Sequence[Meaning], user_bytes: int | None) -> list[tuple[Meaning, Evidence]]:
    """The evidence that each average erase count and each count of flash bytes gives for or against the other."""
    if not user_bytes:
        return []
    erases = [one for one in found if one.key == KEY and one.belief > _WORTH_COMPARING and one.counter.growth >= 3]
    programs = [one for one in found if one.key == "nand_written_bytes" and one.belief > _WORTH_COMPARING and one.unit]
    told: dict[int, tuple[Meaning, Evidence]] = {}
    for count in erases:
        for bytes_ in programs:
            if bytes_.counter.values == count.counter.values or bytes_.unit is None:
                continue
            flash = bytes_.counter.growth * bytes_.unit.size_bytes / count.counter.growth
            ratio = math.log(flash / user_bytes)
            fit = normal(ratio, *_FLASH_PER_USER) - normal(ratio, _FLASH_PER_USER[0], 1.0)
            for one, other in ((count, bytes_), (bytes_, count)):
                weight = max(-3.0, min(fit, 2.0)) * other.belief
                words = (
                    f"against {name_of(other.counter)} it makes the flash {flash / user_bytes:.3g} times the capacity"
                )
                if id(one) not in told or weight > told[id(one)][1].weight:
                    told[id(one)] = (one, Evidence(weight, words))
    for one, more in _agree_on_blocks(found):
        told.setdefault(id(one), (one, more))
    return list(told.values())


def _agree_on_blocks(found: Sequence[Meaning]) -> list[tuple[Meaning, Evidence]]:
    """Flash bytes over the sum of erases is constant over the life and between the readings: the size of a block."""
    totals = [one for one in found if one.key == TOTAL_KEY and one.belief > _WORTH_COMPARING]
    programs = [one for one in found if one.key == "nand_written_bytes" and one.belief > 0.2]
    told = []
    for total in totals:
        for bytes_ in programs:
            if bytes_.counter.values == total.counter.values:
                continue
            by_growth = bytes_.counter.growth / total.counter.growth
            apart = math.log(bytes_.counter.values[-1] / total.counter.values[-1] / by_growth)
            weight = min(normal(apart, 0, 0.1) - normal(apart, 0, 1.5), 1.5)
            for one, other in ((total, bytes_), (bytes_, total)):
                words = f"keeps its ratio to {name_of(other.counter)}, {by_growth:.3g}, over the drive's life as well"
                told.append((one, Evidence(max(weight, -1.0), words)))
    return told
