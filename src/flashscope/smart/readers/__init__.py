"""Readers: from the output of any program, or a raw page, to a `Dump`.

    read.py           finds the form from the content        smartctl_text.py, smartctl_json.py
    path.py           a file                                 nvme_cli.py, ocp.py, intel_log.py, raw_pages.py
    live.py           a drive, through smartctl and nvme     virtual.py, as_smartctl_json.py

Nothing is interpreted here. What looks like data and has no field is kept in `Dump.unread`.
"""
