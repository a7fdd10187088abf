"""The paragraph at the top of a report: the drive, the findings, and how reliable they are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flashscope.records import Finding, Record, Status
from flashscope.reports.agreement import score
from flashscope.reports.jobs.tracks import is_of_jobs
from flashscope.reports.numbers import say

_HEADLINES = ("rate_fall", "mapping_unit_bytes", "erase_count_attribute", "write_amplification_random")
_SENTENCES_MOST = 8


def summarise(records: Sequence[Record]) -> str:
    """Plain sentences: the drive, the answer of each experiment (of many, only the main ones), errors, number of
    doubts, and for a virtual drive how often inferred and true values agree."""
    sentences = [_looked_at(records)]
    found = [finding for record in records for finding in _headlines(record)]
    if len(found) > _SENTENCES_MOST:  # of many experiments only the main findings; the rest is listed below
        found = _once_each([finding for finding in found if finding.key in _HEADLINES])
    sentences += [_first_sentence(finding.statement) for finding in found]
    broken = [record for record in records if record.status is not Status.DONE]
    if broken:
        names = ", ".join(f"{record.experiment} ({record.status})" for record in broken)
        sentences.append(f"Not finished: {names}; the report shows what was measured until then.")
    doubts = len(
        {doubt for record in records for doubt in [*record.doubts, *(d for f in record.findings for d in f.doubts)]}
    )
    if doubts:
        said = "one doubt is" if doubts == 1 else f"{doubts} doubts are"
        sentences.append(
            f"{said.capitalize()} written beside the findings; read {'it' if doubts == 1 else 'them'} first."
        )
    compared = score(records)
    sentences += [f"Compared with what is inside the virtual drive, {compared}"] if compared else []
    return " ".join(sentences)


def headline(record: Record) -> str:
    """The first sentence of the record's main finding, or how it ended."""
    found = _headlines(record)
    return _first_sentence(found[0].statement) if found else record.note or "no finding"


def drive_kind(record: Record) -> str:
    """ "virtual drive", "file" or "block device", as in the record."""
    return record.drive_facts.kind_name or "drive"


def drive_name(record: Record) -> str:
    """The drive's name: its model, or its address when it has none."""
    return record.drive_facts.model.strip() or record.drive


def _looked_at(records: Sequence[Record]) -> str:
    first = records[0]
    user_bytes = first.drive_facts.user_bytes
    size = f" of {say(user_bytes, 'bytes').text}" if user_bytes else ""
    words = ("One", "Two", "Three", "Four", "Five", "Six")
    count = words[len(records) - 1] if len(records) <= len(words) else str(len(records))
    what = "job file" if all(is_of_jobs(record) for record in records) else "experiment"
    count += f" {what}" if len(records) == 1 else f" {what}s"
    return f"{count} on {drive_name(first)}, a {drive_kind(first)}{size}."


def _headlines(record: Record) -> list[Finding]:
    """The findings for the summary; of an experiment that has none of these, the first one."""
    chosen = [finding for finding in record.findings if finding.key in _HEADLINES]
    if is_of_jobs(record):
        return record.findings[:_SENTENCES_MOST]
    answered = [finding for finding in chosen if finding.value is not None]
    return answered or chosen[:1] or record.findings[:1]


def _once_each(findings: Sequence[Finding]) -> list[Finding]:
    """Of several findings of one key only the first that has a value, or the first where none has one."""
    chosen: dict[str, Finding] = {}
    for finding in findings:
        if finding.key not in chosen or (chosen[finding.key].value is None and finding.value is not None):
            chosen[finding.key] = finding
    return list(chosen.values())


def _first_sentence(statement: str) -> str:
    """The statement up to its first full stop; what follows is for the list of findings."""
    first = re.split(r"(?<=[.!?])\s", statement.strip(), maxsplit=1)[0]
    return first if first.endswith((".", "!", "?")) else f"{first}."
