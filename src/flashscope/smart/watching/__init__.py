"""Watching drives: a series of samples that is never lost, its meaning, alerts that clear again, Prometheus.

place (device, file, virtual drive) --take--> Dump --decode--> Reading
    watcher.py --append--> series_store.py      samples, notices (gaps, resets, wraps, replacement), alert changes
    history.py, conditions.py, alerts.py        what holds now, with hysteresis
    exposition.py --> endpoint.py, textfile.py  Prometheus
    hook.py                                     the user's command, for every alert raised or cleared
"""
