"""What the stub says of the core is what the core has: every class, every method, every parameter."""

import inspect
import os
import subprocess
import sys
from pathlib import Path

from flashscope import _core

ROOT = Path(__file__).resolve().parents[2]


def test_the_stub_is_true_of_the_built_module() -> None:
    command = [sys.executable, "-m", "mypy.stubtest", "flashscope._core"]
    environment = {**os.environ, "MYPYPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_verb_of_the_border_says_what_it_does() -> None:
    classes = [owner for owner in vars(_core).values() if inspect.isclass(owner)]
    assert {_core.Drive, _core.Run, _core.FileRun, _core.Wear} <= set(classes)
    for owner in classes:
        assert owner.__doc__, owner.__name__
        for name in [name for name in vars(owner) if not name.startswith("_")]:
            assert getattr(owner, name).__doc__, f"{owner.__name__}.{name}"
