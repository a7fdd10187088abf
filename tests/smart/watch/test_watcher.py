import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from flashscope.errors import DriveFailed, WrongUse
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.dump import Dump
from flashscope.smart.watching import alert_rows
from flashscope.smart.watching.alerts import Change
from flashscope.smart.watching.endpoint import Endpoint, parse_address
from flashscope.smart.watching.hook import Hook
from flashscope.smart.watching.series_store import SeriesStore
from flashscope.smart.watching.textfile import check_textfile, write_textfile
from flashscope.smart.watching.watcher import Outputs, Place, Watcher
from tests.smart.watch.make_samples import make_dump, make_reading, moment
from tests.smart.watch.test_exposition import parse

ROOT = Path(__file__).parents[3]
CHANGE = Change("ACME X1/S-1", "/dev/sdx", "life_left", "raised", "warning", 'a "message"', 9.5, 10, "percent", "do it")


class Drive:
    """A place whose readings are given: values, a dump, or an error to raise."""

    def __init__(self, *readings: Any, name: str = "/dev/sdx") -> None:
        self.readings, self.index = list(readings), -1
        self.place = Place(name, self.take)

    def take(self) -> Dump:
        self.index += 1
        reading = self.readings[self.index]
        if isinstance(reading, Exception):
            raise reading
        return reading if isinstance(reading, Dump) else make_dump(statistics=(), printed={})

    def decode(self, dump: Dump) -> Reading:
        reading = self.readings[self.index]
        return make_reading(**(reading if isinstance(reading, dict) else {}))


class Ticks:
    def __init__(self) -> None:
        self.at_s = 0.0

    def __call__(self) -> Any:
        self.at_s += 1
        return moment(self.at_s)


def watch(path: Path, drive: Drive, outputs: Outputs | None = None) -> list[str]:
    """Look once for every reading of the drive; returns what was logged."""
    log: list[str] = []
    outputs = outputs or Outputs()
    outputs.log = log.append
    with SeriesStore(path / "s.sqlite") as store:
        watcher = Watcher([drive.place], store, drive.decode, outputs, every_s=1.0, clock=Ticks())
        for _ in drive.readings:
            watcher.look()
    return log


def test_alerts_are_raised_once_and_cleared_across_restarts_of_the_watch(tmp_path: Path) -> None:
    rows = [{"remaining_life_ratio": ratio} for ratio in (0.5, 0.05, 0.05, 0.5, 0.5)]
    for row in rows:
        watch(tmp_path, Drive(row))
    with SeriesStore(tmp_path / "s.sqlite") as store:
        told = [change[1:] for change in alert_rows.all_changes(store, "ACME X1/S-1")]
    assert told == [("life_left", "raised"), ("life_left", "cleared")]


def test_a_drive_that_cannot_be_read_is_an_alert_after_three_times_and_clears_at_once(tmp_path: Path) -> None:
    gone = DriveFailed("gone")
    log = watch(tmp_path, Drive(gone, gone, {}, gone, gone, RuntimeError("ours"), gone, {}))
    assert [line.split(": ")[1:3] for line in log if " alert " in line] == [
        ["critical alert raised", "unreadable"],
        ["critical alert cleared", "unreadable"],
    ]
    assert any("a fault in flashscope: RuntimeError: ours" in line for line in log)


def test_a_dump_that_cannot_be_decoded_is_kept(tmp_path: Path) -> None:

    class Undecodable(Drive):
        def decode(self, dump: Dump) -> Reading:
            raise ZeroDivisionError

    assert "ZeroDivisionError" in watch(tmp_path, Undecodable(make_dump()))[0]
    with SeriesStore(tmp_path / "s.sqlite") as store:
        assert next(iter(store.dumps("ACME X1/S-1")))[1] == make_dump()


def test_alerts_of_a_drive_that_was_taken_away_end(tmp_path: Path) -> None:
    log = watch(tmp_path, Drive({"remaining_life_ratio": 0.01}, make_dump(serial="S-2")))
    assert [line for line in log if "life_left" in line][-1].startswith("/dev/sdx: warning alert cleared")
    assert any("drive replaced" in line for line in log)
    with SeriesStore(tmp_path / "s.sqlite") as store:
        assert alert_rows.raised(store, "ACME X1/S-1") == frozenset()


def test_the_store_that_fails_does_not_end_the_watch(tmp_path: Path) -> None:
    drive, log = Drive({}, {}, {}), list[str]()
    with SeriesStore(tmp_path / "s.sqlite") as store:
        watcher = Watcher([drive.place], store, drive.decode, Outputs(log=log.append), every_s=1.0)
        watcher.look()
        store._connection.execute("PRAGMA query_only = ON")
        watcher.look()
        store._connection.execute("PRAGMA query_only = OFF")
        watcher.look()
        assert len(store.samples("ACME X1/S-1")) == 2
    assert "may not be written" in log[0]


def test_the_watch_keeps_its_interval_and_stops_when_asked(tmp_path: Path) -> None:
    drive, stop, times = Drive(*[{}] * 50), threading.Event(), []

    def tell(*_: Any) -> None:
        times.append(time.monotonic())
        if len(times) == 4:
            stop.set()

    with SeriesStore(tmp_path / "s.sqlite") as store:
        Watcher([drive.place], store, drive.decode, Outputs(tell=tell), every_s=0.2).run(stop)
    assert len(times) == 4
    assert 0.55 < times[-1] - times[0] < 2.0


# The hook.


def test_the_hook_finds_everything_in_its_environment(tmp_path: Path) -> None:
    told: list[int] = []
    (tmp_path / "hook.py").write_text("import json, os\njson.dump(dict(os.environ), open('out', 'w'))\n")
    hook = Hook(f"sh -c 'cd {tmp_path} && {sys.executable} hook.py'", print, told.append)
    hook.tell(7, CHANGE, 1_800_000_000.0)
    hook.close(20.0)
    environment = json.loads((tmp_path / "out").read_text())
    assert {key: text for key, text in environment.items() if key.startswith("FLASHSCOPE_")} == {
        "FLASHSCOPE_STATE": "raised",
        "FLASHSCOPE_CONDITION": "life_left",
        "FLASHSCOPE_SEVERITY": "warning",
        "FLASHSCOPE_DRIVE": "ACME X1/S-1",
        "FLASHSCOPE_DEVICE": "/dev/sdx",
        "FLASHSCOPE_MESSAGE": 'a "message"',
        "FLASHSCOPE_ADVICE": "do it",
        "FLASHSCOPE_VALUE": "9.5",
        "FLASHSCOPE_LIMIT": "10",
        "FLASHSCOPE_UNIT": "percent",
        "FLASHSCOPE_TIME_UTC": "2027-01-15T08:00:00Z",
    }
    assert told == [7]


def test_a_hook_that_fails_hangs_or_is_not_there_is_logged_and_left_behind(tmp_path: Path) -> None:
    for command, said in (("false", "status 1"), ("/no/such/command", "not be started"), ("sleep 60", "was killed")):
        log: list[str] = []
        hook = Hook(command, log.append, time_limit_s=0.3)
        began_s = time.monotonic()
        hook.tell(1, CHANGE, 0.0)
        assert time.monotonic() - began_s < 0.1, "the watch does not wait"
        hook.close(10.0)
        assert time.monotonic() - began_s < 5
        assert said in log[0]


def test_a_hanging_hook_is_killed_with_its_children_when_the_watch_stops(tmp_path: Path) -> None:
    (tmp_path / "hook.sh").write_text(f"sleep 61 & echo $! > {tmp_path}/child; wait\n")
    hook = Hook(f"sh {tmp_path}/hook.sh", print)
    hook.tell(1, CHANGE, 0.0)
    give_up_s = time.monotonic() + 10
    while not (tmp_path / "child").exists() or not (tmp_path / "child").read_text().strip():
        assert time.monotonic() < give_up_s
        time.sleep(0.02)
    hook.close(0.2)
    child = Path(f"/proc/{int((tmp_path / 'child').read_text())}/stat")
    while child.exists() and child.read_text().split()[2] != "Z":
        assert time.monotonic() < give_up_s, "the child of the hook lives on"
        time.sleep(0.02)


def test_what_a_killed_watch_could_not_tell_the_next_one_tells(tmp_path: Path) -> None:
    class Deaf(Hook):
        def tell(self, number: int, change: Change, wall_s: float) -> None:
            """As if the watch had been killed before."""

    deaf = Deaf("true", print)
    watch(tmp_path, Drive({"remaining_life_ratio": 0.01}), Outputs(hook=deaf))
    deaf.close(5.0)
    told: list[int] = []
    hook = Hook("true", print, told.append)
    watch(tmp_path, Drive({"remaining_life_ratio": 0.01}), Outputs(hook=hook))
    hook.close(10.0)
    assert told == [1]
    with SeriesStore(tmp_path / "s.sqlite") as store:
        alert_rows.mark_told(store, 1)
        assert alert_rows.untold(store) == ()


def test_a_command_that_cannot_be_split_is_refused() -> None:
    for command in ("'open", "  "):
        with pytest.raises(WrongUse, match="--on-alert"):
            Hook(command, print)


# Prometheus: the endpoint and the textfile.


def test_addresses_are_loopback_unless_told_otherwise() -> None:
    assert parse_address("9633") == parse_address(":9633") == ("127.0.0.1", 9633)
    assert parse_address("0.0.0.0:1") == ("0.0.0.0", 1)
    assert parse_address("[::1]:9633") == ("::1", 9633)
    for text in ("", "host", "a:b:9", "99999", "-1", "1.2.3.4:"):
        with pytest.raises(WrongUse, match="--prometheus"):
            parse_address(text)


def test_the_endpoint_answers_and_lets_go_of_its_port() -> None:
    endpoint = Endpoint("127.0.0.1", 0)
    try:
        endpoint.show('# HELP a b\n# TYPE a gauge\na{b="°"} 1\n')
        base = f"http://127.0.0.1:{endpoint.port}"
        with urllib.request.urlopen(f"{base}/metrics?x=1", timeout=5) as answer:
            assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
            assert parse(answer.read().decode())["a"].kind == "gauge"
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            urllib.request.urlopen(f"{base}/other", timeout=5)
        refused.value.close()
        with pytest.raises(WrongUse, match="cannot listen"):
            Endpoint("127.0.0.1", endpoint.port)
        with socket.create_connection(("127.0.0.1", endpoint.port)) as slow, urllib.request.urlopen(base, timeout=5):
            slow.sendall(b"GET /")  # and no more: others are answered all the same
    finally:
        endpoint.close()
    with pytest.raises(ConnectionError):
        socket.create_connection(("127.0.0.1", endpoint.port))


def test_the_textfile_is_whole_whenever_it_is_read(tmp_path: Path) -> None:
    path, stop, seen = tmp_path / "flash.prom", threading.Event(), set()
    texts = ["# HELP flashscope_up " + f"{index} " * 50_000 for index in range(2)]
    write_textfile(path, texts[0])

    def read() -> None:
        while True:
            seen.add(path.read_text())
            if stop.is_set():
                return

    reader = threading.Thread(target=read)
    reader.start()
    for index in range(50):
        write_textfile(path, texts[index % 2])
    stop.set()
    reader.join()
    assert seen <= set(texts)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert os.listdir(tmp_path) == ["flash.prom"]


def test_a_textfile_that_would_not_be_read_or_cannot_be_written_is_said(tmp_path: Path) -> None:
    for path in (tmp_path / "flash.txt", tmp_path / "missing" / "flash.prom"):
        with pytest.raises(WrongUse, match="--textfile"):
            check_textfile(path)
    (tmp_path / "d.prom").mkdir()
    with pytest.raises(WrongUse, match="is a directory"):
        write_textfile(tmp_path / "d.prom", "# HELP flashscope_up")
    assert os.listdir(tmp_path) == ["d.prom"]


# The command as a person runs it.

_COMMAND = """
import flashscope.cli.smart.watch as command
from flashscope.smart.decoding.reading import Field, Reading
field = Field("remaining_life_ratio", 0.01, "ratio", "", "inferred", 0.01, 0.01)
command._decode = lambda dump: Reading("test", "", True, fields={field.key: field})
command.watch()
"""


def command(tmp_path: Path, *arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _COMMAND, *arguments, "--store", str(tmp_path / "s.sqlite")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        **options,
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_command_watches_a_virtual_drive_serves_and_stops_at_a_signal(tmp_path: Path, number: int) -> None:
    hook = f"sh -c 'echo $FLASHSCOPE_STATE $FLASHSCOPE_CONDITION >> {tmp_path}/told'"
    running = command(
        tmp_path, "sim:onyx-32", "--every", "1s", "--prometheus", "0", "--textfile", str(tmp_path / "f.prom"),
        "--on-alert", hook, "--json",
    )  # fmt: skip
    assert running.stdout is not None
    assert running.stderr is not None
    address = running.stderr.readline().split()[-1]
    for _ in range(2):
        assert '"family": "test"' in running.stdout.readline()
    with urllib.request.urlopen(address, timeout=5) as answer:
        families = parse(answer.read().decode())
    assert (("device", "sim:onyx-32"),) in families["flashscope_reading_success"].series
    assert parse((tmp_path / "f.prom").read_text()).keys() >= {"flashscope_remaining_life_ratio"}
    running.send_signal(number)
    _, error = running.communicate(timeout=20)
    assert running.returncode == 0, error
    assert "every sample is in the store" in error
    assert "Traceback" not in error
    assert (tmp_path / "told").read_text() == "raised life_left\n"


def test_once_looks_once_and_says_by_its_exit_code_whether_anything_was_read(tmp_path: Path) -> None:
    done = command(tmp_path, "sim:onyx-32", "--once")
    output, error = done.communicate(timeout=30)
    assert (done.returncode, "remaining_life_ratio 0.01" in output) == (0, True), error
    done = command(tmp_path, str(tmp_path / "missing.txt"), "--once")
    _, error = done.communicate(timeout=30)
    assert done.returncode == 1
    assert "not read" in error
    assert "Traceback" not in error


def test_a_hook_that_is_given_up_on_is_told_again_by_the_next_watch() -> None:
    told: list[int] = []
    hook = Hook("sleep 60", print, told.append)
    for number in (1, 2):
        hook.tell(number, CHANGE, 0.0)
    hook.close(0.3)
    assert told == []
