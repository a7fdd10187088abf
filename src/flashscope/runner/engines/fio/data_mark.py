"""The lines of a job that make fio write flashscope's mark into every sector, so that the guard knows the data again.

    sector of 512 bytes   | random, 506 bytes                       | mark, 6 |     1 % can be compressed
    with 46 % asked for   | random, 276 bytes | mark | zeros                  |     the mark stands in the zeros

fio fills each `buffer_compress_chunk` with random data and ends it with a pattern, here the mark and zeros. Repeated
blocks (`dedupe_percentage`) are repeated with their mark. Zeros stay zeros: they are blank.
A fio that lacks one of these options writes without the mark, and then the guard takes the data for somebody else's.
"""

from __future__ import annotations

from flashscope.drives.guard.contents.own_data import DATA_MARK, SECTOR_BYTES
from flashscope.runner.engines.fio.options import has_option
from flashscope.workloads.job import Job

_OPTIONS = ("buffer_compress_percentage", "buffer_compress_chunk", "buffer_pattern")
_LEAST_PERCENT = 1  # 6 bytes of a sector, as long as the mark
_MARK = "0x" + DATA_MARK.hex()


def lines_that_mark_data(job: Job) -> list[str]:
    """The options that mark what a job writes; none for a job that writes nothing, or only zeros.

    To be given after those of the job: with `buffer_pattern` before the percentage, fio repeats one buffer.
    """
    percent = max(round(job.compressible_ratio * 100), _LEAST_PERCENT)
    only_zeros = percent >= 100 or (job.zero_buffers and not job.compressible_ratio)
    if not job.writes or only_zeros or not all(has_option(name) for name in _OPTIONS):
        return []
    zeros = "00" * (SECTOR_BYTES - len(DATA_MARK)) if percent > _LEAST_PERCENT else ""
    return [
        f"buffer_compress_percentage={percent}",
        f"buffer_compress_chunk={SECTOR_BYTES}",
        f"buffer_pattern={_MARK}{zeros}",
    ]
