"""Hands, which carry out the steps of an experiment: one class for each kind of drive."""
