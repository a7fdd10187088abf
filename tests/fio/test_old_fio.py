"""A fio that lacks an option: the option is left out, and a doubt says what the step does instead."""

import os
import shutil
from pathlib import Path

import pytest

from flashscope.drives.held.held import Held
from flashscope.runner.engines.fio.engine import doubts_about, run_jobs
from flashscope.runner.engines.fio.options import INSTEAD, has_option, without_missing
from flashscope.workloads.job import Job

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
MIB = 1 << 20


@pytest.fixture
def old_fio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fio on the PATH that knows no compressible data and refuses jobs that ask for them."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script = folder / "fio"
    script.write_text(
        "#!/bin/sh\n"
        'case "$1" in --cmdhelp=buffer_compress_percentage) echo "No such command: $1"; exit 0;; esac\n'
        f'case "$1" in --cmdhelp=all) {shutil.which("fio")} "$1" | grep -v buffer_compress_percentage; exit 0;; esac\n'
        'for last in "$@"; do :; done\n'
        'if grep -qs -e "^buffer_compress_percentage" -- "$last"; then echo "fio: bad option"; exit 1; fi\n'
        f'exec {shutil.which("fio")} "$@"\n'
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_an_option_that_fio_lacks_is_left_out_and_a_doubt_says_what_happens_instead(
    old_fio: None, tmp_path: Path
) -> None:
    path = tmp_path / "x"
    path.write_bytes(bytes(MIB))
    jobs = [Job("w", "write", size_bytes=MIB, compressible_ratio=0.5)]
    (doubt,) = doubts_about(jobs)
    assert doubt.kind == "FioTooOld"
    assert "cannot be compressed" in doubt.message
    with Held.take(path, os.O_RDWR) as held:
        result = run_jobs(held, jobs, sample_interval_ns=10**8, on_progress=lambda *_: None)
    assert result.totals["written_bytes"] == MIB
    assert doubts_about([Job("w", "write", size_bytes=MIB)]) == ()


@pytest.mark.parametrize("name", INSTEAD)
def test_this_fio_has_every_option_that_may_be_missing(name: str) -> None:
    assert has_option(name)
    assert not has_option(name + "_nonsense")


def test_a_text_without_missing_options_stays_as_it_is() -> None:
    text = "[global]\nallow_file_create=0\n\n[a]\nrw=write\n"
    assert without_missing(text) == (text, ())
