"""Whatever a target is called, a run writes to it and to nothing else: every file beside it is the same afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.endurance.real import figures
from flashscope.store.store import Store

from .canaries import ENVIRONMENT, FOLDERS, READ_AS, Canaries, digest

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

_WORST = ["backup.img;old", "disk #2.img", "x.img ", "${CANARY}.img", "a:b.img"]
_JOB = "[w]\nrw=randwrite\nbs=64k\nsize=2m\nend_fsync=1\n"


def flashscope(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(main, [*words, "--store", str(folder / "records.sqlite")], env=dict(ENVIRONMENT))


def written_bytes(folder: Path) -> int:
    """What the last run says that it wrote."""
    with Store(folder / "records.sqlite") as store:
        steps = store.load("last").steps
    return sum(step.workload.totals["written_bytes"] for step in steps if step.workload is not None)


def job_file(folder: Path, text: str = _JOB) -> str:
    path = folder / "job.fio"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("names", [_WORST, pytest.param(sorted(READ_AS.keys() - _WORST), marks=pytest.mark.long)])
def test_a_run_writes_to_the_file_it_was_given_whatever_the_file_is_called(tmp_path: Path, names: list[str]) -> None:
    canaries = Canaries(tmp_path / "canaries")
    job = job_file(tmp_path)
    for name in names:
        before = digest(canaries.folder / name)
        target = canaries.take(name)

        done = flashscope(tmp_path, "run", f"file:{target}", job, "--write-ok")

        assert done.exit_code == 0, f"{name!r}: {done.output}"
        assert digest(target) != before, f"{name!r} was not written"
        assert canaries.changed() == [], f"a run on {name!r}"


@pytest.mark.parametrize("name", ["what?.img", "new?seed=1.img", "line\nbreak.img"])
def test_a_name_that_an_address_cannot_say_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "canaries"
    folder.mkdir()
    for there in (name, name.partition("?")[0]):
        (folder / there).write_bytes(bytes(1 << 20))
    canaries = Canaries(folder)

    done = flashscope(tmp_path, "run", f"file:{canaries.folder / name}", job_file(tmp_path), "--write-ok")

    assert done.exit_code == 2
    assert canaries.changed() == []


@pytest.mark.parametrize("name", ["disk@sector=4096", "disk@offset=63s"])
def test_a_file_whose_name_ends_like_a_modifier_is_not_taken_for_the_one_before_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "canaries").mkdir()
    (tmp_path / "canaries" / name).write_bytes(bytes(1 << 20))
    canaries = Canaries(tmp_path / "canaries")

    done = flashscope(tmp_path, "run", f"file:{canaries.folder / name}", job_file(tmp_path), "--write-ok")

    assert done.exit_code == 2
    assert "ambiguous" in done.output
    assert canaries.changed() == []


def test_names_of_jobs_are_never_told_to_fio(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path / "canaries")
    target = canaries.take("disk #2.img")
    names = ["a b", "../global", "${CANARY}.img", "filename=expanded.img", "$ncpus", "a] [b", "a:b"]
    job = job_file(tmp_path, "".join(f"[{name}]\nrw=write\nbs=64k\nsize=64k\n" for name in names))

    done = flashscope(tmp_path, "run", f"file:{target}", job, "--write-ok")

    assert done.exit_code == 0, done.output
    assert written_bytes(tmp_path) == len(names) * 65536
    assert canaries.changed() == []


@pytest.mark.parametrize("name", FOLDERS)
def test_a_directory_is_the_one_that_was_named_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    canaries = Canaries(tmp_path / "canaries")

    done = flashscope(
        tmp_path, "run", f"dir:{canaries.folder / name}", job_file(tmp_path), "--write-ok", "--size", "8MiB"
    )

    assert done.exit_code == 0, done.output
    assert written_bytes(tmp_path) == 2 << 20
    assert canaries.changed() == [], "what the directory held before is the same too"


@pytest.mark.long
def test_examine_writes_to_the_file_it_was_given(tmp_path: Path) -> None:
    canaries = Canaries(tmp_path / "canaries", size_bytes=8 << 20)
    target = canaries.take("${CANARY}.img")
    before = digest(target)

    done = flashscope(tmp_path, "examine", f"file:{target}", "--only", "small-write-latency", "--quick", "--write-ok")

    assert done.exit_code == 0, done.output
    assert digest(target) != before
    assert canaries.changed() == []


def test_endure_writes_to_the_file_it_was_given_and_its_figures_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "_RUNTIME_NS", 20_000_000)
    canaries = Canaries(tmp_path / "canaries", size_bytes=12 << 20)
    target = canaries.take("backup.img;old")
    before = digest(target)

    words = ["endure", f"file:{target}", "--budget", "24 MiB", "--write-ok", "--yes", "--checkpoint-every", "24 MiB"]
    done = flashscope(tmp_path, *words)

    assert done.exit_code == 0, done.output
    assert digest(target) != before
    assert canaries.changed() == []
