"""Short performance figures at a checkpoint, by the engine of the drive (fio): the same few jobs each time.

    sequential, 128 KiB, 8 at a time    write (in the scratch space), read
    at random, 4 KiB, 32 at a time    write (in the scratch space), read

Reads go over the whole drive. Figures of two seconds show how a drive changes with wear, not what it can sustain; the
rate of the load itself, beside them, shows that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flashscope.drives.held.held import Held
from flashscope.drives.real.shifted import jobs_below
from flashscope.endurance.real.layout import Layout
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.engines.choose import engine_for
from flashscope.runner.engines.engine import Load
from flashscope.vocabulary import Direction
from flashscope.workloads.job import BlockSizes, Job

KIB = 1024
_RUNTIME_NS = 2_000_000_000
_SAMPLE_NS = 500_000_000
_WRITTEN_MOST_BYTES = 256 << 20

Figures = dict[str, dict[str, float]]
"""Name of a figure -> bytes_per_second, requests_per_second, latency_ns_mean, latency_ns_p99."""


def most_written_bytes(layout: Layout) -> int:
    """The most that the figures of one checkpoint write [bytes]."""
    return sum(job.io_bytes for job in _jobs(layout, layout.scratch_bytes).values() if "write" in job.direction)


def measure(
    drive: Held, facts: DriveFacts, layout: Layout, *, seed: int, on_progress: Callable[[int, int], None]
) -> tuple[Figures, int, int]:
    """All figures, and the bytes written and read for them. Raises the engine's exceptions."""
    figures: Figures = {}
    engine = engine_for(drive)
    written = read = 0
    for name, job in _jobs(layout, facts.user_bytes).items():
        placed = jobs_below([replace(job, seed=seed)], facts)
        result = engine.run(Load(placed, _SAMPLE_NS), on_progress).result
        written += result.totals.get("written_bytes", 0)
        read += result.totals.get("read_bytes", 0)
        direction = "write" if "write" in job.direction else "read"
        histogram = result.latency.get(direction)
        seconds = max(result.duration_ns, 1) / 1e9
        moved = result.totals.get("written_bytes" if direction == "write" else "read_bytes", 0)
        figures[name] = {
            "bytes_per_second": moved / seconds,
            "requests_per_second": result.totals.get(f"{direction}_requests", 0) / seconds,
        }
        if histogram is not None and histogram.total:
            figures[name] |= {
                "latency_ns_mean": histogram.mean_ns,
                "latency_ns_p99": histogram.percentile_ns(0.99),
            }
    return figures, written, read


def _jobs(layout: Layout, user_bytes: int) -> dict[str, Job]:
    """The jobs by name; writes stay in the scratch space."""
    scratch = min(layout.scratch_bytes, _WRITTEN_MOST_BYTES)
    scratch -= scratch % (128 * KIB)

    def job(name: str, direction: Direction, size: int, depth: int, *, writes: bool) -> Job:
        sizes = BlockSizes(weighted=((size * KIB, 100.0),), align_bytes=4 * KIB)
        return Job(
            name.replace("_", "-"),
            direction,
            read_sizes=sizes,
            write_sizes=sizes,
            offset_bytes=layout.scratch_offset_bytes if writes else 0,
            size_bytes=scratch if writes else user_bytes - user_bytes % (128 * KIB),
            io_bytes=scratch if writes else 0,
            runtime_ns=_RUNTIME_NS,
            queue_depth=depth,
            random_map=False,
        )

    return {
        "sequential_write": job("sequential_write", "write", 128, 8, writes=True),
        "sequential_read": job("sequential_read", "read", 128, 8, writes=False),
        "random_write": job("random_write", "randwrite", 4, 32, writes=True),
        "random_read": job("random_read", "randread", 4, 32, writes=False),
    }
