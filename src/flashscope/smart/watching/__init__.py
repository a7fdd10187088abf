"""Watching drives: a series of samples that is never lost, what it means, alerts that clear again, Prometheus.

place (device, file, virtual drive) --take--> Dump --decode--> Reading
    watcher.py --append--> series_store.py      samples, notices (gaps, resets, wraps, replacement), alert changes
    history.py, conditions.py, alerts.py        what holds now, with hysteresis
    exposition.py --> endpoint.py, textfile.py  Prometheus
    hook.py                                     a command of the user's, for every alert raised or cleared
"""
