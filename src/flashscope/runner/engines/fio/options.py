"""Options that an older fio lacks (found with `fio --cmdhelp`), and what a step does instead.

    job text --without_missing--> the same text without the lines this fio does not know, and a doubt for each

Only options that a job can do without are here; when fio refuses any other, the run ends before a byte is written.
"""

from __future__ import annotations

import subprocess
from functools import cache

from flashscope.records import Doubt
from flashscope.runner.engines.fio.process import find_fio

INSTEAD = {
    "allow_file_create": "if the file is deleted during the step, fio makes it again",
    "blockalign": "random requests start at multiples of their size instead of on the grid that was asked for",
    "buffer_compress_percentage": "the data cannot be compressed at all, whatever share was asked for",
    "dedupe_percentage": "no block repeats another, whatever share was asked for",
    "log_hist_msec": "no latencies over time are kept",
    "rate_process": "requests under rate_iops come at equal intervals instead of at random",
    "thinktime_blocks": "there is a pause after each request instead of after several",
    "write_hist_log": "no latencies over time are kept",
    "write_iops_log": "the series counts requests evenly over the step instead of by interval",
}
"""What a step does when fio lacks the option."""


def without_missing(job_text: str) -> tuple[str, tuple[Doubt, ...]]:
    """The text of a job file without what this fio lacks, and a doubt for each option left out."""
    missing = {name for name in INSTEAD if _uses(job_text, name) and not has_option(name)}
    lines = [line for line in job_text.splitlines() if line.partition("=")[0].strip() not in missing]
    doubts = tuple(
        Doubt(
            "FioTooOld",
            f"this fio has no option {name}, so {INSTEAD[name]}",
            "install a newer fio (3.16 or later has all that is used here)",
        )
        for name in sorted(missing)
    )
    return "\n".join(lines) + "\n", doubts


def has_option(name: str) -> bool:
    """True when the fio that would be used knows the option."""
    return name in _options_of(find_fio()) or _has_option(find_fio(), name)


@cache
def _options_of(fio: str) -> frozenset[str]:
    """The names of all options, but not their other names: one start of fio tells them, in lines "name : meaning"."""
    done = subprocess.run([fio, "--cmdhelp=all"], capture_output=True, text=True, timeout=30, check=False)
    return frozenset(line.partition(":")[0].strip() for line in done.stdout.splitlines() if ":" in line)


@cache
def _has_option(fio: str, name: str) -> bool:
    done = subprocess.run([fio, f"--cmdhelp={name}"], capture_output=True, text=True, timeout=30, check=False)
    said = done.stdout + done.stderr
    return done.returncode == 0 and "No such command" not in said and "unrecognized" not in said


def _uses(job_text: str, name: str) -> bool:
    return any(line.partition("=")[0].strip() == name for line in job_text.splitlines())
