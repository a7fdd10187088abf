"""Endurance: wear a drive out, keep every record, report what a small sample can show.

goal.py, load.py     when to stop, and the load
life.py              one virtual drive, from new to its end, with checkpoints          (core: `Wear`)
retention.py         how much of its data is lost without power afterwards
virtual_run.py       the same as a run with a record in the store
findings.py          findings of the record: rating reached and failed are distinguished
variation.py         drives that differ, within lots and between them
population.py        many of them, Weibull, acceptance
real/                real drives: stamped blocks, verification, a journal, resume after a kill
"""
