"""Draw the charts of docs/experiments anew, each by the command that its page shows.

    python scripts/draw-experiment-charts.py            all pages, about five minutes on two cores
    python scripts/draw-experiment-charts.py NAME ...   these pages

A chart that no page shows is removed; a chart that a page shows and its command does not draw is an error.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ROOT / "docs/experiments"
_COMMAND = re.compile(r"`flashscope (run [^`]*) --charts docs/experiments/figures`")
_CHART = re.compile(r"\(figures/([^)]+\.svg)\)")


def draw(page: Path) -> list[str]:
    """What is wrong with a page's charts, after they were drawn; nothing when all is well."""
    text = page.read_text(encoding="utf-8")
    command, wanted = _COMMAND.search(text), set(_CHART.findall(text))
    if command is None:
        return [f"{page.name} shows no command"]
    with tempfile.TemporaryDirectory() as folder:
        arguments = [*shlex.split(command[1]), "--charts", folder, "--store", f"{folder}/records.sqlite", "--quiet"]
        done = subprocess.run([sys.executable, "-m", "flashscope", *arguments], capture_output=True, text=True)
        if done.returncode:
            return [f"{page.name}: {done.stderr.strip().splitlines()[-1:]}"]
        for name in sorted(wanted):
            drawn = Path(folder, name)
            if not drawn.exists():
                return [f"{page.name} shows {name}, which its command does not draw"]
            (PAGES / "figures" / name).write_bytes(drawn.read_bytes())
    return []


def main(names: list[str]) -> int:
    """Draw the pages named, or all; 1 when something is wrong."""
    pages = [page for page in sorted(PAGES.glob("*.md")) if not names or page.stem in names]
    wrong = []
    for page in pages:
        print(page.stem, flush=True)
        wrong += draw(page)
    shown = {name for page in PAGES.glob("*.md") for name in _CHART.findall(page.read_text(encoding="utf-8"))}
    for chart in (PAGES / "figures").glob("*.svg"):
        if chart.name not in shown:
            chart.unlink()
    print("\n".join(wrong) or "all charts drawn")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
