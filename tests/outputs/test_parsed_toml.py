"""The cache of parsed TOML: the same documents, never a stale or a damaged one, and no error of its own."""

from __future__ import annotations

import errno
import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from flashscope.outputs import parsed_toml
from flashscope.outputs.parsed_toml import parsed_folder


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tables = tmp_path / "tables"
    (tables / "below").mkdir(parents=True)
    (tables / "a.toml").write_text('title = "first"\nscale = [1, 0.5]\n')
    (tables / "below" / "b.toml").write_text("[mark]\nbits = 3\nflags = true\n")
    return tables


def _documents(folder: Path) -> dict[str, Any]:
    return {path: document for path, (_, document) in parsed_folder(folder, "t").items()}


def _parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    seen: list[str] = []
    real = tomllib.loads

    def counted(text: str) -> dict[str, Any]:
        seen.append(text)
        return real(text)

    monkeypatch.setattr(tomllib, "loads", counted)
    return seen


EXPECTED = {"a.toml": {"title": "first", "scale": [1, 0.5]}, "below/b.toml": {"mark": {"bits": 3, "flags": True}}}


def test_a_second_start_parses_nothing_and_finds_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = _parses(monkeypatch)
    assert _documents(folder) == EXPECTED
    assert len(parsed) == 2
    assert _documents(folder) == EXPECTED
    assert len(parsed) == 2


def test_a_changed_a_new_and_a_renamed_file_are_parsed(folder: Path) -> None:
    _documents(folder)
    kept = os.stat(folder / "a.toml")
    (folder / "a.toml").write_text('title = "other"\nscale = [1, 0.5]\n')  # as long as before
    os.utime(folder / "a.toml", ns=(kept.st_atime_ns, kept.st_mtime_ns))
    assert _documents(folder)["a.toml"]["title"] == "other"
    (folder / "c.toml").write_text("x = 1")
    assert "c.toml" in _documents(folder)
    (folder / "c.toml").rename(folder / "d.toml")
    assert "d.toml" in _documents(folder)
    assert "c.toml" not in _documents(folder)


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: whole[:-20],
        lambda whole: whole.replace(b"first", b"forst"),
        lambda whole: b"",
        lambda whole: b"\xff" + whole,
        lambda whole: whole.split(b"\n")[0] + b"\n[]",
    ],
    ids=["cut", "changed", "empty", "no text", "no documents"],
)
def test_a_damaged_cache_is_made_anew(folder: Path, damage: Any) -> None:
    _documents(folder)
    place = parsed_toml.cache_directory() / "t.json"
    whole = place.read_bytes()
    place.write_bytes(damage(whole))
    assert _documents(folder) == EXPECTED
    assert place.read_bytes() == whole


def test_a_full_disk_and_a_place_that_cannot_be_written_are_no_errors(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", lambda *_, **__: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full")))
        assert _documents(folder) == EXPECTED
    assert not list(parsed_toml.cache_directory().glob("*"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "a.toml"))  # a file where a directory should be
    assert _documents(folder) == EXPECTED


def test_a_cache_of_somebody_else_is_not_believed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _documents(folder)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    parsed = _parses(monkeypatch)
    assert _documents(folder) == EXPECTED
    assert len(parsed) == 2


def test_what_json_cannot_say_is_not_kept(folder: Path) -> None:
    (folder / "date.toml").write_text("day = 2024-01-02\n")
    assert str(_documents(folder)["date.toml"]["day"]) == "2024-01-02"
    assert str(_documents(folder)["date.toml"]["day"]) == "2024-01-02"


def test_no_toml_is_an_error_each_time(folder: Path) -> None:
    (folder / "bad.toml").write_text("x = ")
    for _ in range(2):
        with pytest.raises(tomllib.TOMLDecodeError):
            _documents(folder)
