"""Real file systems on real tables, moved through kills: files the same, file systems clean, tables without fault."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.drives.held.direct_file import DirectFile

from .real_disks import RealDisk, build, see_as_before, see_files, see_moved, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "everything is here")
_TABLES = ("mbr", "gpt")


@pytest.fixture(scope="module", params=_TABLES)
def disk(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RealDisk:
    return build(request.param, tmp_path_factory.mktemp(request.param))


def align(path: Path, *options: str) -> str:
    """What the command says; it must end well."""
    done = CliRunner().invoke(main, ["align", str(path), *options, "--write-ok", "-q"])
    assert done.exit_code == 0, done.output
    return done.output


def killed(path: Path, options: Sequence[str], *, after: int | None = None, after_s: float = 0.0) -> bool:
    """Run the command in a process of its own, and kill it (SIGKILL): at its so many-th write or flush, or some time
    after it began. Returns whether it was killed; else it had ended."""
    child = os.fork()
    if child == 0:
        if after is not None:
            _die_at(after)
        try:
            CliRunner().invoke(main, ["align", str(path), *options, "--write-ok", "-q"])
        finally:
            os._exit(0)
    if after is None:
        time.sleep(after_s)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def _die_at(number: int) -> None:
    """Have this process killed at its so many-th write or flush."""
    count = itertools.count()

    def counted(call: Callable[..., None]) -> Callable[..., None]:
        def counting(*args: object) -> None:
            if next(count) >= number:
                os.kill(os.getpid(), signal.SIGKILL)
            call(*args)

        return counting

    patched = pytest.MonkeyPatch()
    patched.setattr(DirectFile, "write", counted(DirectFile.write))
    patched.setattr(DirectFile, "flush", counted(DirectFile.flush))


def test_files_are_the_same_and_file_systems_clean_after_kills(disk: RealDisk, tmp_path: Path) -> None:
    chance = random.Random(disk.kind)
    path = disk.copy(tmp_path / "disk.img")
    assert killed(path, ["--apply"], after=chance.randrange(10, 60))
    killed(path, ["--resume"], after=chance.randrange(60, 200))
    assert "moved, every byte read back" in align(path, "--resume")
    see_moved(disk, path)
    see_files(disk, path)
    assert "every partition begins" in align(path, "--apply")


def test_a_repair_that_was_killed_is_undone_to_the_last_byte(disk: RealDisk, tmp_path: Path) -> None:
    path = disk.copy(tmp_path / "disk.img")
    assert killed(path, ["--apply"], after=random.Random(disk.kind).randrange(60, 250))
    assert "all is as it was" in align(path, "--undo")
    see_as_before(disk, path)
    see_files(disk, path)
