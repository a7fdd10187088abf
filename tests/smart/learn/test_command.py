"""`flashscope smart learn` as a person calls it: text, JSON, exit codes; and on a virtual drive."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.smart.learn import learn
from flashscope.errors import WrongUse

_PAIR = """# id name value worst thresh raw_before raw_after
164 Unknown_Attribute 100 100 050 7000 7051
241 Total_LBAs_Written 100 100 050 3000 3162
242 Total_LBAs_Read 100 100 050 70971 70972
"""


@pytest.fixture
def pair(tmp_path: Path) -> str:
    path = tmp_path / "pair.txt"
    path.write_text(_PAIR)
    return str(path)


def test_a_pair_around_a_known_write_in_json(pair: str) -> None:
    result = CliRunner().invoke(learn, [pair, "--written", "5GiB", "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    best = document["hypotheses"][0]
    assert (best["attribute"], best["key"], best["unit"], best["scale"]) == (241, "host_written_bytes", "32 MiB", 2**25)
    assert best["claimed"]
    assert best["evidence"]
    assert document["score_meaning"]


def test_the_text_names_the_unit_and_the_rejected(pair: str) -> None:
    result = CliRunner().invoke(learn, [pair, "--written", "5GiB"])
    assert result.exit_code == 0, result.output
    assert "Attribute 241 probably counts what the host writes, in units of 32 MiB." in result.output
    assert "claimed without a score" in result.output
    assert "242: moved by 1 in all" in result.output


@pytest.mark.parametrize("arguments", [["--written", "5"], ["--written", "5 parsecs"]])
def test_a_size_without_a_unit_is_wrong_use(pair: str, arguments: list[str]) -> None:
    with pytest.raises(WrongUse):
        CliRunner().invoke(learn, [pair, *arguments], catch_exceptions=False, standalone_mode=False)


def test_a_drive_and_dumps_together_are_wrong_use(pair: str) -> None:
    with pytest.raises(WrongUse, match="named together with dumps"):
        CliRunner().invoke(learn, ["sim:onyx-32", pair], catch_exceptions=False, standalone_mode=False)


@pytest.mark.long
def test_a_virtual_drive_is_learnt_by_writing_to_it(tmp_path: Path) -> None:
    store = str(tmp_path / "records.sqlite")
    result = CliRunner().invoke(learn, ["sim:onyx-32", "--quick", "--store", store, "--json"])
    assert result.exit_code == 0, result.output
    claimed = {one["attribute"]: one for one in json.loads(result.output)["hypotheses"] if one["claimed"]}
    assert claimed[208]["key"] == "erase_count_average"
    assert (claimed[199]["key"], claimed[199]["scale"]) == ("host_written_bytes", 512)
