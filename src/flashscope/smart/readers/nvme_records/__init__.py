"""What NVMe records beside its health log: errors (01h), self-tests (06h), endurance groups (09h), events (0Dh).

    errors.py, self_tests.py, endurance.py, events.py   one log each: what a row of it means
    sections.py                                         nvme-cli's text: which lines belong to which log
    documents.py                                        JSON of nvme-cli and smartctl
    raw.py                                              raw pages, where the number of the log is known

All become `vendor_logs["nvme_records"]`. Of lists only counts are kept. Values in them are of the past: a
health log inside an event is never the drive's health now.
"""
