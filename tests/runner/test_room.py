"""Files that do not fit are refused before the first byte is written, with the numbers."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue
from flashscope.runner.room import most_room
from flashscope.runner.run import check_steps
from flashscope.workloads.file_work import Copy, Create, Delete, File, Operation, Program
from flashscope.workloads.job import Job
from flashscope.workloads.steps import FileWork, Step, Workload
from tests.facts import directory_facts, virtual_facts

from .fakes import FakeExperiment

MIB = 1 << 20
FACTS = directory_facts(100 * MIB, address="dir:/mnt")


def work(name: str, *operations: Operation) -> FileWork:
    return FileWork(name, (Program("p", operations),), 10**7)


def steps(file_bytes: int) -> list[Step]:
    a, b, c = (File(name, file_bytes) for name in "abc")
    return [work("make", Create(a), Create(b)), work("copy", Copy(a, c)), work("delete", Delete(b), Delete(c))]


def test_files_of_earlier_steps_count_until_they_are_deleted() -> None:
    assert most_room(steps(10 * MIB), "drive") == ("copy", 30 * MIB)
    later = work("later", Create(File("d", 25 * MIB)))
    assert most_room([*steps(10 * MIB), later], "drive") == ("later", 35 * MIB)


def test_the_file_of_jobs_lies_beside_them() -> None:
    job = Workload("jobs", (Job("w", "write", offset_bytes=8 * MIB, size_bytes=32 * MIB),), 10**8, 32 * MIB, 0)
    assert most_room([*steps(10 * MIB), job], "drive") == ("jobs", 50 * MIB)


def test_a_directory_without_room_for_all_steps_is_refused_with_the_numbers() -> None:
    check_steps(steps(33 * MIB), FACTS)
    with pytest.raises(WrongUse, match=f"step 'copy' has {102 * MIB} bytes of files .* {100 * MIB} may be used") as why:
        check_steps(steps(34 * MIB), FACTS)
    assert "nothing was written" in why.value.advice
    check_steps(steps(34 * MIB), virtual_facts(100 * MIB))


def test_what_lies_in_memory_is_held_against_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flashscope.runner.room._free_memory_bytes", lambda: 10 * MIB)
    with pytest.raises(WrongUse, match="/dev/shm"):
        check_steps([work("make", Create(File("a", 11 * MIB, "memory")))], FACTS)


def test_the_command_refuses_it_before_anything_is_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.setattr(catalogue, "all_experiments", lambda: (FakeExperiment(steps(34 * MIB)),))
    command = ["run", f"dir:{place}", "--experiment", "fake-experiment", "--size", "100MiB", "--write-ok"]
    done = CliRunner().invoke(main, [*command, "--store", str(tmp_path / "s.sqlite"), "--allow", "memory"])
    assert done.exit_code == 2, done.output
    assert str(102 * MIB) in done.output
    assert list(place.iterdir()) == []
