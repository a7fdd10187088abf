"""Little's law: requests per second times the time of each are the requests under way, as many as were asked for.

"2909 requests/s, 206 us each", one at a time, leave 40 % of the time without a request: the rate contains a pause, such
as the flush at the end. More than were asked for cannot be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.loads import jobs_of
from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, every, withdrawn
from flashscope.records import Record
from flashscope.units import format_percent

_SAID = re.compile(r"([0-9.]+)( thousand| million)? requests/s, ([0-9.]+) (ns|us|ms|s) each")
_TIMES = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_COUNTS = {None: 1.0, " thousand": 1e3, " million": 1e6}
_MORE = 1.1
_FEWER = 0.75


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        under_way, depth = _under_way(found), _asked_for(found)
        if not under_way or not depth:
            continue
        if under_way > _MORE * depth:
            yield withdrawn(found, f"so many requests of that time would be {under_way:.3g} at once, and {depth} were")
        elif under_way < _FEWER * depth:
            idle = format_percent(1 - under_way / depth)
            yield doubted(found, f"the rate contains {idle} of time without requests, such as the flush at the end")


def _under_way(found: Told) -> float:
    """By the numbers in the sentence; 0 where it has none."""
    said = _SAID.search(found.finding.statement)
    return float(said[1]) * _COUNTS[said[2]] * float(said[3]) * _TIMES[said[4]] if said else 0.0


def _asked_for(found: Told) -> int:
    """By the jobs of the first step that it rests on."""
    steps = found.record.evidence_of(found.finding)
    return sum(int(job.get("queue_depth", 1)) for job in jobs_of(steps[0])) if steps else 0


RULE = Rule(
    "littles-law", "Requests per second times the time of each are the requests that were asked for.", _objections
)
