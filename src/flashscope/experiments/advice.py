"""Advice that depends on how far a run went and on what the drive is: nobody is told to do what was done already.

    extent of the run    more is done from "standard" on    more is done with "full" only
    quick                run it without --quick             run it with --full
    standard             run it with --full                 run it with --full
    full                 what the caller says               what the caller says

A virtual drive is built anew for every experiment, so nothing can be done to it beforehand; its address can ask for a
used state.
"""

from __future__ import annotations

from flashscope.records import Record
from flashscope.records.capability import Capability
from flashscope.runner.effort import Extent, effort_of


def extent_of(record: Record) -> Extent:
    """How far the run was asked to go; the usual where an old record does not say."""
    return effort_of(record).extent


def further(record: Record, otherwise: str, *, more: str = "", only_full: bool = False) -> str:
    """What to ask for so that more is measured; otherwise: the advice after a run with --full.

    more: what that run does, as a clause after a comma. only_full: the usual run does no more than the quick one.
    """
    extent = extent_of(record)
    if extent is Extent.FULL:
        return otherwise
    how = "run it without --quick" if extent is Extent.QUICK and not only_full else "run it with --full"
    return f"{how}, {more}" if more else how


def filled_first(record: Record) -> str:
    """How reads meet data instead of places that were never written."""
    facts = record.drive_facts
    if not facts.in_virtual_time:
        return "fill the drive first, then read again"
    if facts.can(Capability.GLASS):
        return "run it with --read-only on a full drive (?aged=full after its address)"
    return "compare it with drives that are empty, too"


def once_more(record: Record) -> str:
    """How a second measurement may differ from this one: a virtual drive repeats itself exactly with the same seed."""
    return f"run it {'with another --seed' if record.drive_facts.in_virtual_time else 'again'} and compare"
