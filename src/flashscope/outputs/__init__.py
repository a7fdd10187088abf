"""Where results may go: every file that flashscope writes for a person goes through this package.

    ResultFile --places.py--> what is there --replacing.py--> allowed? --results.py--> written completely, or not at all
                                                 |
                           kept.py: a store, its journals, a ledger: never
                           forms.py: a file of ours is known by a mark in it; any other needs --force

A new or a regular file is put in place by renaming; a pipe, a terminal, /dev/null and "-" are written directly. A block
device, a directory and a place under /dev, /proc or /sys are refused. SQLite tables: tables.py.
Not done here: the stores themselves (records, smart.watch) and the drives, which are written only through the guard.
"""

from flashscope.outputs.forms import (
    ARCHIVE,
    CSV,
    HTML,
    MARKDOWN,
    METRICS,
    PARQUET,
    PNG,
    RECORDS,
    SQLITE,
    SVG,
    TRACE,
    Form,
)
from flashscope.outputs.places import own_descriptor
from flashscope.outputs.replacing import OWN_FILES, Precious, Replacing, check_file, check_folder
from flashscope.outputs.results import ResultFile, check_files, write_result, write_results
from flashscope.outputs.tables import check_table, write_table

__all__ = [
    "ARCHIVE",
    "CSV",
    "HTML",
    "MARKDOWN",
    "METRICS",
    "OWN_FILES",
    "PARQUET",
    "PNG",
    "RECORDS",
    "SQLITE",
    "SVG",
    "TRACE",
    "Form",
    "Precious",
    "Replacing",
    "ResultFile",
    "check_file",
    "check_files",
    "check_folder",
    "check_table",
    "own_descriptor",
    "write_result",
    "write_results",
    "write_table",
]
