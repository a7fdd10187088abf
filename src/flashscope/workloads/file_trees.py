"""Trees of files that experiments work on: drawn from stated distributions, the same for the same seed.

    archives       13 archives, 4.59 GB, with 5825 pictures, 4.62 GB unpacked: totals from document 002
    source tree    many small files in many directories, as a compiler's source

Sizes of pictures: log-normal, a spread of 40 % (assumed; the document gives the totals only).
Sizes of source files: log-normal with a median of 1.2 KB and a mean of 7 KB; 60 000 files, 15 in a directory. Assumed,
from source releases of that compiler and time, which hold many tens of thousands of tests of a few hundred bytes and
unpack to some 400 MB; the document gives neither number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from flashscope.workloads.file_work import File

ARCHIVE_COUNT = 13
ARCHIVES_BYTES = 4_590_000_000
PICTURE_COUNT = 5825
PICTURES_BYTES = 4_620_000_000
_PICTURE_SPREAD = 0.4

SOURCE_FILE_COUNT = 60_000
_SOURCE_MEDIAN_BYTES, _SOURCE_MEAN_BYTES = 1200, 7000
_SOURCE_LARGEST_BYTES = 2_000_000
_FILES_PER_FOLDER = 15


@dataclass(frozen=True)
class Archive:
    """An archive and what is in it."""

    file: File
    pictures: tuple[File, ...]


def archives(folder: str, *, share_ratio: float = 1.0, seed: int = 2) -> tuple[Archive, ...]:
    """The 13 archives, with a share of their pictures (0..1], at least one each."""
    random = np.random.default_rng([seed, 13])
    each = max(1, round(PICTURE_COUNT * share_ratio / ARCHIVE_COUNT))
    count = each * ARCHIVE_COUNT
    sizes = random.lognormal(0.0, _PICTURE_SPREAD, count)
    sizes *= PICTURES_BYTES * count / PICTURE_COUNT / sizes.sum()
    made = []
    for number in range(ARCHIVE_COUNT):
        own = sizes[number * each : (number + 1) * each]
        pictures = tuple(
            File(f"{number:02d}/picture-{place:04d}.jpg", max(1, round(size))) for place, size in enumerate(own)
        )
        packed = round(sum(picture.size_bytes for picture in pictures) * ARCHIVES_BYTES / PICTURES_BYTES)
        made.append(Archive(File(f"{folder}/{number:02d}.zip", packed), pictures))
    return tuple(made)


def source_tree(*, file_count: int = SOURCE_FILE_COUNT, seed: int = 450) -> tuple[File, ...]:
    """Files of a source tree, in the order of their directories."""
    random = np.random.default_rng([seed, 45])
    spread = math.sqrt(2 * math.log(_SOURCE_MEAN_BYTES / _SOURCE_MEDIAN_BYTES))
    sizes = np.minimum(random.lognormal(math.log(_SOURCE_MEDIAN_BYTES), spread, file_count), _SOURCE_LARGEST_BYTES)
    folders = [f"part-{number // 64:03d}/{number:05d}" for number in range(-(-file_count // _FILES_PER_FOLDER))]
    return tuple(
        File(f"{folders[place // _FILES_PER_FOLDER]}/test-{place:06d}.c", 1 + int(size))
        for place, size in enumerate(sizes)
    )


def moved(file: File, folder: str) -> File:
    """The same file in another folder."""
    return replace(file, path=f"{folder}/{file.path}")


def in_memory(file: File) -> File:
    """The same file in memory."""
    return replace(file, on="memory")
