"""CPU seconds of each folder of tests, the least first: python scripts/time-tests.py [FOLDER ...]

Each folder is run by itself, without the tests marked long; what its children use counts too. docs/reference/tests.md
holds what this prints.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests"


def main() -> None:
    """Run the folders that are named, else all; one line each."""
    folders = sys.argv[1:] or sorted(path.name for path in TESTS.iterdir() if (path / "__init__.py").exists())
    for folder in folders:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n", "0", "-m", "not long"]
        done = subprocess.run([*command, str(TESTS / folder)], capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()[-80:]
        print(f"{folder:16} {cpu_s:7.1f} CPU-s   {last}", flush=True)


main()
