"""A store on a disk that fills: a tiny tmpfs in a mount namespace of its own, so nothing else sees it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]

_FULL_BEFORE = """
import sys
from pathlib import Path
from flashscope.errors import WrongUse
from flashscope.store import store as module
from tests.records.make_records import small_record
try:
    with module.Store(Path(sys.argv[1], "s.sqlite")) as store:
        store.begin(small_record())
except WrongUse as error:
    print(error.exit_code, error)
"""

_FULL_DURING = """
import os, sys
from pathlib import Path
from flashscope.records import Status
from flashscope.store.store import Store, StoreFailed
from tests.records.make_records import small_record, small_step
path = Path(sys.argv[1], "s.sqlite")
with Store(path) as store:
    store.begin(small_record())
    store.save_step(small_record().id, small_step(0))
    with open(Path(sys.argv[1], "ballast"), "wb", buffering=0) as ballast:
        try:
            while True:
                ballast.write(b"x" * 65536)
        except OSError:
            pass
    saved = 1
    try:
        for saved in range(1, 1000):
            store.save_step(small_record().id, small_step(saved))
    except StoreFailed as error:
        print(error.exit_code, error)
    loaded = store.load("last")
    print("kept", len(loaded.steps) == saved, loaded.status)
with Store(path) as store:  # still full
    print("kept", len(store.load("last").steps) == saved)
os.unlink(Path(sys.argv[1], "ballast"))
with Store(path) as store:
    store.save_step(small_record().id, small_step(saved))
    print("kept", len(store.load("last").steps) == saved + 1)
"""


def _on_a_disk_of(size: str, code: str, directory: Path) -> list[str]:
    """What `code` prints when it runs with the path of a fresh file system of that size."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    script = f'mount -t tmpfs -o size={size} tmpfs "$1" && exec "$2" -c "$3" "$1"'
    command = ["unshare", "--mount", "sh", "-c", script, "sh", str(directory), sys.executable, code]
    done = subprocess.run(command, capture_output=True, text=True, cwd=_ROOT, timeout=60)
    if done.returncode != 0 and ("unshare" in done.stderr or "mount:" in done.stderr):
        pytest.skip(f"a file system cannot be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("size", ["16k", "64k", "4m"])
def test_a_full_disk_is_found_before_a_run_begins(tmp_path: Path, size: str) -> None:
    lines = _on_a_disk_of(size, _FULL_BEFORE, tmp_path)
    assert lines[0].startswith("2 the ")
    assert "full" in lines[0]


def test_a_disk_that_fills_during_a_run_loses_nothing_acknowledged(tmp_path: Path) -> None:
    lines = _on_a_disk_of("24m", _FULL_DURING, tmp_path)
    assert lines[0].startswith("1 the disk under the store")
    assert [line for line in lines if line.startswith("kept")] == ["kept True running", "kept True", "kept True"]


_LIMITED = """
import resource, sys
from pathlib import Path
from flashscope.store.store import Store, StoreFailed
from tests.records.make_records import small_record, small_step
with Store(Path(sys.argv[1])) as store:
    store.begin(small_record())
    store.save_step(small_record().id, small_step(0))
    written = Path(sys.argv[1] + "-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (written, written))
    try:
        store.save_step(small_record().id, small_step(1))
    except StoreFailed as error:
        print(error.exit_code, error)
    print(len(store.load("last").steps))
"""


def test_a_file_size_limit_on_the_store_loses_nothing_acknowledged(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _LIMITED, str(tmp_path / "s.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=_ROOT, check=True, timeout=60)
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1 the store")
    assert lines[-1] == "1"
