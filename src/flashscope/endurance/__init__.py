"""Endurance: wear a drive out, keep every record, say what a small sample can say.

goal.py, load.py     until when, and with what
life.py              one virtual drive, from new to its end, with checkpoints          (core: `Wear`)
retention.py         what is lost of its data off power afterwards
virtual_run.py       the same as a run with a record in the store
findings.py          what the record says: rating reached and failed are told apart
variation.py         drives that differ, within lots and between them
population.py        many of them, Weibull, acceptance
real/                real drives: stamped blocks, verification, a journal, resume after a kill
"""
