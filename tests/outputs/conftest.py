"""A laboratory with one record, in a directory of its own; every command as a person types it."""

from __future__ import annotations

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.store.store import Store
from tests.reports import planted


@dataclass(frozen=True)
class Laboratory:
    """A directory that is the current one, with a store in it."""

    folder: Path
    store: Path

    def call(self, *arguments: object) -> Result:
        """Run a command in this process."""
        return CliRunner().invoke(main, [str(one) for one in arguments])

    def report(self, output: object, *more: object) -> Result:
        """`flashscope report` of the one record."""
        return self.call(*self.report_to(output), *more)

    def report_to(self, output: object) -> tuple[object, ...]:
        """The command of that."""
        return "report", "--store", self.store, "-o", output

    def seen(self) -> dict[str, str]:
        """Every file of the directory with its kind and contents; equal before and after when nothing changed."""
        return {str(path.relative_to(self.folder)): _seen(path) for path in sorted(self.folder.rglob("*"))}


def _seen(path: Path) -> str:
    status = path.lstat()
    if stat.S_ISREG(status.st_mode):
        return f"file {status.st_ino} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return f"{stat.S_IFMT(status.st_mode):o} {status.st_rdev} " + (os.readlink(path) if path.is_symlink() else "")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Laboratory:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = tmp_path / "records.sqlite"
    with Store(store) as opened:
        opened.begin(planted.falling(rows=100))
    return Laboratory(tmp_path, store)


def node(path: Path, kind: int, number: int) -> Path:
    """A device node; skips where none may be made. kind: stat.S_IFBLK or stat.S_IFCHR."""
    try:
        os.mknod(path, kind | 0o600, number)
    except PermissionError:
        pytest.skip("making device nodes takes root")
    return path


def always_refused(lab: Laboratory, *arguments: object, because: str) -> None:
    """A command that writes a result is refused, and --force does not change that."""
    for force in ((), ("--force",)):
        refused(lab.call(*arguments, *force), because)


def refused(result: Result, *words: str) -> None:
    """The command ended in words with exit code 2."""
    text = " ".join(result.output.split())
    assert result.exit_code == 2, text
    for word in words:
        assert word in text
