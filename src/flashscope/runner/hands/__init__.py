"""Hands: what carries out the steps of an experiment on a drive of each kind."""
