"""Reading many files on all cores.

    paths --chunks--> processes --members--> in the order of the paths

When a process dies (of lack of memory, for example), only that file is lost: its chunk is read again in halves.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

from flashscope.smart.fleets.member import Decode, Member, decode_file, read_members

CHUNK_FILES = 32
_FEW_FILES = 64  # below this, starting processes takes longer than reading


def core_count() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_fleet(
    paths: Sequence[Path],
    *,
    decode: Decode = decode_file,
    workers: int | None = None,
    advanced: Callable[[int], None] = lambda files: None,
) -> list[Member]:
    """The members in all files, in the order of `paths`.

    workers: processes; None: one for each core. advanced: called with the number of files done so far.
    """
    workers = core_count() if workers is None else workers
    if workers < 2 or len(paths) < _FEW_FILES:
        members: list[Member] = []
        for index, path in enumerate(paths):
            members += read_members(path, decode)
            advanced(index + 1)
        return members
    chunks = [paths[start : start + CHUNK_FILES] for start in range(0, len(paths), CHUNK_FILES)]
    read: dict[int, list[Member]] = {}
    done = 0
    with _pool(workers) as pool:
        waiting = {pool.submit(_read_chunk, chunk, decode): index for index, chunk in enumerate(chunks)}
        try:
            for future in as_completed(waiting):
                index = waiting[future]
                if (result := _result(future)) is not None:
                    read[index] = result
                    done += len(chunks[index])
                    advanced(done)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    for index, chunk in enumerate(chunks):
        if index not in read:
            read[index] = _read_apart(chunk, decode)
            done += len(chunk)
            advanced(done)
    return [member for index in range(len(chunks)) for member in read[index]]


def _pool(workers: int) -> ProcessPoolExecutor:
    # Not forked: a fork copies the locks of the caller's threads in their current state.
    return ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))


def _read_chunk(paths: Sequence[Path], decode: Decode) -> list[Member]:
    return [member for path in paths for member in read_members(path, decode)]


def _result(future: Future[list[Member]]) -> list[Member] | None:
    try:
        return future.result()
    except BrokenProcessPool:
        return None


def _read_apart(paths: Sequence[Path], decode: Decode) -> list[Member]:
    """Reads the chunk on which a process died, in halves, each in a process of its own."""
    with _pool(1) as pool:
        result = _result(pool.submit(partial(_read_chunk, paths, decode)))
    if result is not None:
        return result
    if len(paths) == 1:
        return [Member(str(paths[0]), "the process that read it died, perhaps because memory was used up")]
    middle = len(paths) // 2
    return _read_apart(paths[:middle], decode) + _read_apart(paths[middle:], decode)
