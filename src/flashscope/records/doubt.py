"""A doubt: a typed warning, kept with the measurement or finding that it concerns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Doubt:
    """A typed warning about a measurement, kept with it. kind: e.g. "NotSteady", "TooFewSamples"."""

    kind: str
    message: str
    advice: str
