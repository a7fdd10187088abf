"""Python in another PID namespace, under another host name: as in a container."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_UNSHARE = ["unshare", "--uts", "--pid", "--fork", "--mount-proc", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def elsewhere(code: str, *arguments: object, host_name: str = "elsewhere") -> subprocess.Popen[str]:
    """Start Python code there, with arguments; it ends with this process. Skips the test where that cannot be."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    tried = subprocess.run([*_UNSHARE, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"namespaces cannot be made here: {tried.stderr.strip()}")
    # The shell stays, since the first process of a namespace cannot kill itself.
    script = 'hostname "$1"; shift; "$@"; echo "code $?"'
    command = [*_UNSHARE, "--kill-child", "sh", "-c", script, "sh", host_name, sys.executable, "-c", code]
    return subprocess.Popen(
        [*command, *map(str, arguments)], cwd=_ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
