"""CrystalDiskMark 8 on a 1000 MiB test file. DESTRUCTIVE.

    secure erase -> file written -> all reads, then all writes: preparing pass + N of 5 s each; best of N

Rows: SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1, RND4K Q1T1. Loads and score: `profiles/crystal_disk_mark.py`.
--quick: one pass of 1 s and pauses of 2 s, no preparing pass. --read-only: the reads on what is in the first 1000 MiB.
"""

from __future__ import annotations

from flashscope.experiments.profiles.crystal_disk_mark import (
    INTERVAL_NS,
    PASS_TIME_8_NS,
    ROWS_8,
    Marking,
    crystal_disk_mark_8,
)
from flashscope.experiments.profiles.crystal_disk_mark_experiment import (
    QUICK_PASS_NS,
    QUICK_PAUSE_NS,
    CrystalDiskMarkExperiment,
)
from flashscope.experiments.profiles.test_file import TestFile
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import Effort
from flashscope.workloads.steps import Step


class CrystalDiskMark8(CrystalDiskMarkExperiment):
    """The eight numbers of version 8: SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1, RND4K Q1T1."""

    name = "crystaldiskmark-8"
    title = "CrystalDiskMark 8"
    question = "What would CrystalDiskMark 8 print for this drive?"
    tells: frozenset[str] = frozenset({"sequential_rate", "random_rate"})  # the rates that the first page shows
    rows = ROWS_8

    def mark(self, test_file: TestFile, facts: DriveFacts, effort: Effort) -> list[Step]:
        """One mark: 1, 2 or 3 passes (the program's default is 3)."""
        marking = Marking(
            passes=effort.choose(1, 2, 3),
            pass_time_ns=effort.choose(QUICK_PASS_NS, PASS_TIME_8_NS, PASS_TIME_8_NS),
            preparing=effort.choose(False, True, True),
            settle_ns=effort.choose(QUICK_PAUSE_NS, 0, 0),
            reads_only=effort.read_only,
            fastest_bytes_per_second=facts.link_bytes_per_second,
        )
        return crystal_disk_mark_8(
            "", test_file, marking, interval_ns=effort.choose(QUICK_PAUSE_NS, INTERVAL_NS, INTERVAL_NS)
        )
