"""Editors, hooks and CI hold to the same rules as `make lint`: nobody learns of one only after the push."""

import re
import subprocess
import tomllib
from configparser import ConfigParser
from fnmatch import fnmatch
from pathlib import Path

from tests.known import known

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text()

NOT_OURS = ("*.lock", "*.svg", "*.png")
"""What programs wrote stays as they wrote it."""


def verbs() -> set[str]:
    phony = known(re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE))
    return set(phony[1].split())


def recipe(verb: str) -> str:
    found = re.search(rf"^{verb}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found is not None, verb
    return found[1]


def editor_settings() -> ConfigParser:
    settings = ConfigParser()
    settings.read_string("[all]\n" + (ROOT / ".editorconfig").read_text())
    return settings


def text_files() -> list[tuple[str, bytes]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if name and not any(fnmatch(name, each) for each in NOT_OURS)]
    contents = [(name, (ROOT / name).read_bytes()) for name in names if (ROOT / name).is_file()]
    return [(name, content) for name, content in contents if b"\0" not in content]


def test_the_hook_before_a_commit_and_ci_call_make_and_nothing_else() -> None:
    entries = re.findall(r"^\s*entry: (.*)$", (ROOT / ".pre-commit-config.yaml").read_text(), re.MULTILINE)
    assert entries == ["make lint"]
    for script in sorted((ROOT / ".ci").iterdir()):
        lines = [line for line in script.read_text().splitlines() if line and not line.startswith("#")]
        called = [line for line in lines if not line.startswith(("set ", "cd "))]
        assert called[0] == "make lint", script
        assert all(re.fullmatch(r"make [a-z-]+", line) and line.split()[1] in verbs() for line in called), script


def test_the_hook_looks_at_every_kind_of_file_that_lint_reads() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text()
    kinds = known(re.search(r"types_or: \[(.*)\]", text))
    assert {kind.strip() for kind in kinds[1].split(",")} >= {"python", "pyi", "rust", "toml", "makefile"}


def test_the_toolchain_brings_what_lint_calls() -> None:
    toolchain = tomllib.loads((ROOT / "rust-toolchain.toml").read_text())["toolchain"]
    called = set(re.findall(r"cargo (fmt|clippy)", recipe("lint")))
    assert called == {"fmt", "clippy"}
    assert set(toolchain["components"]) == {"rustfmt", "clippy"}
    assert toolchain["channel"] == "stable", "the lowest version that works is rust-version of Cargo.toml"
    assert tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["rust-version"]


def test_editors_ruff_and_rustfmt_agree_on_the_width_of_a_line() -> None:
    width = editor_settings()["*"].getint("max_line_length")
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["line-length"] == width
    assert tomllib.loads((ROOT / "rustfmt.toml").read_text())["max_width"] == width


def test_every_text_file_is_as_an_editor_leaves_it() -> None:
    settings = editor_settings()["*"]
    assert (settings["end_of_line"], settings["charset"]) == ("lf", "utf-8")
    assert settings.getboolean("insert_final_newline")
    assert settings.getboolean("trim_trailing_whitespace")
    wrong: dict[str, list[str]] = {"end of line": [], "final newline": [], "white space": [], "tab": []}
    for name, content in text_files():
        lines = content.decode().split("\n")
        if b"\r" in content:
            wrong["end of line"].append(name)
        if content and not content.endswith(b"\n"):
            wrong["final newline"].append(name)
        if any(line != line.rstrip(" \t") for line in lines):
            wrong["white space"].append(name)
        if Path(name).name != "Makefile" and any(line.startswith("\t") for line in lines):
            wrong["tab"].append(name)
    assert {fault: names for fault, names in wrong.items() if names} == {}
