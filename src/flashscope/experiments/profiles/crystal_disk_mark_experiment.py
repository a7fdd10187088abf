"""What the three CrystalDiskMark experiments have in common: erase, mark, one finding per number in the window.

secure erase (where possible; the documents' drives were quick-formatted) -> one mark on a 1000 MiB file
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from flashscope.experiments.profiles.crystal_disk_mark import Row, scores
from flashscope.experiments.profiles.marked import doubts_of_run, rate_findings
from flashscope.experiments.profiles.passes import PASS
from flashscope.experiments.profiles.test_file import MIB, TestFile, place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Doubt, Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_rate
from flashscope.workloads.steps import SecureErase, Step

_IN_ORDER_BEFORE = ("seq_write_128k_qd32", "seq_write_1m_qd8")
_FAR_SLOWER = 0.5
FILE_BYTES = 1000 * MIB
QUICK_PASS_NS = SECOND_NS
QUICK_PAUSE_NS = 2 * SECOND_NS
"""Without it a pass of a second would measure how the write buffer empties after the load before."""


class CrystalDiskMarkExperiment:
    """One version of the program as an experiment; each version defines its rows and its steps."""

    name: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()  # others measure the same
    needs = Needs()
    rows: ClassVar[Sequence[Row]]

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Secure erase where possible, then the mark; read-only: only the reads, of the data that is there."""
        erase = facts.can_secure_erase and not effort.read_only
        steps: list[Step] = [SecureErase("secure erase")] if erase else []
        return steps + self.mark(place_test_file(facts, FILE_BYTES, effort=effort), facts, effort)

    def mark(self, test_file: TestFile, facts: DriveFacts, effort: Effort) -> list[Step]:
        """The steps of the mark itself."""
        raise NotImplementedError

    def analyse(self, record: Record) -> list[Finding]:
        """One finding per number of the window: seq_read, seq_write ... in bytes/s."""
        labels: dict[str, str] = {}
        for row in self.rows:
            labels |= {row.read: f"{row.label} read", row.write: f"{row.label} write"}
        doubts = doubts_of_run(record, wanted_bytes=FILE_BYTES)
        return [_beside_merges(finding, record) for finding in rate_findings(scores(record), labels, doubts=doubts)]


def _beside_merges(finding: Finding, record: Record) -> Finding:
    """The same finding, doubted where writes in order were far slower after 4 KiB writes than before them."""
    if finding.key != "seq_write" or not isinstance(finding.value, float):
        return finding
    loads = [step.labels.word("load") for step in record.steps_with(PASS)]
    before = max((score.value for name, score in scores(record).items() if name in _IN_ORDER_BEFORE), default=0.0)
    random = [load for load in loads[: loads.index("seq_write")] if load.startswith("rand_write")]
    if not random or finding.value >= _FAR_SLOWER * before:
        return finding
    message = f"4 KiB writes came before, which may still be merged: such writes ran at {format_rate(before)} earlier"
    doubt = Doubt("AfterRandomWrites", message, "compare with CrystalDiskMark 8, which writes in order first")
    return replace(finding, doubts=(*finding.doubts, doubt))
