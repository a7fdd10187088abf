"""`flashscope endure`: a record and a report of a short run, and what it refuses."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.store.store import Store
from tests.known import known


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_a_run_leaves_a_record_with_smart_and_a_report(tmp_path: Path) -> None:
    store, report = tmp_path / "store.sqlite", tmp_path / "report.html"
    code, out, _ = run(
        "endure", "sim:onyx-32", "--until", "20 cycles", "--store", str(store), "-o", str(report), "--json"
    )
    assert code == 0
    document = json.loads(out)
    findings = {finding["key"]: finding for finding in document["record"]["findings"]}
    assert findings["host_bytes_to_failure"]["value"] is None, "it has not failed"
    assert "not reached" in findings["rating_host_bytes"]["statement"]
    page = report.read_text()
    again = tmp_path / "again.html"
    assert run("report", "last", "--store", str(store), "-o", str(again))[0] == 0
    for title in ("bits is read wrong", "blocks went bad", "cycles apart", "Off power at 30 C"):
        assert title in page, title
        assert title in again.read_text(), f"{title}, from the store"
    assert "92 %" in page, "what one drive can tell stands on the page"
    assert "cycles apart" in page
    with Store(store) as kept:
        record = kept.load(document["record"]["id"])
    assert [step.name for step in record.steps][-1] == "end"
    checkpoints = record.steps[:-1]
    assert len(checkpoints) == 10
    assert all(step.smart is not None for step in checkpoints)
    last = known(checkpoints[-1].smart)
    # This family keeps its numbers where others have the value: low byte first.
    assert abs(next(attribute.value for attribute in last.attributes if attribute.id == 208) - 20) <= 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("sim:onyx-32", "--until", "0 cycles"), "would write nothing"),
        (("sim:onyx-32", "--lots", "3"), "3 lots of 1 drives"),
        (("sim:wd20ears",), "does not wear out"),
        (("sim:jmf602-32", "--until", "5 cycles"), "mapped by blocks"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_written(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    code, _, err = run("endure", *arguments, "--store", str(tmp_path / "store.sqlite"))
    assert code == 2
    assert said in err


def test_a_real_drive_needs_a_budget_and_each_kind_of_drive_its_own_options(tmp_path: Path) -> None:
    target = tmp_path / "target.img"
    target.write_bytes(bytes(1 << 20))
    wrong = [
        (("endure", f"file:{target}"), "not worn without --budget"),
        (("endure", f"file:{target}", "--drives", "3"), "--drives is for virtual drives only"),
        (("endure", "sim:onyx-32", "--budget", "1TB", "--hold-days", "3"), "--budget, --hold-days is for a real drive"),
        (("endure", "sim:onyx-32", "--resume"), "--resume is for a real drive only"),
        (("endure", "sim:onyx-32", "--end-rest"), "--end-rest is for a real drive only"),
        (("endure", "sim:onyx-32", "--workload", "jesd219"), "is not worn with --workload jesd219"),
    ]
    for arguments, lesson in wrong:
        code, _, err = run(*arguments)
        assert code == 2
        assert lesson in err
    assert target.read_bytes() == bytes(1 << 20)


@pytest.mark.long
def test_an_onyx_dies_within_a_minute_of_one_core(tmp_path: Path) -> None:
    import time

    before_s = time.process_time()
    code, out, _ = run("endure", "sim:onyx-32", "--store", str(tmp_path / "store.sqlite"), "--json")
    spent_s = time.process_time() - before_s
    assert code == 0
    findings = {finding["key"]: finding for finding in json.loads(out)["record"]["findings"]}
    assert findings["host_bytes_to_failure"]["details"]["end"] == "read-only"
    assert findings["grown_bad_blocks"]["value"] == 201
    assert spent_s < 60, f"{spent_s} s"


@pytest.mark.long
def test_31_drives_of_3_lots_die_within_ten_minutes(tmp_path: Path) -> None:
    import time

    begun_s = time.monotonic()
    code, out, _ = run(
        "endure", "sim:onyx-32", "--drives", "31", "--lots", "3", "--store", str(tmp_path / "store.sqlite"), "--json"
    )
    spent_s = time.monotonic() - begun_s
    assert code == 0
    findings = {finding["key"]: finding for finding in json.loads(out)["record"]["findings"]}
    assert len(findings["functional_failures_at_rating"]["details"]["rows"]) == 31
    assert findings["life_weibull_shape"]["low"] < findings["life_weibull_shape"]["value"]
    assert spent_s < 600, f"{spent_s} s"
