"""The charts of each experiment: `charts/<experiment name with underscores>.py` has `build(record) -> list[Chart]`.

An experiment without such a file has no chart; everything else in the report still appears. The charts of a
job file are in `reports/jobs/`.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

from flashscope.records import Record
from flashscope.reports.jobs.charts import job_charts
from flashscope.reports.jobs.tracks import is_of_jobs
from flashscope.reports.plotting.chart import Chart

__all__ = ["Chart", "charts_of"]


def charts_of(record: Record) -> list[Chart]:
    """The charts of one record, the most important first; empty when its experiment has none."""
    if is_of_jobs(record):  # its name is that of a file, perhaps also of an experiment
        return job_charts(record)
    name = record.experiment.replace("-", "_")
    # The name comes from a store on disk: only a name of letters, digits and underscores may be a module.
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or find_spec(f"{__name__}.{name}") is None:
        return []
    build = import_module(f"{__name__}.{name}").build
    return list(build(record))
