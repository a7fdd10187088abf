"""`--debug` tells on standard error what was done and when; without it nothing is told and nothing imported."""

from __future__ import annotations

import ast
import logging
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from flashscope.cli.program.debug_log import LONGEST, shown_on_standard_error

SOURCE = Path(__file__).resolve().parents[2] / "src" / "flashscope"
LINE = re.compile(r"flashscope: +\d+\.\d{3} s (\w+) +(.+)")
needs_fio = pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")


def flashscope(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "flashscope"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def told(stderr: str) -> list[tuple[str, str]]:
    """(room, message) of each line of the log."""
    return [(found[1], found[2]) for found in map(LINE.fullmatch, stderr.splitlines()) if found]


def test_a_run_on_a_virtual_drive_tells_its_steps_in_order(tmp_path: Path) -> None:
    run = ("run", "sim:onyx-32", "--experiment", "small-write-latency", "--quick", "--store", "s.sqlite")
    done = flashscope(tmp_path, "--debug", *run)
    assert done.returncode == 0, done.stderr
    messages = [message for room, message in told(done.stderr) if room == "runner"]
    assert re.fullmatch(r"small-write-latency on sim:onyx-32: record \S+, \d+ steps", messages[0])
    assert messages[1].startswith("small-write-latency on sim:onyx-32, step 1 of ")
    assert messages[1].endswith(" begins")
    assert re.search(r": done, took .+ of the drive's time", messages[2])
    assert re.fullmatch(r"small-write-latency on sim:onyx-32: done, \d+ findings", messages[-1])

    silent = flashscope(tmp_path, *run)
    assert told(silent.stderr) == []
    assert silent.stdout.splitlines()[1:] == done.stdout.splitlines()[1:], "standard output is the same"


@needs_fio
def test_a_run_on_a_file_tells_the_rules_of_the_guard_and_what_fio_did(tmp_path: Path) -> None:
    (tmp_path / "job.fio").write_text("[a]\nrw=write\nbs=64k\nsize=1m\n")
    (tmp_path / "target.img").write_bytes(bytes(4 << 20))
    run = ("run", "file:target.img", "job.fio", "--store", "s.sqlite")
    refused = flashscope(tmp_path, "--debug", *run)
    assert refused.returncode == 2
    messages = [message for _, message in told(refused.stderr)]
    assert any(re.match(r"guard: file:target.img, to be written: write-ok refuses: ", each) for each in messages)
    assert not any("fio" in each and "child" in each for each in messages)

    done = flashscope(tmp_path, "--debug", *run, "--write-ok")
    assert done.returncode == 0, done.stderr
    messages = [message for _, message in told(done.stderr)]
    assert any(re.search(r"to be written: \d+ rules asked; these found nothing: exists, ", each) for each in messages)
    assert any(re.search(r"child \d+: \S*fio --output-format=json\+ ", each) for each in messages)
    assert any(re.fullmatch(r"fio: ended with code 0 after \d+\.\d{3} s", each) for each in messages)


def test_reading_smart_tells_the_command_and_how_it_ended(tmp_path: Path) -> None:
    program = tmp_path / "smartctl"
    program.write_text("#!/bin/sh\necho not json\nexit 4\n")
    program.chmod(0o755)
    code = (
        "import os, sys; os.environ['PATH'] = sys.argv[1] + ':' + os.environ['PATH']; sys.argv[1:] = sys.argv[2:]\n"
        "from flashscope.cli.main import main; main()"
    )
    command = [sys.executable, "-c", code, str(tmp_path), "--debug", "smart", "show", "/dev/null"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wanted = r"smartctl --json --xall --presets=ignore -- /dev/null: 9 bytes, ended with code 4 after \d+\.\d{3} s"
    assert any(room == "smart" and re.fullmatch(wanted, message) for room, message in told(done.stderr)), done.stderr


def test_the_page_of_help_imports_no_logging() -> None:
    code = (
        "import sys\nfrom flashscope.cli.main import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "assert 'logging' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_long_message_is_cut_and_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    log, times = logging.getLogger("flashscope.runner"), iter([10.0, 12.5])
    with shown_on_standard_error(clock=lambda: next(times)):
        log.debug("first\nsecond %s", "x" * LONGEST)
    log.debug("after the end")
    said = capsys.readouterr().err
    assert said.startswith("flashscope:    2.500 s runner   first | second xxx")
    assert said.endswith("... (15 characters more)\n")
    assert said.count("\n") == 1


def test_every_room_tells_by_its_own_logger_and_only_while_debugging() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            if node.func.attr == "getLogger" and isinstance(node.args[0], ast.Constant) and room != "cli":
                assert node.args[0].value == f"flashscope.{room}", f"{path}:{node.lineno}"
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "_log":
                assert node.func.attr == "debug", f"{path}:{node.lineno}"
