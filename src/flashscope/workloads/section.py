"""One section of a job file: what was written, before anybody asks what it comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Section:
    """One job as written: what [global] said before it, overlaid with its own lines.

    options: name -> value. lines: name -> the line it stands on, for messages.
    """

    name: str
    line: int
    options: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
