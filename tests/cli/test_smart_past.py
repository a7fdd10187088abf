"""`flashscope smart show` takes what a watch kept as history: by itself for drives, by name for dumps."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.smart.dump import Dump
from flashscope.smart.readers import live
from tests.known import known

SIM = "sim:onyx-32?aged=worn"


@pytest.fixture(autouse=True)
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the usual store would be; nothing is there yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "flashscope" / "smart.sqlite"


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["smart", *arguments])


def watch(*arguments: str) -> None:
    result = call("watch", "--once", *arguments)
    assert result.exit_code == 0, result.output


def history(*arguments: str) -> dict[str, object] | None:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, object] | None = json.loads(result.stdout)["history"]
    return told


def saved(path: Path, hours: int, **changes: object) -> Path:
    """A dump of a virtual drive with so many hours, as smartctl would have printed it on a certain day."""
    document = json.loads(call(SIM, "--smartctl-json").stdout)
    document["local_time"] = {"time_t": 1_700_000_000 + 3600 * hours}
    document |= changes
    path.write_text(json.dumps(document))
    return path


def test_a_watched_drive_is_shown_with_its_past(store: Path) -> None:
    for _ in range(3):
        watch(SIM)
    before = store.read_bytes()
    told = known(history(SIM))
    assert (told["store"], told["kept_count"], told["used_count"]) == (str(store), 3, 3)
    output = call(SIM).output
    assert "Readings: 4" in output
    assert "Its history: 3 readings kept by a watch since 20" in " ".join(output.split())
    assert store.read_bytes() == before


def test_a_device_has_its_past_by_itself(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(name: str) -> Dump:
        health = {"percent_used": 3, "power_on_hours": 100}
        return Dump("a device", "test", "NVMe", "A DRIVE", serial="S-1", taken_at_s=time.time(), nvme_health=health)

    monkeypatch.setattr(live, "read_device", read)
    watch("/dev/null")
    told = known(history("/dev/zero"))  # the same drive, plugged in elsewhere
    assert told["kept_count"] == 1


def test_alone_means_alone(store: Path) -> None:
    watch(SIM)
    assert history(SIM, "--no-store") is None
    assert "Readings" not in call(SIM, "--no-store").output
    both = call(SIM, "--no-store", "--store", str(store))
    assert both.exit_code == 2
    assert "were both given" in both.stderr


def test_no_usual_store_and_none_of_this_drive_in_it_are_no_fault(store: Path) -> None:
    assert history(SIM) is None
    assert not store.parent.exists()
    watch("sim:c300-256")
    assert history(SIM) is None


def test_a_store_that_is_named_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database" * 100)
    (tmp_path / "empty").touch()
    for name in ("text", "empty", "missing"):
        result = call(SIM, "--store", str(tmp_path / name))
        assert result.exit_code == 2, name
        assert "Traceback" not in result.output
    assert not (tmp_path / "missing").exists()


def test_a_usual_store_that_is_damaged_is_said_and_the_drive_shown(store: Path) -> None:
    store.parent.mkdir(parents=True)
    store.write_text("no database" * 100)
    result = call(SIM)
    assert result.exit_code == 0
    assert "No history: " in result.output
    assert "is not a store" in " ".join(result.output.split())


def test_a_named_store_without_the_drive_says_so(store: Path) -> None:
    watch("sim:c300-256")
    assert "no earlier reading of this drive" in " ".join(call(SIM, "--store", str(store)).output.split())


def test_a_dump_has_a_past_only_when_a_store_is_named_and_is_no_past_of_itself(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    for hours in range(4):
        watch(str(saved(path, hours)))
    assert history(str(path)) is None
    told = known(history(str(path), "--store", str(store)))
    assert (told["kept_count"], told["since_s"]) == (3, 1_700_000_000)
    saved(path, 2)
    told = known(history(str(path), "--store", str(store)))
    assert told["kept_count"] == 2


def test_several_dumps_and_a_past_are_one_history_in_order(store: Path, tmp_path: Path) -> None:
    path = tmp_path / "dump.json"
    for hours in (0, 2, 4):
        watch(str(saved(path, hours)))
    others = [str(saved(tmp_path / f"{hours}.json", hours)) for hours in (3, 5)]
    result = call(*others, "--store", str(store), "--html", str(tmp_path / "page.html"))
    assert result.exit_code == 0, result.output
    assert "Readings: 5" in result.output
    assert "3 readings kept by a watch since 2023-11-14" in (tmp_path / "page.html").read_text()
