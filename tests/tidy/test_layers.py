"""Knowledge flows one way: between the crates, and between the rooms of the Python side."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each crate with everything of ours it may know.
MAY_KNOW = {
    "kernel": set(),
    "nand": {"kernel"},
    "ftl": {"kernel", "nand"},
    "drive": {"kernel", "nand", "ftl"},
    "workload": {"kernel", "drive"},
    "rows": set(),
    "python": {"kernel", "drive", "workload", "rows"},
}


def dependencies_of(crate: str) -> dict[str, object]:
    manifest = tomllib.loads((ROOT / "crates" / crate / "Cargo.toml").read_text())
    return {**manifest.get("dependencies", {}), **manifest.get("dev-dependencies", {})}


def test_every_crate_has_its_place_in_the_order() -> None:
    crates = {path.parent.name for path in (ROOT / "crates").glob("*/Cargo.toml")}
    assert crates == set(MAY_KNOW)


def test_crates_know_only_what_lies_below_them() -> None:
    for crate, may_know in MAY_KNOW.items():
        ours = {name.removeprefix("flashscope-") for name in dependencies_of(crate) if name.startswith("flashscope-")}
        assert ours <= may_know, f"crates/{crate} knows {sorted(ours - may_know)}"


def test_only_the_border_knows_python() -> None:
    for crate in MAY_KNOW:
        assert ("pyo3" in dependencies_of(crate)) == (crate == "python"), crate


def test_the_core_reads_no_clock_and_opens_nothing() -> None:
    forbidden = ("std::time", "std::net", "std::fs", "std::env", "HashMap", "HashSet")
    for path in sorted((ROOT / "crates").glob("*/src/**/*.rs")):
        if path.is_relative_to(ROOT / "crates" / "python"):
            continue
        text = path.read_text()
        for name in forbidden:
            assert name not in text, f"{path.relative_to(ROOT)} uses {name}"


def test_python_rooms_import_only_what_lies_below_them() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_only_the_drives_know_the_core() -> None:
    source = ROOT / "src" / "flashscope"
    knows = {path.relative_to(source).parts[0] for path in source.glob("**/*.py") if "_core" in path.read_text()}
    # host.py of the runner names the core's version in every record; laws are held on drives that are no part,
    # and no two drives of a population are quite the part. smart/ has rows of text cut there, which are of no drive.
    assert knows <= {"drives", "runner", "reproduce", "endurance", "smart"}, knows
