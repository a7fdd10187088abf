"""`flashscope smart`: a name of no command is a drive; exit codes; one JSON document; virtual drives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from flashscope.cli.main import main
from flashscope.cli.smart import source
from flashscope.errors import DriveFailed
from tests.smart.readings import completed, dump

TB = 10**12


def call(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["smart", *arguments])


@pytest.fixture(autouse=True)
def no_series(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What a watch kept on this machine is no matter of these tests."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def drives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two dumps of one drive, and one of a drive that fails, under names; no file is read."""
    known = {
        "before": completed(host_written_bytes=10 * TB, nand_written_bytes=100 * TB, power_on_time_hours=1000),
        "after": completed(host_written_bytes=11 * TB, nand_written_bytes=102 * TB, power_on_time_hours=1024),
        "dying": completed("nvme", critical_warning=8, spare_left_percent=0),
    }

    def fake(addresses: tuple[str, ...]) -> list[object]:
        if "silent" in addresses:
            raise DriveFailed("silent did not answer")
        return [(dump(source=name), known[name]) for name in addresses]

    monkeypatch.setattr(source, "read_all", fake)


def test_no_name_of_a_command_is_a_drive(drives: None) -> None:
    short, long = call("before"), call("show", "before")
    assert short.exit_code == long.exit_code == 0
    assert short.output == long.output
    assert "Write amplification" in short.output
    assert call("--json", "before").exit_code == 0


def test_json_is_one_document_in_the_promised_shape(drives: None) -> None:
    document = json.loads(call("before", "--json").stdout, parse_constant=pytest.fail)
    assert {"family", "is_flash", "confidence", "fields", "contradictions", "clocks"} <= document.keys()
    assert document["fields"]["write_amplification"]["value"] == 10


def test_the_verdict_is_read_before_any_table(drives: None) -> None:
    output = call("dying").output
    assert (
        output.index("failing or has no reserve") < output.index("Copy everything") < output.index("Critical warning")
    )


def test_check_turns_a_dying_drive_into_exit_code_1(drives: None) -> None:
    assert call("dying").exit_code == 0
    assert call("dying", "--check").exit_code == 1
    assert call("before", "--check").exit_code == 0


def test_a_silent_drive_is_exit_code_1_and_a_missing_file_2(drives: None, monkeypatch: pytest.MonkeyPatch) -> None:
    assert call("silent").exit_code == 1
    monkeypatch.undo()
    result = call("/no/such/file")
    assert result.exit_code == 2
    assert "there is no /no/such/file" in result.stderr
    assert "sim:PART" in result.stderr


def test_a_folder_is_sent_to_the_fleet(tmp_path: Path) -> None:
    result = call(str(tmp_path))
    assert result.exit_code == 2
    assert "flashscope smart fleet" in result.stderr


def test_a_page_is_written_and_named(drives: None, tmp_path: Path) -> None:
    result = call("before", "after", "--html", str(tmp_path / "page.html"))
    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == f"Page: {tmp_path / 'page.html'}"
    assert "<!DOCTYPE html>" in (tmp_path / "page.html").read_text()


def test_a_promise_of_bytes_makes_a_clock(drives: None) -> None:
    document = json.loads(call("before", "--rated-written", "100TB", "--json").stdout)
    (clock,) = [one for one in document["clocks"] if one["key"] == "rated_written_bytes"]
    assert clock["used_ratio"]["value"] == pytest.approx(0.1)
    assert call("before", "--rated-written", "100").exit_code == 2, "a size without a unit"


def test_diff_shows_the_time_between(drives: None) -> None:
    result = call("diff", "before", "after")
    assert result.exit_code == 0
    assert "In this time: write amplification 2 ×" in result.output
    assert "+1 TB" in result.output
    document = json.loads(call("diff", "before", "after", "--json").stdout)
    assert document["changes"]["host_written_bytes"]["difference"] == TB
    assert document["interval"]["write_amplification"]["value"] == 2
    assert document["power_on_hours"] == 24


def test_diff_in_the_wrong_order_says_so(drives: None) -> None:
    assert "went backwards" in call("diff", "after", "before").output


@pytest.mark.parametrize("address", ["sim:no-such-part", "sim:onyx-32?aged=nonsense"])
def test_a_virtual_drive_that_is_not_there_is_wrong_use(address: str) -> None:
    assert call(address).exit_code == 2


@pytest.mark.parametrize("part", ["onyx-32", "c300-256"])
def test_a_worn_virtual_drive_shows_its_wear(part: str) -> None:
    result = call(f"sim:{part}?aged=worn", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["is_flash"] is True
    fields = document["fields"]
    assert fields["remaining_life_ratio"]["value"] < 0.05
    assert fields["erase_count_average"]["value"] > 0.95 * fields["rated_pe_cycles"]["value"]
    assert any(clock["used_ratio"]["value"] > 0.95 for clock in document["clocks"])


def test_a_virtual_drive_can_be_printed_as_smartctl_does(tmp_path: Path) -> None:
    result = call("sim:onyx-32?aged=worn", "--smartctl-json")
    assert result.exit_code == 0, result.output
    path = tmp_path / "dump.json"
    path.write_text(result.stdout, encoding="utf-8")
    again, direct = (json.loads(call(one, "--json").stdout) for one in (str(path), "sim:onyx-32?aged=worn"))
    values = ({key: one["value"] for key, one in document["fields"].items()} for document in (again, direct))
    assert next(values) == next(values)
    assert call("/dev/null", "--smartctl-json").exit_code == 2


def test_a_dump_can_come_by_standard_input() -> None:
    printed = call("sim:onyx-32?aged=worn", "--smartctl-json").stdout
    result = CliRunner().invoke(main, ["smart", "-", "--json"], input=printed)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["source"] == "standard input"
    assert document["family"] == "indilinx"


@pytest.mark.parametrize("content", [b"", b"\x00\xff" * 40, b"hello", b"[1, 2", b"{}"])
def test_what_is_no_dump_is_wrong_use(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_bytes(content)
    result = call(str(path))
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output


def test_help_names_the_commands_and_the_short_form() -> None:
    output = call("--help").output
    assert "FILE|DEVICE|sim:PART" in output
    assert "diff" in output
    assert "show" in output
