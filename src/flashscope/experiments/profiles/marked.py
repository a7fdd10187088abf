"""From scores to findings: one finding per line of a program's window, with the doubts about it.

    seq_read    210 MB/s   low..high = slowest and fastest of the passes, evidence = the passes

A program prints the best (or the mean) of its passes and hides how far they lie apart; the finding keeps both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from flashscope.experiments.advice import filled_first
from flashscope.experiments.measured import below_a_file_doubts
from flashscope.experiments.profiles.passes import Score
from flashscope.experiments.profiles.test_file import placed_file_bytes
from flashscope.records import Doubt, Finding, Record
from flashscope.runner.effort import Extent, effort_of
from flashscope.units import format_bytes, format_count, format_rate, format_time

_FAR_APART_RATIO = 0.15


def rate_findings(
    scores: Mapping[str, Score], labels: Mapping[str, str], *, doubts: Iterable[Doubt] = (), rule: str = "best"
) -> list[Finding]:
    """One finding per score, in the order of `labels` (metric -> words); value in bytes/s.

    rule: how the program chooses among passes ("best", "mean"), for the sentence.
    """
    common = tuple(doubts)
    return [
        _rate_finding(metric, words, scores[metric], common, rule)
        for metric, words in labels.items()
        if metric in scores
    ]


def _rate_finding(metric: str, words: str, score: Score, doubts: tuple[Doubt, ...], rule: str) -> Finding:
    slowest, fastest = min(score.pass_rates), max(score.pass_rates)
    count = len(score.pass_rates)
    told = f"{words} runs at {format_rate(score.value)}"
    if score.request_bytes and score.request_bytes <= 64 * 1024:
        told += f" ({format_count(score.requests_per_second)} requests/s, {format_time(score.latency_ns)} each)"
    if count > 1:
        told += f", the {rule} of {count} passes"
    own = []
    if count > 1 and slowest < (1 - _FAR_APART_RATIO) * fastest:
        message = (
            f"the passes lie between {format_rate(slowest)} and {format_rate(fastest)}: the score does not show it"
        )
        own.append(Doubt("NotSteady", message, "look at the single passes; a buffer or garbage collection is at work"))
    return Finding(
        metric,
        f"{told}.",
        score.value,
        "bytes/s",
        slowest if count > 1 else None,
        fastest if count > 1 else None,
        evidence=score.evidence,
        doubts=(*doubts, *own),
        details={
            "pass_rates": list(score.pass_rates),
            "latency_ns": score.latency_ns,
            "request_bytes": score.request_bytes,
            "rule": rule,
        },
    )


def doubts_of_run(record: Record, *, wanted_bytes: int = 0) -> list[Doubt]:
    """Doubts that come from the kind of drive, the size of the test file and the extent of the run.

    wanted_bytes: the size that the program's test file has; 0 without one.
    """
    file_bytes = placed_file_bytes(record, wanted_bytes)
    doubts = [] if _wrote(record) else list(doubt_of_empty_places(record))
    doubts += below_a_file_doubts(record.drive_facts, "affect every request, and so does the system's own queue")
    if file_bytes < wanted_bytes:
        why = "the drive is small" if effort_of(record).most_bytes is None else "less was to be written"
        message = f"the test file is {format_bytes(file_bytes)}, not {format_bytes(wanted_bytes)}: {why}"
        doubts.append(Doubt("NotTheWholeFile", message, "compare with runs of the same file size only"))
    if effort_of(record).extent is Extent.QUICK:
        message = "only one short pass of each load was made"
        doubts.append(Doubt("TooFewSamples", message, "run it without --quick"))
    return doubts


def doubt_of_empty_places(record: Record) -> tuple[Doubt, ...]:
    """For a load over the whole drive: flash drives answer reads of empty places without reading their flash."""
    facts = record.drive_facts
    if facts.is_rotational or _is_full_memory(record):
        return ()
    message = "places that were not written since the last erase or TRIM are answered from the map, without the flash"
    return (Doubt("NotFilled", message, filled_first(record)),)


def _is_full_memory(record: Record) -> bool:
    """True for a virtual drive without empty places: memory that cannot be erased, or flash that was read as aged."""
    facts = record.drive_facts
    aged = facts.virtual is not None and facts.virtual.aged is not None
    return facts.in_virtual_time and (not facts.can_secure_erase or (aged and effort_of(record).read_only))


def _wrote(record: Record) -> bool:
    return any(step.workload is not None and step.workload.totals.get("written_bytes", 0) for step in record.steps)
