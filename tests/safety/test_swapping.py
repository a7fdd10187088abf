"""While a run goes, the name of its drive is made to lead elsewhere again and again: one thing is written at most."""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.own_data import own_data

from ..drives.bench import MIB, Bench
from .canaries import digest
from .swapping import exchange, swapped

pytestmark = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")

JOBS = "\n".join(
    f"[job{number}]\nstonewall\nrw=write\nbs=64k\nsize=1m\noffset={number}m\nruntime=100ms\ntime_based"
    for number in range(3)
)
WEAR = ("--budget", "24MiB", "--confirm-total", "24MiB", "--no-figures")
PATIENCE_S = 600
SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 12))]


def flashscope(folder: Path, command: str, *arguments: str) -> int:
    """Run it; returns its exit code."""
    own = folder / "own"
    own.mkdir(exist_ok=True)
    (own / "jobs.fio").write_text(JOBS)
    (own / "temporary").mkdir(exist_ok=True)
    store = own / f"{len(list(own.glob('*.sqlite')))}.sqlite"
    done = subprocess.run(
        [sys.executable, "-m", "flashscope", command, *arguments, "--quiet", "--store", store],
        cwd=own, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        env={**os.environ, "TMPDIR": str(own / "temporary")},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode


def run_jobs(folder: Path, address: str, *consent: str) -> int:
    return flashscope(folder, "run", address, "jobs.fio", *consent)


def wear(folder: Path, address: str, *consent: str) -> int:
    return flashscope(folder, "endure", address, *WEAR, *consent)


def file(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(own_data(MIB) + bytes(15 * MIB))
    return path


def tree(folder: Path) -> dict[str, str]:
    """What lies in a folder: names, and of files what they hold."""
    return {
        str(path.relative_to(folder)): digest(path) if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
        if "flashscope-" not in str(path)
    }


@pytest.mark.parametrize("go", [run_jobs, pytest.param(wear, marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_files_that_change_names_one_is_written_at_most(
    go: Callable[..., int], seed: int, tmp_path: Path
) -> None:
    named, other = file(tmp_path / "named.img"), file(tmp_path / "other.img")
    were = digest(named), digest(other)
    with swapped(named, other, seed=seed):
        code = go(tmp_path, f"file:{named}", "--write-ok")
    assert code in (0, 1, 2)
    changed = [digest(path) != was for path, was in zip((named, other), were, strict=True)]
    assert changed != [True, True]


@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_folders_that_change_names_the_files_of_one_are_written_at_most(seed: int, tmp_path: Path) -> None:
    named, other = file(tmp_path / "named/x.img"), file(tmp_path / "other/x.img")
    were = digest(named), digest(other)
    with swapped(named.parent, other.parent, seed=seed):
        code = run_jobs(tmp_path, f"file:{named}", "--write-ok")
    assert code in (0, 1, 2)
    changed = [digest(path) != was for path, was in zip((named, other), were, strict=True)]
    assert changed != [True, True]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_folder_that_a_link_to_another_one_takes_turns_with_leaves_the_other_one_alone(
    seed: int, tmp_path: Path
) -> None:
    inner = tmp_path / "there"
    file(inner / "x.img")
    target = file(tmp_path / "named/x.img")
    link = tmp_path / "link"
    link.symlink_to(inner)
    were = tree(inner), digest(target)
    with swapped(tmp_path / "named", link, seed=seed):
        assert run_jobs(tmp_path, f"file:{target}", "--write-ok") in (0, 1, 2)
    assert [tree(inner) != were[0], digest(target) != were[1]] != [True, True]


@pytest.mark.parametrize("command", ["run", pytest.param("examine", marks=pytest.mark.long)])
@pytest.mark.parametrize("seed", SEEDS)
def test_in_two_directories_that_change_names_no_file_is_touched(seed: int, command: str, tmp_path: Path) -> None:
    named, other = tmp_path / "named", tmp_path / "other"
    for folder in (named, other):
        for name in ("test-file", "files/kept", "kept"):
            file(folder / name)
    were = tree(named), tree(other)
    consent = ("--write-ok", "--size", "32MiB")
    with swapped(named, other, seed=seed):
        if command == "run":
            code = run_jobs(tmp_path, f"dir:{named}", *consent)
        else:
            only = ("--only", "archives", "--quick", "--output", "page.html")
            code = flashscope(tmp_path, "examine", f"dir:{named}", *only, *consent)
    assert code in (0, 1, 2)
    assert (tree(named), tree(other)) == were


@pytest.mark.parametrize("seed", SEEDS)
def test_of_two_device_nodes_that_change_names_one_drive_is_written_at_most(seed: int, bench: Bench) -> None:
    folder = bench.directory
    images = file(folder / "named.img"), file(folder / "other.img")
    nodes = []
    for image in images:
        number = os.stat(bench.loop(image)).st_rdev
        nodes.append(Path(f"/dev/flashscope-test-{os.getpid()}-{image.stem}"))
        os.mknod(nodes[-1], stat.S_IFBLK | 0o600, number)
        bench.later(nodes[-1].unlink)
    were = [digest(image) for image in images]
    with swapped(*nodes, seed=seed):
        code = run_jobs(folder, str(nodes[0]), "--serial", str(images[0]), "--yes")
    assert code in (0, 1, 2)
    assert digest(images[1]) == were[1], "the drive whose serial number was not typed was written"


def test_two_names_are_exchanged_in_one_step(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    first.write_text("1")
    second.write_text("2")
    exchange(first, second)
    assert (first.read_text(), second.read_text()) == ("2", "1")
    with swapped(first, second, seed=0):
        pass
    assert (first.read_text(), second.read_text()) == ("2", "1")
