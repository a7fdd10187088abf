"""Programs that can write to a drive are started in one place, which ends them with us; all others only tell."""

import ast
from collections.abc import Iterator
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "src" / "flashscope"

MAY_START = {
    "drives/system/bound_child.py": "the one place: what it starts ends with us",
    "drives/system/tools.py": "lsblk and wipefs --no-act read",
    "reports/plotting/beside.py": "draws charts, gets no drive, and ends when its pipe does",
    "reports/plotting/renderer.py": "a trial of what draws charts, which gets no drive",
    "runner/engines/fio/process.py": "fio --version and --enghelp print",
    "runner/engines/fio/options.py": "fio --cmdhelp prints",
    "runner/host.py": "smartctl --version prints",
    "smart/readers/live.py": "smartctl and nvme-cli read",
    "smart/watching/hook.py": "a person's own program, which gets no drive",
}
_STARTS = {"run", "Popen", "call", "check_call", "check_output", "getoutput", "system", "popen", "fork", "posix_spawn"}


def starts(path: Path) -> Iterator[int]:
    """The lines on which a file starts a program or a process of its own."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _STARTS:
            whose = node.func.value
            if isinstance(whose, ast.Name) and whose.id in ("subprocess", "os", "pty"):
                yield node.lineno


def test_programs_are_started_only_where_that_is_known_to_be_safe() -> None:
    found = {str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if list(starts(path))}

    assert found == set(MAY_START), "start what can write with drives/system/bound_child.py"


def test_no_module_imports_the_starting_functions_by_themselves() -> None:
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module in ("subprocess", "os"):
                assert not _STARTS & {name.name for name in node.names}, path
