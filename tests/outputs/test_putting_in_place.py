"""A result is put in place whole, where it was looked at, and follows nothing that came there meanwhile."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.outputs import (
    HTML,
    METRICS,
    OWN_FILES,
    Form,
    Replacing,
    ResultFile,
    results,
    write_result,
    write_results,
)
from flashscope.outputs.places import Place
from flashscope.outputs.replacing import check_file

PAGE = b'<!doctype html><meta name="generator" content="flashscope">'


def test_a_link_is_followed_to_a_file_that_may_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "page.html")
    for _ in range(2):
        write_result(ResultFile(tmp_path / "link", HTML, PAGE))
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "page.html").read_bytes() == PAGE


def test_another_name_of_a_replaced_file_keeps_what_it_held(tmp_path: Path) -> None:
    old = write_result(ResultFile(tmp_path / "page", HTML, PAGE + b"old"))
    (tmp_path / "other").hardlink_to(old)
    write_result(ResultFile(old, HTML, PAGE))
    assert (tmp_path / "other").read_bytes() == PAGE + b"old"
    assert old.read_bytes() == PAGE


def test_a_new_file_has_the_permissions_that_the_umask_gives(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        path = write_result(ResultFile(tmp_path / "page", HTML, PAGE))
        shared = write_result(ResultFile(tmp_path / "m.prom", METRICS, b"# HELP flashscope_up"))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert stat.S_IMODE(shared.stat().st_mode) == 0o644


@pytest.mark.parametrize("was_there", [True, False])
@pytest.mark.parametrize("what", ["file", "link", "folder"])
def test_what_is_put_there_between_look_and_writing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, was_there: bool
) -> None:
    path = tmp_path / "page.html"
    (tmp_path / "kept").write_text("kept")
    if was_there:
        write_result(ResultFile(path, HTML, PAGE))

    def look_and_exchange(named: Path, form: Form, replacing: Replacing) -> Place:
        place = check_file(named, form, replacing)
        if was_there:
            path.rename(tmp_path / "moved")
        if what == "file":
            path.write_text("mine")
        elif what == "link":
            path.symlink_to(tmp_path / "kept")
        else:
            path.mkdir()
        return place

    monkeypatch.setattr(results, "check_file", look_and_exchange)
    with pytest.raises(WrongUse, match="made or exchanged by another program"):
        write_result(ResultFile(path, HTML, PAGE), Replacing(force=True))
    assert (tmp_path / "kept").read_text() == "kept"
    assert what != "file" or path.read_text() == "mine"
    assert not list(tmp_path.glob(".flashscope-*"))


def test_a_directory_exchanged_for_a_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "precious").mkdir()

    def look_and_exchange(named: Path, form: Form, replacing: Replacing) -> Place:
        place = check_file(named, form, replacing)
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "a").symlink_to("precious")
        return place

    monkeypatch.setattr(results, "check_file", look_and_exchange)
    with pytest.raises(WrongUse, match="cannot be written"):
        write_result(ResultFile(tmp_path / "a" / "page", HTML, PAGE))
    assert not list((tmp_path / "precious").iterdir())


def test_where_links_cannot_be_made_a_file_is_put_in_place_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")  # as FAT says

    monkeypatch.setattr(os, "link", no_links)
    assert write_result(ResultFile(tmp_path / "page", HTML, PAGE)).read_bytes() == PAGE
    assert os.listdir(tmp_path) == ["page"]


def test_nothing_is_written_when_one_of_several_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")
    with pytest.raises(WrongUse, match="--force"):
        write_results([ResultFile(tmp_path / name, HTML, PAGE) for name in ("a", "b")], OWN_FILES)
    assert os.listdir(tmp_path) == ["b"]
