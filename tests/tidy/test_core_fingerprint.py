"""The core's fingerprint follows from its sources alone: not from where they lie, nor from git, nor from tests."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from flashscope import _core

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(shutil.which("rustc") is None, reason="rustc is not installed")


@pytest.fixture(scope="module")
def build_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The build script of the border, as a program of its own."""
    program = tmp_path_factory.mktemp("build") / "build-script"
    source = ROOT / "crates" / "python" / "build.rs"
    subprocess.run(["rustc", "--edition", "2024", "-o", program, source], check=True, cwd=program.parent)
    return program


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources of the core as a source distribution has them: without benches, and without git."""
    shutil.copytree(ROOT / "crates", tmp_path / "crates")
    shutil.copy(ROOT / "Cargo.lock", tmp_path)
    manifest = (ROOT / "Cargo.toml").read_text().splitlines()
    kept = ['members = ["crates/*"]' if line.startswith("members") else line for line in manifest]
    (tmp_path / "Cargo.toml").write_text("\n".join(line for line in kept if not line.startswith("default-members")))
    return tmp_path


def run(script: Path, root: Path) -> tuple[str, set[str]]:
    """The fingerprint, and the files that are watched, relative to the root."""
    environment = {**os.environ, "CARGO_MANIFEST_DIR": str(root / "crates" / "python")}
    said = subprocess.run([script], env=environment, capture_output=True, text=True, check=True).stdout.splitlines()
    watched = {str(Path(line.split("=", 1)[1]).relative_to(root)) for line in said if "rerun-if-changed" in line}
    (fingerprint,) = [line.rpartition("=")[2] for line in said if "FLASHSCOPE_SOURCE_FINGERPRINT" in line]
    return fingerprint, watched


def test_the_built_core_is_that_of_these_sources(build_script: Path) -> None:
    fingerprint, _ = run(build_script, ROOT)
    assert fingerprint == _core.SOURCE_FINGERPRINT, "the core is older than its sources; build it with `make setup`"


def test_the_same_sources_elsewhere_have_the_same_fingerprint(build_script: Path, copy: Path) -> None:
    assert run(build_script, copy)[0] == run(build_script, ROOT)[0]


def test_each_source_and_each_version_that_is_needed_counts(build_script: Path, copy: Path) -> None:
    seen = {run(build_script, copy)[0]}
    for name in ("crates/kernel/src/time.rs", "crates/python/build.rs", "crates/drive/Cargo.toml", "Cargo.toml"):
        (copy / name).write_text((copy / name).read_text() + "\nx")
        seen.add(run(build_script, copy)[0])
    lock = (copy / "Cargo.lock").read_text()
    at = lock.index('name = "libm"')
    (copy / "Cargo.lock").write_text(lock[:at] + lock[at:].replace('version = "0', 'version = "9', 1))
    seen.add(run(build_script, copy)[0])
    assert len(seen) == 6


def test_tests_do_not_count_and_do_not_have_the_core_built_again(build_script: Path, copy: Path) -> None:
    before, watched = run(build_script, copy)
    (copy / "crates" / "kernel" / "src" / "tests.rs").write_text("//! Tests.")
    (copy / "crates" / "kernel" / "src" / "tests").mkdir()
    (copy / "crates" / "kernel" / "src" / "tests" / "of_time.rs").write_text("//! Tests.")
    (copy / "crates" / "kernel" / "tests").mkdir(exist_ok=True)
    (copy / "crates" / "kernel" / "tests" / "time.rs").write_text("//! Tests.")
    assert run(build_script, copy) == (before, watched)
    assert {"Cargo.lock", "crates/nand/src/lib.rs", "crates/python/Cargo.toml"} <= watched
    assert not [name for name in watched if "tests" in Path(name).parts or Path(name).stem == "tests"]
