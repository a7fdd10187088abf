"""A build is known by its sources: by all of them, and by those that decide a result."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flashscope import _core
from flashscope.records.build import UNKNOWN, Build, is_same_build, name_of_build
from flashscope.runner.build import fingerprints_of, this_build
from flashscope.runner.host import program_versions

PACKAGE = Path(_core.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package as a wheel would install it: elsewhere, the parts a folder rather than a link."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    return Path(shutil.copytree(PACKAGE, tmp_path / "elsewhere" / "flashscope", ignore=ignored))


def test_the_same_sources_are_the_same_build_wherever_they_lie_and_whenever_they_were_written(copy: Path) -> None:
    os.utime(copy / "units.py", (0, 0))
    (copy / "__pycache__").mkdir()
    (copy / "__pycache__" / "units.cpython-311.py").write_text("left over")
    (copy / "notes.txt").write_text("no source")
    assert fingerprints_of(copy) == fingerprints_of(PACKAGE)


@pytest.mark.parametrize("name", ["cli/main.py", "reports/page.html.jinja", "reproduce/case.py"])
def test_what_only_chooses_or_shows_changes_the_package_and_not_the_results(copy: Path, name: str) -> None:
    before, decided = fingerprints_of(copy)
    path = copy / name
    path.write_text(path.read_text() + "\n")
    package, results = fingerprints_of(copy)
    assert package != before
    assert results == decided


@pytest.mark.parametrize(
    "name", ["analysis/change_points.py", "parts/drives/onyx-32.toml", "parts/smart/indilinx.toml"]
)
def test_what_decides_a_result_changes_both(copy: Path, name: str) -> None:
    before, decided = fingerprints_of(copy)
    path = copy / name
    path.write_text(path.read_text() + "\n")
    assert all(now != then for now, then in zip(fingerprints_of(copy), (before, decided), strict=True))


def test_a_source_that_changes_its_name_is_another(copy: Path) -> None:
    before = fingerprints_of(copy)
    (copy / "units.py").rename(copy / "unit.py")
    assert fingerprints_of(copy) != before


def test_the_versions_of_a_record_name_its_build() -> None:
    build, versions = this_build(), program_versions()
    assert Build.of(versions) == build
    assert build.core == _core.SOURCE_FINGERPRINT[:16]
    assert len({build.core, build.package, build.results}) == 3
    assert name_of_build(versions) == f"build {build.version}+{build.results}"


def test_an_unknown_build_is_the_same_as_none() -> None:
    before_builds = {"flashscope": "0.1.0", "core": "0.1.0", "python": "3.11.2"}
    assert Build.of(before_builds) is None
    assert name_of_build(before_builds) == UNKNOWN
    assert not is_same_build(before_builds, before_builds)
    assert not is_same_build(before_builds, program_versions())
    assert is_same_build(program_versions(), program_versions())


@pytest.mark.parametrize("arguments", ["--help", "smart show sim:onyx-32"])
def test_neither_help_nor_one_dump_reads_the_sources(arguments: str, tmp_path: Path) -> None:
    script = f"""
import sys
from click.testing import CliRunner
from flashscope.cli.main import main
result = CliRunner().invoke(main, {arguments.split()!r})
assert result.exit_code == 0, result.output
loaded = sys.modules.get("flashscope.runner.build")
print("read" if loaded is not None and loaded.this_build.cache_info().currsize else "not read")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "not read\n", done.stderr
