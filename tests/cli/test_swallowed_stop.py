"""Ctrl-C within a destructor, where Python would print a traceback and go on, is heard."""

from __future__ import annotations

import signal
import time

import pytest

from flashscope.cli.program.swallowed_stop import heard


class StoppedAtItsEnd:
    def __init__(self, fault: type[BaseException]) -> None:
        self.fault = fault

    def __del__(self) -> None:
        raise self.fault


def _die(fault: type[BaseException]) -> None:
    StoppedAtItsEnd(fault)
    time.sleep(5 if fault is KeyboardInterrupt else 0)  # the signal ends it


def test_a_stop_that_python_ignores_is_raised_again(capfd: pytest.CaptureFixture[str]) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run with SIGINT ignored
    try:
        with heard(), pytest.raises(KeyboardInterrupt):
            _die(KeyboardInterrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert "Traceback" not in capfd.readouterr().err


def test_another_fault_is_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type[BaseException]] = []
    monkeypatch.setattr("sys.unraisablehook", lambda unraisable: told.append(unraisable.exc_type))
    with heard():
        _die(ValueError)
    assert told == [ValueError]
