"""Findings that follow from several experiments, each with its assumptions in the header of its file."""
