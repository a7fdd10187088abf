"""Job files in fio's language: sections, [global], comments; every line is either understood or refused.

    text --lines--> sections with options (section.py) --job_builder.py--> Job, Job, ...

Nothing is ignored silently: an unknown option, a value out of range or a variable is an error with file, line and the
most similar option that is supported.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from flashscope.errors import WrongUse
from flashscope.workloads.job import Job
from flashscope.workloads.job_builder import build_jobs
from flashscope.workloads.options import BY_NAME, REFUSED
from flashscope.workloads.section import Section

_COMMENT = re.compile("[#;]")  # fio ends a line at either of them, at any position
_PAGE = "docs/reference/job-language.md lists all options"


def parse_job_file(text: str, *, source: str, drive_bytes: int) -> list[Job]:
    """The jobs of a file, copies (numjobs) included, in the order written.

    source: how messages call the file. drive_bytes: capacity of the drive, for percentages and limits.
    Raises WrongUse with source and line at the first thing that is not understood.
    """
    sections = _sections(text, source)
    if not sections:
        raise WrongUse(
            f"{source} has no job",
            accepted="at least one section such as [randwrite] with rw=randwrite",
            advice=_PAGE,
        )
    return build_jobs(sections, source=source, drive_bytes=drive_bytes)


def _sections(text: str, source: str) -> list[Section]:
    shared = Section("global", 0)
    current: Section | None = None
    sections: list[Section] = []
    for number, raw_line in enumerate(text.splitlines(), start=1):
        line = _COMMENT.split(raw_line, maxsplit=1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            current = _open(line, number, source, shared)
            if current is not shared:
                sections.append(current)
            continue
        if current is None:
            raise WrongUse(f"{source}:{number}: `{line}` stands before the first section", accepted="[global] or [job]")
        name, parsed = _option(line, number, source)
        current.options[name] = parsed
        current.lines[name] = number
    return sections


def _open(line: str, number: int, source: str, shared: Section) -> Section:
    name = line[1:-1].strip()
    if not line.endswith("]") or not name:
        raise WrongUse(f"{source}:{number}: `{line}` is not a section", accepted="a name in brackets, such as [job1]")
    if name == "global":
        return shared
    return Section(name, number, dict(shared.options), dict(shared.lines))


def _option(line: str, number: int, source: str) -> tuple[str, Any]:
    written, _, text = line.partition("=")
    written = written.strip()
    if "$" in line:
        raise WrongUse(
            f"{source}:{number}: `{line}` uses a variable",
            accepted="plain values",
            advice="write the value itself, since the record keeps the file as it is",
        )
    if written in REFUSED:
        raise WrongUse(f"{source}:{number}: option `{written}` is not supported: {REFUSED[written]}", advice=_PAGE)
    option = BY_NAME.get(written)
    if option is None:
        near = get_close_matches(written, BY_NAME, n=1, cutoff=0.0)
        raise WrongUse(
            f"{source}:{number}: option `{written}` is not supported",
            accepted=f"the nearest supported option is `{near[0]}`: {BY_NAME[near[0]].meaning}",
            advice=_PAGE,
        )
    try:
        parsed = option.parse(text.strip())
        # The later of the two counts, so they are kept under one name.
        return ("rwmixread", 100 - parsed) if option.name == "rwmixwrite" else (option.name, parsed)
    except ValueError as wrong:
        raise WrongUse(
            f"{source}:{number}: {option.name} is {text.strip()!r}", accepted=str(wrong), advice=_PAGE
        ) from None
