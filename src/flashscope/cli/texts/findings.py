"""Findings in words, for a terminal: the sentence, its doubts, and for a virtual drive what is truly inside."""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.dossier.judge.judge import judge
from flashscope.records import Record, Status
from flashscope.reports.agreement import compare


def findings_text(records: Sequence[Record]) -> str:
    """All findings of some records on one drive, judged together."""
    paragraphs: list[str] = []
    for record in judge(records).records:
        lines = [f"{record.experiment}  ({record.status.value}, record {record.id})"]
        if record.status is not Status.DONE and record.note:
            lines += [f"  {line}" for line in record.note.splitlines()]
        truths = {comparison.key: comparison for comparison in compare(record)}
        for finding in record.findings:
            lines.append(f"  {finding.statement}")
            beside = truths.get(finding.key)
            if beside is not None:
                bounds = f" ({beside.interval})" if beside.interval else ""
                lines.append(
                    f"      inferred {beside.inferred.text}{bounds}, truth {beside.truth.text}: {beside.verdict}"
                )
            for doubt in finding.doubts:
                said = f"      doubt: {doubt.message}{f' ({doubt.advice})' if doubt.advice else ''}"
                if said not in lines:  # findings of one record often share a doubt
                    lines.append(said)
        lines += [f"  note: {doubt.message}" for doubt in record.doubts]
        paragraphs.append("\n".join(lines))
    return "\n\n".join(paragraphs)
