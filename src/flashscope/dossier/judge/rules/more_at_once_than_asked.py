"""Requests at once: never more than were asked for.

A deepest queue is what the record's jobs asked for; "reached at queue depth 4" in a statement binds the value, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, every_number, withdrawn
from flashscope.records import Record

_MEASURING_MARGIN = 1.02


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every_number(records):
        if found.finding.unit != "requests":
            continue
        if found.high < 1:
            yield withdrawn(found, f"{found.value:.3g} requests at once are less than one")
        elif found.value > (depth := _asked_for(found)) * _MEASURING_MARGIN:
            yield withdrawn(found, f"{found.value:.3g} requests at once cannot be: {depth} were asked for")


def _asked_for(found: Told) -> int:
    reached = re.search(r"reached at queue depth ([0-9]+)", found.finding.statement)
    if reached is not None:
        return int(reached[1])
    jobs = [job for step in found.record.steps for job in step.parameters.get("jobs", ())]
    return max((int(job.get("queue_depth", 1)) for job in jobs), default=1)


RULE = Rule("more-at-once-than-asked", "A drive never works on more requests at once than it was given.", _objections)
