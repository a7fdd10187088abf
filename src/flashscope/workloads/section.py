"""One section of a job file: the options as written, not yet interpreted."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Section:
    """One job as written: the options of [global] before it, overridden by its own lines.

    options: name -> value. lines: name -> line number, for messages.
    """

    name: str
    line: int
    options: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
