"""What an examination found, for a terminal: a line for each experiment, then the verdict. A pipe gets every finding.

queue-depth           Works on 5.1 random reads at once, reached at queue depth 32.
write-buffer          About 32.1 MiB are taken at the speed of the link before the flash ...

27 experiments on OCZ-ONYX, a virtual drive of 32 GB. ... 41 of 48 findings agree.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from flashscope.cli.findings_text import findings_text
from flashscope.cli.terminal_width import fitted_to, terminal_columns
from flashscope.records import Record, Status
from flashscope.reports.charts import charts_of
from flashscope.reports.summary import headline, summarise

_IN_FULL = 3  # experiments, whose findings fit on a screen


def examined_text(records: Sequence[Record]) -> str:
    """The findings, and the verdict where there are many."""
    columns = terminal_columns()
    if columns is None or len(records) <= _IN_FULL:
        found = findings_text(records)
        return found if len(records) <= _IN_FULL else f"{found}\n\n{summarise(records)}"
    width = max(len(record.experiment) for record in records)
    lines = [fitted_to(f"{record.experiment:<{width}}  {_said(record)}", columns) for record in records]
    return "\n".join([*lines, "", *textwrap.wrap(summarise(records), columns)])


def _said(record: Record) -> str:
    """The answer, as the title of its first chart gives it, else in a sentence."""
    if record.status is not Status.DONE:
        return f"{record.status.value}: {record.note or headline(record)}"
    charts = charts_of(record)
    return charts[0].title if charts else headline(record)
