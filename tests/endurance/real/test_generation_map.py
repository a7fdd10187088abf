"""The map of generations against a plain array; and a file system that fails under it is an error, not a signal."""

import os
from pathlib import Path

import numpy as np
import pytest

from flashscope.endurance.real.generation_map import UNKNOWN, GenerationMap, map_bytes
from flashscope.errors import WrongUse
from flashscope.store.store import StoreFailed

BLOCKS = 5000


def test_whatever_is_set_and_forgotten_is_read_as_from_a_plain_array(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    plain = np.zeros(BLOCKS, dtype=np.uint32)
    made = GenerationMap.create(tmp_path / "map", BLOCKS)
    for _ in range(200):
        blocks = chance.permutation(BLOCKS)[: chance.integers(0, 40)]
        if chance.random() < 0.5:
            first = int(chance.integers(0, BLOCKS - 40))
            blocks = np.arange(first, first + len(blocks))
        assert (made.next(blocks) == (plain[blocks] & ~UNKNOWN) + 1).all()
        generations = chance.integers(1, 1000, len(blocks)).astype(np.uint32)
        made.set(blocks, generations)
        plain[blocks] = generations
        first, count = int(chance.integers(0, BLOCKS)), int(chance.integers(0, 5))
        count = min(count, BLOCKS - first)
        made.forget(first, count)
        plain[first : first + count] |= UNKNOWN
        known = np.where(plain & UNKNOWN, 0, plain)
        assert (made.known(slice(None)) == known).all()
        assert (made.known(blocks) == known[blocks]).all()
    made.flush()
    made.close()
    made.close()
    again = GenerationMap(tmp_path / "map", BLOCKS)
    assert (again.known(slice(0, BLOCKS)) == np.where(plain & UNKNOWN, 0, plain)).all()
    again.close()


def test_a_map_of_before_there_was_a_mark_is_read(tmp_path: Path) -> None:
    (tmp_path / "map").write_bytes(np.arange(BLOCKS, dtype="<u4").tobytes())
    old = GenerationMap(tmp_path / "map", BLOCKS)
    assert old.known(np.array([7, 4999, 3])).tolist() == [7, 4999, 3]
    old.close()


def test_a_map_that_is_gone_or_too_short_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="it is gone"):
        GenerationMap(tmp_path / "map", BLOCKS)
    (tmp_path / "map").write_bytes(bytes(map_bytes(BLOCKS) - 1))
    with pytest.raises(WrongUse, match="was shortened"):
        GenerationMap(tmp_path / "map", BLOCKS)


def test_a_disk_that_fails_under_the_map_is_a_failure_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = GenerationMap.create(tmp_path / "map", BLOCKS)

    def fails(*_: object) -> int:
        raise OSError(5, "Input/output error")

    for name in ("pread", "preadv", "pwrite", "fsync"):
        monkeypatch.setattr(os, name, fails)
    blocks = np.array([1, 2])
    for call in (lambda: made.known(blocks), lambda: made.set(blocks, blocks), made.flush):
        with pytest.raises(StoreFailed, match="its disk reports an error"):
            call()
    made.close()


def test_a_file_that_is_shortened_while_it_is_open_is_a_failure_of_the_store(tmp_path: Path) -> None:
    made = GenerationMap.create(tmp_path / "map", BLOCKS)
    (tmp_path / "map").write_bytes(b"")
    with pytest.raises(StoreFailed):
        made.known(slice(0, BLOCKS))
    made.close()
