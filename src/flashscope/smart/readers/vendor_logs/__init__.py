"""The logs of NVMe drives' makers (C0h to FFh), by tables in parts/smart/nvme/: one TOML file for each form of log.

    layouts.py   a table's layout: where each number lies in the raw page, and how programs label it
    values.py    a printed number of any form -> a whole number
    printed.py   text and JSON of nvme-cli: which layout fits the labels best, and its numbers
    raw.py       raw pages: which layout a page without a name can be of

Another form of log is another file in that folder; no code is added. What the numbers mean stands in the same file, and
is read by `decoding/table.py`.
"""
