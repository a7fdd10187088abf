"""Evidence that a counter counts bytes: host bytes, compared with a known amount, or bytes programmed in flash."""

from __future__ import annotations

import math

from flashscope.smart.learning.axes import Axis
from flashscope.smart.learning.conventions import is_usual_place, place_evidence
from flashscope.smart.learning.counters import Counter, misfit_ratio
from flashscope.smart.learning.evidence import Case, Evidence
from flashscope.smart.learning.likelihood import above_chance, mixture, normal
from flashscope.smart.learning.movement import Drivers, movement
from flashscope.smart.learning.units import Unit, log_weight

_AMPLIFICATIONS = ((0.75, math.log(1.5), 0.5), (0.15, math.log(2.0), 1.1), (0.1, math.log(0.4), 0.4))
"""Flash bytes per host byte: half of all drives lie between 1.05 and 2.2, a few between 0.3 and 20. A counter that does
not count the cache of single-level cells, or a drive that compresses, shows less than one."""
_DRIFT = 0.006
"""Two counters of the same bytes may be updated at different moments [ratio]."""


def host_bytes_case(counter: Counter, unit: Unit, axis: Axis, key: str) -> Case:
    """Whether a counter shows the bytes of a known axis in a unit. key: host_written_bytes or host_read_bytes."""
    parts = [Evidence(log_weight(unit), ""), _place(key, counter)]
    verb = "written" if key == "host_written_bytes" else "read"
    if counter.growth > 0 and axis.growth > 0:
        ratio = counter.growth * unit.size_bytes / axis.growth
        sigma = math.hypot(_DRIFT + axis.surplus_ratio / 2, 0.7 / counter.growth + 0.7 * unit.size_bytes / axis.growth)
        match = above_chance(normal(math.log(ratio), axis.surplus_ratio / 2, sigma))
        words = f"{counter.growth} counts of {unit.name} are {ratio:.3f} times what was {verb} ({axis.origin})"
        parts.append(Evidence(max(match, -12.0), words))
        if len(counter.steps) > 1:
            misfit = misfit_ratio(counter.steps, axis.steps)
            told = min(4.0, 0.6 * sum(step > 0 for step in counter.steps))
            if misfit < 0.02:
                parts.append(Evidence(told, f"and so in each of {len(counter.steps)} intervals"))
            else:
                parts.append(Evidence(-min(8.0, 12 * misfit), f"but {misfit:.0%} of its growth is at other times"))
    if axis.lifetime and counter.values[-1] > 0 and axis.written_bytes[-1] > 0:
        whole = counter.values[-1] * unit.size_bytes / axis.written_bytes[-1]
        sigma = math.hypot(0.008, 0.7 / counter.values[-1] + 0.7 * unit.size_bytes / axis.written_bytes[-1])
        match = above_chance(normal(math.log(whole), 0.0, sigma))
        words = f"in all it shows {whole:.3f} times the {axis.origin}"
        parts.append(Evidence(max(match, -6.0 if counter.growth else -12.0), words))
    return Case(tuple(parts))


def flash_bytes_case(counter: Counter, unit: Unit, axis: Axis, drivers: Drivers) -> Case:
    """Whether a counter shows the bytes programmed in flash, in a unit, given what the host wrote."""
    key = "nand_written_bytes"
    parts = [Evidence(log_weight(unit), ""), _place(key, counter)]
    if counter.growth >= 3 and axis.growth > 0:
        ratio = counter.growth * unit.size_bytes / axis.growth
        fit = above_chance(mixture(math.log(ratio), _AMPLIFICATIONS))
        parts.append(Evidence(max(fit, -8.0), f"in {unit.name} it would be a write amplification of {ratio:.3g}"))
        parts += movement(counter, axis, drivers)
        if axis.lifetime and counter.values[-1] > 0 and axis.written_bytes[-1] > 0:
            whole = counter.values[-1] * unit.size_bytes / axis.written_bytes[-1]
            likeness = normal(math.log(whole / ratio), 0, 0.4) - normal(math.log(whole / ratio), 0, 2.0)
            parts.append(Evidence(max(likeness, -3.0), f"over the drive's life {whole:.3g}"))
    if axis.unit is not None and axis.unit == unit:
        parts.append(Evidence(1.5, "in the unit of the host's counter"))
    if not counter.growth and axis.lifetime and counter.values[-1] > 0 and axis.written_bytes[-1] > 0:
        whole = counter.values[-1] * unit.size_bytes / axis.written_bytes[-1]
        fit = above_chance(mixture(math.log(whole), _AMPLIFICATIONS))
        parts.append(Evidence(max(fit, -4.0), f"over the drive's life {whole:.3g} times the host's bytes"))
    return Case(tuple(parts))


def _place(key: str, counter: Counter) -> Evidence:
    words = "kept where several makers keep it" if is_usual_place(key, counter.id) else "kept at an unusual place"
    return Evidence(place_evidence(key, counter.id), words)
