"""What a finding can say at all, by the judge's rules: an experiment should say nothing that they withdraw."""

from __future__ import annotations

from flashscope.dossier.judge.judge import judge
from flashscope.dossier.judge.objection import Ruling
from flashscope.dossier.judge.rules import (
    above_the_link,
    larger_than_the_drive,
    more_at_once_than_asked,
    possible_numbers,
    scaling,
    states_that_were_made,
    write_amplification,
)
from flashscope.records import Record

BOUNDS = (
    states_that_were_made.RULE,
    possible_numbers.RULE,
    write_amplification.RULE,
    larger_than_the_drive.RULE,
    more_at_once_than_asked.RULE,
    scaling.RULE,
    above_the_link.RULE,
)
"""The rules about what cannot be at all."""


def impossible(record: Record) -> list[str]:
    """Each finding of the record that says what cannot be, with the reason."""
    said = judge([record], BOUNDS).objections
    return [f"{record.experiment} {each.key}: {each.reason}" for each in said if each.ruling is Ruling.WITHDRAWN]
