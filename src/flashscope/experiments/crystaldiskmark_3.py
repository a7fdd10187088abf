"""CrystalDiskMark 3, the program of the source documents, on a 1000 MiB test file. DESTRUCTIVE.

    secure erase -> file written -> Seq, 512K, 4K, 4K QD32: read, write each; preparing pass + N; best of N

Loads, order, score: `profiles/crystal_disk_mark.py`. --quick: one pass of 1 s or one round, a
pause of 2 s after the file, and no preparing pass. --read-only: the four reads on what lies in the first 1000 MiB.
"""

from __future__ import annotations

from flashscope.experiments.profiles.crystal_disk_mark import (
    PASS_TIME_3_NS,
    ROWS_3,
    SEQUENTIAL_BYTES,
    Marking,
    crystal_disk_mark_3,
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


class CrystalDiskMark3(CrystalDiskMarkExperiment):
    """The eight numbers of version 3: Seq, 512K, 4K, 4K QD32."""

    name = "crystaldiskmark-3"
    title = "CrystalDiskMark 3"
    question = "What would CrystalDiskMark 3 print for this drive?"
    rows = ROWS_3

    def mark(self, test_file: TestFile, facts: DriveFacts, effort: Effort) -> list[Step]:
        """One mark: 1, 3 or 5 passes (the program's default is 5)."""
        marking = Marking(
            passes=effort.choose(1, 3, 5),
            pass_time_ns=effort.choose(QUICK_PASS_NS, PASS_TIME_3_NS, PASS_TIME_3_NS),
            preparing=effort.choose(False, True, True),
            settle_ns=effort.choose(QUICK_PAUSE_NS, 0, 0),
            reads_only=effort.read_only,
            fastest_bytes_per_second=facts.link_bytes_per_second,
        )
        return crystal_disk_mark_3(
            "",
            test_file,
            marking,
            sequential_bytes=effort.choose(test_file.size_bytes, SEQUENTIAL_BYTES, SEQUENTIAL_BYTES),
        )
