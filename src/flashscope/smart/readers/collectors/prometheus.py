"""Prometheus' text format 0.0.4, and what OpenMetrics adds to it, as samples.

name{label="value",...} number [time in ms]
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_SAMPLE = re.compile(r"([a-zA-Z_:][\w:]*)(?:\{(.*)\})?[ \t]+(\S+)(?:[ \t]+(-?\d+(?:\.\d+)?))?[ \t]*")
_LABEL = re.compile(r'\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*(?:,|$)')
_ESCAPES = {"\\n": "\n", '\\"': '"', "\\\\": "\\"}
_ESCAPE = re.compile(r"\\[n\"\\]")


@dataclass(frozen=True)
class MetricSample:
    """One line. value: None for NaN, infinities, and what is no number. stamp: the time behind it; None without one."""

    name: str
    labels: dict[str, str]
    value: float | None
    stamp: float | None = None


def sample_of(line: str) -> MetricSample | None:
    """The sample in a line; None when it is a comment, empty, or not whole."""
    match = _SAMPLE.fullmatch(line.strip())
    if match is None or line.lstrip().startswith("#"):
        return None
    labels, position, inside = {}, 0, match[2] or ""
    while inside[position:].strip():
        label = _LABEL.match(inside, position)
        if label is None:
            return None
        labels[label[1]] = _ESCAPE.sub(lambda one: _ESCAPES[one[0]], label[2])
        position = label.end()
    try:
        value = float(match[3])
    except ValueError:
        return None
    return MetricSample(
        match[1], labels, value if math.isfinite(value) else None, float(match[4]) if match[4] else None
    )
