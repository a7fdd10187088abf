"""The repository checks itself: every experiment has its three places, docs name what exists, words stay out."""

import re
import subprocess
from pathlib import Path

import pytest

from flashscope.experiments.catalogue import all_experiments

ROOT = Path(__file__).resolve().parents[2]


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / line for line in listed.splitlines()]


@pytest.mark.parametrize("name", [experiment.name for experiment in all_experiments()])
def test_an_experiment_has_a_file_a_chart_and_a_page(name: str) -> None:
    module = name.replace("-", "_")
    assert (ROOT / "src/flashscope/experiments" / f"{module}.py").is_file()
    assert (ROOT / "src/flashscope/reports/charts" / f"{module}.py").is_file()
    page = (ROOT / "docs/experiments" / f"{name}.md").read_text()
    assert "test" in page.lower(), "the page names the test that holds it"


def test_links_between_pages_lead_somewhere() -> None:
    for page in [path for path in tracked_files() if path.suffix == ".md"]:
        for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
            if not re.match(r"[a-z]+:", link):
                assert (page.parent / link).exists(), f"{page.relative_to(ROOT)} links to {link}"


def test_lock_files_hold_no_addresses() -> None:
    for path in [*ROOT.glob("requirements/*.lock"), ROOT / "Cargo.lock"]:
        hosts = set(re.findall(r"https?://([^/\s\"]+)", path.read_text()))
        # cargo names the public index as the identity of every package, whatever it was fetched from.
        assert hosts <= {"github.com"}, path.name


def test_each_source_file_says_what_it_is() -> None:
    for path in tracked_files():
        if path.suffix == ".rs":
            assert path.read_text().startswith("//!"), path.relative_to(ROOT)
        if path.suffix == ".py" and "src" in path.relative_to(ROOT).parts and path.name != "__init__.py":
            assert path.read_text().startswith(('"""', "#!")), path.relative_to(ROOT)
