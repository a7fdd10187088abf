"""Sweeps: the same run over parts, parameters and seeds, on the workers of a Dask cluster.

point.py        one run, resolved, with an identity by which it is found again
grid.py         from options to points
work.py         what a worker does: a task of plain data in, an answer out; it opens no store
exchange.py     what passes between client and workers, whoever carries it
cluster.py      a cluster on this machine, or an existing one                       (the only place that knows Dask)
collect.py      hands tasks out, takes answers in, bears workers that die
sweep.py        what is missing is computed, what comes is kept at once
population.py   the lives of many drives, the same way
outcome.py      rows of a finished sweep: what was varied, what was found
"""
