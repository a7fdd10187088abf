"""AS SSD Benchmark: six rates, two access times, a score in points. DESTRUCTIVE.

    secure erase -> Seq -> 4K -> 4K-64Thrd -> Acc.time        --full: and the compression benchmark

Loads, order and formulas: `profiles/as_ssd.py`. A load ends after 2 s (--quick), 10 s, or 60 s (--full), where the
program goes through its whole gigabyte. With --quick a read begins 5 s after the write before it, so that it does not
wait most of its 2 s for merges of the write. --read-only: the reads of existing data; no score.
"""

from __future__ import annotations

from flashscope.experiments.advice import further
from flashscope.experiments.profiles import as_ssd
from flashscope.experiments.profiles.marked import doubt_of_empty_places, doubts_of_run, rate_findings
from flashscope.experiments.profiles.passes import PASS, best_of
from flashscope.experiments.profiles.test_file import place_test_file, placed_file_bytes
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes_binary, format_percent, format_time
from flashscope.workloads.steps import SecureErase, Step

_LABELS = {
    "seq_read": "Seq read",
    "seq_write": "Seq write",
    "rand_read_4k": "4K read",
    "rand_write_4k": "4K write",
    "rand_read_4k_64_threads": "4K-64Thrd read",
    "rand_write_4k_64_threads": "4K-64Thrd write",
}
_COMPRESSION = "compression"
_QUICK_REST_NS = 5 * SECOND_NS


class AsSsd:
    """What AS SSD's window would show."""

    name = "as-ssd"
    title = "AS SSD Benchmark"
    question = "What would AS SSD print for this drive, and how many points would it give?"
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset()  # others measure the same
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Secure erase where possible, then the program's loads in its order."""
        erase = facts.can_secure_erase and not effort.read_only
        steps: list[Step] = [SecureErase("secure erase")] if erase else []
        file = place_test_file(facts, as_ssd.FILE_BYTES, effort=effort)
        steps += as_ssd.as_ssd(
            "",
            file,
            facts,
            at_most_ns=effort.choose(2, 10, 60) * SECOND_NS,
            access_time_ns=effort.choose(1, 2, 5) * SECOND_NS,
            reads_only=effort.read_only,
            rest_ns=effort.choose(_QUICK_REST_NS, 0, 0),
        )
        if effort.extent is Extent.FULL and not effort.read_only:
            steps += as_ssd.compression_benchmark(_COMPRESSION, file)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """The rates in bytes/s, access times in ns, score_read, score_write, score_total in points."""
        scores = as_ssd.scores(record)
        wanted = as_ssd.FILE_BYTES
        file_bytes = placed_file_bytes(record, wanted)
        doubts = doubts_of_run(record, wanted_bytes=wanted) + _cut_short(record, file_bytes)
        findings = rate_findings(scores, _LABELS, doubts=doubts, rule="only")
        findings += _access_times(record)
        points = as_ssd.points({name: score.value for name, score in scores.items()})
        evidence = tuple(step for score in scores.values() for step in score.evidence)
        for name, value in points.items():
            words = "in total" if name == "total" else f"for {name}ing".replace("writeing", "writing")
            findings.append(
                Finding(
                    f"score_{name}",
                    f"AS SSD would give {value:.0f} points {words}: a sum of rates in which 4 KiB requests weigh most.",
                    value,
                    "points",
                    evidence=evidence,
                    doubts=tuple(doubts),
                )
            )
        return findings + _compression(record)


def _cut_short(record: Record, file_bytes: int) -> list[Doubt]:
    """Loads that ended by their time limit, before the whole file was processed."""
    random = [load.name for load in as_ssd.RATE_LOADS if load.direction in ("randread", "randwrite")]
    cut = [
        step.labels.word("load")
        for step in record.steps_with(PASS, condition="")
        if step.workload is not None
        and step.labels.word("load") in random
        and step.workload.totals["read_bytes"] + step.workload.totals["written_bytes"] < 0.99 * file_bytes
    ]
    if not cut:
        return []
    message = f"the time limit ended {', '.join(cut)} before the whole file was gone through"
    advice = further(record, "compare it with drives whose loads ended by the same time limit")
    return [Doubt("TooShort", message, advice)]


def _access_times(record: Record) -> list[Finding]:
    sector = record.drive_facts.sector_bytes
    findings = []
    for load in as_ssd.access_loads(sector):
        score = best_of(record, "", load)
        if score is None:
            continue
        size = format_bytes_binary(load.request_bytes)
        what = f"read of {size} anywhere on the drive" if load.reads else f"write of {size} inside the test file"
        doubts = doubt_of_empty_places(record) if load.reads else ()
        findings.append(
            Finding(
                f"{load.name}_ns",
                f"A random {what} takes {format_time(score.latency_ns)}.",
                score.latency_ns,
                "ns",
                evidence=score.evidence,
                doubts=doubts,
                details={"request_bytes": load.request_bytes},
            )
        )
    return findings


def _compression(record: Record) -> list[Finding]:
    rates = as_ssd.compression_scores(record, _COMPRESSION)
    writes = rates["seq_write"]
    if 0 not in writes or 100 not in writes:
        return []
    gain = writes[100].value / writes[0].value
    gains = "it compresses" if gain > 1.1 else "it does not compress"
    return [
        Finding(
            "compression_write_gain_ratio",
            f"Fully compressible data is written at {format_percent(gain)} of the rate of random data: {gains}.",
            gain,
            "ratio",
            evidence=tuple(step for score in writes.values() for step in score.evidence),
            details={
                name: {str(level): score.value for level, score in levels.items()} for name, levels in rates.items()
            },
        )
    ]
