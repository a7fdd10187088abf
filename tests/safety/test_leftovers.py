"""What counts as left over by a killed run, and every look-alike that is left as it is."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive, probe
from flashscope.drives.own_folders import leftover_proof, leftovers
from flashscope.drives.own_folders.leftovers import clear, look
from flashscope.drives.own_folders.own_folder import OwnFolder
from flashscope.drives.own_folders.owner_note import NOTE
from flashscope.drives.own_folders.removal import remove_contents
from flashscope.drives.system.mount_tree import MountTree
from flashscope.errors import WrongUse

from ..drives.bench import run
from .left_folders import everything, left, refused

NAME = "flashscope-run-0123abcd"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="takes root")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    place = tmp_path / "place"
    place.mkdir()
    return place


def test_what_a_killed_run_left_is_removed_and_what_lies_beside_is_not(place: Path) -> None:
    (place / "letter").write_text("dear reader")
    (place / "flashscope-notes").mkdir()
    (place / "flashscope-notes" / "mine").write_text("mine")
    before = everything(place)
    names = [left(place, kind).name for kind in ("fio", "programs", "run", "memory", "run")]
    assert [(found.name, found.state) for found in look(place)] == [(name, "left over") for name in sorted(names)]
    assert [(found.name, found.state) for found in clear(place)] == [(name, "removed") for name in sorted(names)]
    assert everything(place) == before
    assert clear(place) == []


def test_a_folder_in_use_is_left_alone_until_its_run_and_all_that_it_started_have_ended(place: Path) -> None:
    with OwnFolder(place, "fio") as own:
        assert [found.state for found in clear(place)] == ["in use"]
        child = subprocess.Popen(["sleep", "600"], pass_fds=[own.lock])
        os.close(os.dup(own.lock))
        os.dup2(os.open(os.devnull, os.O_RDONLY), own.lock)  # the run itself ends here
        assert [found.state for found in clear(place)] == ["in use"], "its child still works in it"
        child.kill()
        child.wait()
        assert [found.state for found in clear(place)] == ["removed"]


def test_a_lock_holds_in_another_pid_namespace_too(place: Path) -> None:
    code = "import sys; from pathlib import Path; from flashscope.drives.own_folders.leftovers import clear; "
    code += "print([each.state for each in clear(Path(sys.argv[1]))])"
    command = ["unshare", "--pid", "--fork", "--mount-proc", sys.executable, "-c", code, str(place)]
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("another PID namespace takes root and unshare")
    with OwnFolder(place, "run"):
        assert run(*command) == "['in use']"
    left(place)
    assert run(*command) == "['removed']"


def test_links_in_it_are_removed_and_what_they_lead_to_is_not(place: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter").write_text("dear reader")
    folder = left(place)
    (folder / "link").symlink_to(precious)
    (folder / "files" / "letter").symlink_to(precious / "letter")
    os.link(precious / "letter", folder / "hard")
    assert [found.state for found in clear(place)] == ["removed"]
    assert everything(precious) == {"letter": b"dear reader"}


def no_note(folder: Path) -> None:
    (folder / NOTE).unlink()


def broken_note(folder: Path) -> None:
    (folder / NOTE).write_text((folder / NOTE).read_text()[:-20])


def other_words(folder: Path) -> None:
    (folder / NOTE).write_text(json.dumps({**json.loads((folder / NOTE).read_text()), "about": "mine"}))


def more_words(folder: Path) -> None:
    (folder / NOTE).write_text(json.dumps({**json.loads((folder / NOTE).read_text()), "keep": True}))


def never_locked(folder: Path) -> None:
    (folder / NOTE).write_text(json.dumps({**json.loads((folder / NOTE).read_text()), "locked": False}))


def long_note(folder: Path) -> None:
    (folder / NOTE).write_text((folder / NOTE).read_text() + " " * 5000)


def linked_note(folder: Path) -> None:
    os.link(folder / NOTE, folder / "another")


def note_elsewhere(folder: Path) -> None:
    (folder / NOTE).rename(folder / "another")
    (folder / NOTE).symlink_to("another")


def note_that_waits(folder: Path) -> None:
    (folder / NOTE).unlink()
    os.mkfifo(folder / NOTE)


def open_to_others(folder: Path) -> None:
    folder.chmod(0o755)


def renamed(folder: Path) -> None:
    folder.rename(folder.with_name(NAME))


def copied(folder: Path) -> None:
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    copy.chmod(0o700)
    shutil.rmtree(folder)
    copy.rename(folder)


def a_link_to_it(folder: Path) -> None:
    folder.rename(folder.with_name("moved"))
    folder.symlink_to("moved")


def a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("a letter")


LOOK_ALIKES: dict[Callable[[Path], None], str] = {
    no_note: "no note",
    broken_note: "not complete",
    other_words: "not complete",
    more_words: "not complete",
    never_locked: "no lock",
    long_note: "not one that a run writes",
    linked_note: "not a regular file",
    note_elsewhere: "not a regular file",
    note_that_waits: "not a regular file",
    open_to_others: "permissions are 755",
    renamed: "another folder",
    copied: "another folder",
    a_link_to_it: "symbolic link",
    a_file: "not a folder",
}


@pytest.mark.parametrize("changed", LOOK_ALIKES, ids=lambda changed: changed.__name__)
def test_a_look_alike_is_left_as_it_is_and_named(changed: Callable[[Path], None], place: Path) -> None:
    changed(left(place))
    assert LOOK_ALIKES[changed] in refused(place)


@needs_root
def test_a_folder_of_another_user_is_not_looked_at(place: Path) -> None:
    folder = left(place)
    for path in (folder, folder / NOTE):
        os.chown(path, 12345, 12345)
    before = everything(place)
    assert (look(place), clear(place)) == ([], [])
    assert everything(place) == before
    assert any(folder.name in warning for warning in probe(parse_address(f"dir:{place}")).warnings)


@needs_root
def test_a_note_of_another_user_proves_nothing(place: Path) -> None:
    os.chown(left(place) / NOTE, 12345, 12345)
    assert "not a regular file with one name" in refused(place)


def test_an_empty_folder_is_removed_once_it_is_old_and_never_with_anything_in_it(place: Path) -> None:
    (place / NAME).mkdir(mode=0o700)
    assert [found.state for found in clear(place)] == ["in use"], "its run may be about to put its note there"
    os.utime(place / NAME, (0, 0))
    assert [found.state for found in clear(place)] == ["removed"]
    (place / NAME).mkdir(mode=0o700)
    (place / NAME / NOTE).touch()
    assert [found.state for found in clear(place)] == ["in use"]
    (place / NAME / "letter").write_text("dear reader")
    os.utime(place / NAME, (0, 0))
    assert "not complete" in refused(place)
    (place / NAME / "letter").unlink()
    os.utime(place / NAME, (0, 0))
    assert [found.state for found in clear(place)] == ["removed"]


def test_a_run_whose_empty_folder_is_taken_for_a_leftover_makes_another(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    mkdir = os.mkdir

    def made_and_removed(name: str, mode: int, *, dir_fd: int) -> None:
        mkdir(name, mode, dir_fd=dir_fd)
        made.append(name)
        if len(made) == 1:
            os.rmdir(name, dir_fd=dir_fd)

    monkeypatch.setattr(os, "mkdir", made_and_removed)
    with OwnFolder(place, "run") as own:
        assert own.path.name == made[1]


def test_a_run_that_gets_going_while_its_folder_is_taken_for_a_leftover_keeps_all_it_has(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / NAME).mkdir(mode=0o700)
    os.utime(place / NAME, (0, 0))

    def meanwhile(_: int) -> list[str]:
        (place / NAME / NOTE).write_text("note")
        (place / NAME / "letter").write_text("dear reader")
        return []

    monkeypatch.setattr(leftovers, "take_down", meanwhile)
    (found,) = clear(place)
    assert (found.state, found.why) == ("unproven", "Directory not empty")
    assert everything(place / NAME) == {NOTE: b"note", "letter": b"dear reader"}


def test_a_folder_made_before_the_machine_started_counts_only_where_no_other_machine_comes(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left(place)
    monkeypatch.setattr(leftover_proof, "boot_identifier", lambda: "another")
    monkeypatch.setattr(MountTree, "file_system_of", lambda *_: "nfs4")
    assert "by another one that reaches this nfs4" in refused(place)
    monkeypatch.setattr(MountTree, "file_system_of", lambda *_: "ext4")
    assert [found.state for found in clear(place)] == ["removed"]


def test_a_removal_that_is_broken_off_is_finished_by_the_next_run(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = left(place)

    def breaks_off(*_: object, **__: object) -> None:
        (folder / "files" / "deep" / "x").unlink()
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(leftovers, "remove_contents", breaks_off)
        assert [found.why for found in clear(place)] == ["Input/output error"]
    assert [found.state for found in clear(place)] == ["removed"]


def test_a_folder_that_is_swapped_for_a_link_during_its_removal_leads_nobody_elsewhere(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    precious = tmp_path / "precious"
    (precious / "deep").mkdir(parents=True)
    (precious / "deep" / "x").write_text("dear reader")
    folder = left(place)
    really = os.open

    def swapped(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "files" and not (folder / "files").is_symlink():
            (folder / "files").rename(folder / "moved")
            (folder / "files").symlink_to(precious)
        return really(path, flags, mode, dir_fd=dir_fd)

    handle = os.open(folder, os.O_RDONLY)
    monkeypatch.setattr(os, "open", swapped)
    with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
        remove_contents(handle)
    os.close(handle)
    assert everything(precious) == {"deep": None, "deep/x": b"dear reader"}


def test_plan_says_what_is_there_and_changes_nothing(place: Path) -> None:
    old, name = place / "flashscope-abc", left(place).name
    old.mkdir()
    before = everything(place)
    with OwnFolder(place, "run") as live:
        warnings = probe(parse_address(f"dir:{place}")).warnings
    assert everything(place) == before
    said = {each.split(" in ")[0]: each for each in warnings if each.startswith("flashscope-")}
    assert "the next run that writes here removes it" in said[name]
    assert "remove it when no run uses it" in said[old.name]
    assert any("another run is at work there" in warning and live.path.name in warning for warning in warnings)


def test_a_run_that_is_refused_for_another_reason_removes_nothing(place: Path) -> None:
    name = left(place).name
    with pytest.raises(WrongUse):
        open_drive(parse_address(f"dir:{place}"), destructive=True, consent=Consent())
    drive = open_drive(parse_address(f"dir:{place}"), destructive=False, consent=Consent(allow=frozenset({"memory"})))
    drive.close()
    assert [(found.name, found.state) for found in look(place)] == [(name, "left over")]
