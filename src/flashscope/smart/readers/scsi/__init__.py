"""SCSI and SAS drives, as smartctl prints them: everything becomes `vendor_logs["scsi"]`.

names.py        the names of the log's fields, and what a row of one of its lists means
text.py         the lines of smartctl's text        json.py   its JSON
controller.py   the volumes of RAID controllers, which look like drives and hide theirs
"""
