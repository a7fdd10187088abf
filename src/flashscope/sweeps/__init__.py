"""Sweeps: the same run over parts, parameters and seeds, on the workers of a Dask cluster.

point.py        one run, resolved, with an identity to find it again
grid.py         from options to points
work.py         what a worker does: a task of plain data in, an answer out; it opens no store
exchange.py     what passes between client and workers, by any transport
cluster.py      a cluster on this machine, or an existing one                       (the only file that uses Dask)
collect.py      hands out tasks, takes answers, survives dead workers
sweep.py        computes missing points, keeps each answer at once
population.py   the lives of many drives, the same way
outcome.py      rows of a finished sweep: varied values and findings
"""
