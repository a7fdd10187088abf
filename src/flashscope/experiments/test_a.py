"""Test A of the HG3 report: files of 100 MB until a level is reached, old ones read back at random in between.

    | file | file | ... | file |  500 MB read at random from what is there  | file | ...

The report reads back after every file. Reading leaves no trace in a drive's state but takes most of the time (five
bytes for each byte written), so here it follows every N-th file, and each of the last files before a level.
A virtual drive is set to a state near the level at once. The benchmarks before that level would have written to it as
well; writing and deleting as many bytes replaces that (`made_good`).
Not modelled here: the file system's own writes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from flashscope.experiments.states import filled
from flashscope.experiments.streams import MIB, SECOND_NS, random_writes, sequential_writes, whole_requests
from flashscope.records import Labels
from flashscope.records.drive_facts import DriveFacts
from flashscope.workloads.job import Job
from flashscope.workloads.steps import SecureErase, Step, Trim, Workload

FILES = "files of test A"
"""The role of the step that writes the files up to a level, except the last ones."""

_READ_BACK = 5  # bytes read for each byte of the file before


@dataclass(frozen=True)
class TestA:
    """file_bytes: of each file. request_bytes: of its writes and reads. last_files: each with its read-back."""

    __test__ = False  # a load, not a test

    file_bytes: int
    request_bytes: int
    last_files: int = 10
    every: int = 40

    def through(
        self, name: str, begin_bytes: int, end_bytes: int, facts: DriveFacts, *, role: str = FILES
    ) -> list[Step]:
        """Writes from begin to end: a read-back after every N-th file, then the last files with a read-back after each.

        role: of the step that writes all but the last files.
        """
        tail = min(self.last_files * self.file_bytes, end_bytes - begin_bytes)
        steps: list[Step] = []
        if end_bytes - tail > begin_bytes:
            chunk = self.every * self.file_bytes
            files = self._files(f"{name}: files", begin_bytes, end_bytes - tail, chunk, facts)
            steps.append(replace(files, labels=Labels.of(role)))
        steps.append(self._files(f"{name}: last files", end_bytes - tail, end_bytes, self.file_bytes, facts))
        return steps

    def laid_out(self, name: str, end_bytes: int, made_good: int, facts: DriveFacts) -> list[Step]:
        """The same from an erased drive; all but the last files are set at once where the drive allows it.

        made_good: bytes to write beyond the level and to delete again [bytes].
        """
        tail = self.last_files * self.file_bytes
        steps: list[Step] = [
            SecureErase(f"{name}: start over"),
            filled(facts, f"{name}: laid out", fill_ratio=(end_bytes - tail) / facts.user_bytes),
        ]
        room = whole_requests(min(made_good, (facts.user_bytes - end_bytes) * 3 // 4), self.request_bytes)
        if room:
            job = sequential_writes(
                "made-good",
                request_bytes=self.request_bytes,
                offset_bytes=end_bytes,
                size_bytes=room,
                io_bytes=whole_requests(made_good, self.request_bytes),
            )
            steps.append(Workload(f"{name}: earlier benchmarks", (job,), 10 * SECOND_NS, job.io_bytes, 0))
            if facts.can_trim:
                steps.append(Trim(f"{name}: earlier benchmarks deleted", end_bytes, room))
        return [*steps, self._files(f"{name}: last files", end_bytes - tail, end_bytes, self.file_bytes, facts)]

    def beside(self, name: str, end_bytes: int, runtime_ns: int) -> Workload:
        """Files written over the last ones, and 512 KiB reads from the rest, at the same time."""
        span = min(10 * self.file_bytes, end_bytes // 2)
        writes = replace(
            sequential_writes(
                "files", request_bytes=self.request_bytes, offset_bytes=end_bytes - span, size_bytes=span, queue_depth=1
            ),
            runtime_ns=runtime_ns,
            time_based=True,
            io_bytes=0,
        )
        reads = replace(self._read("reads", end_bytes - span, 1), runtime_ns=runtime_ns, time_based=True, io_bytes=0)
        most = runtime_ns // SECOND_NS * 2_000_000_000
        return Workload(name, (writes, reads), SECOND_NS // 10, most, most)

    def _files(self, name: str, begin: int, end: int, chunk: int, facts: DriveFacts) -> Workload:
        jobs: list[Job] = []
        read = 0
        for number, offset in enumerate(range(begin, end, chunk)):
            size = min(chunk, end - offset)
            write = sequential_writes(
                f"file-{number}", request_bytes=self.request_bytes, offset_bytes=offset, size_bytes=size, queue_depth=1
            )
            back = self._read(f"back-{number}", offset + size, number)
            jobs += [replace(write, group=2 * number), replace(back, group=2 * number + 1)]
            read += back.io_bytes
        interval_ns = max((end - begin) * 5 // 2000, 5_000_000)  # some 2000 rows at 200 MB/s
        return Workload(name, tuple(jobs), interval_ns, end - begin, read)

    def _read(self, name: str, written_bytes: int, seed: int) -> Job:
        size = min(self.request_bytes, 512 * 1024)
        job = random_writes(
            name,
            request_bytes=size,
            grid_bytes=size,
            size_bytes=max(whole_requests(written_bytes, size), size),
            io_bytes=whole_requests(_READ_BACK * self.file_bytes, size),
            seed=1000 + seed,
        )
        return replace(job, direction="randread", read_sizes=job.write_sizes)


def plan_of_test_a(user_bytes: int, last_files: int) -> TestA:
    """100 MB files in 1 MiB requests; smaller ones on a drive below 100 GB, so that a thousand files fill it."""
    request = MIB if user_bytes >= 1 << 30 else 64 * 1024
    return TestA(max(whole_requests(min(100_000_000, user_bytes // 1000), request), request), request, last_files)
