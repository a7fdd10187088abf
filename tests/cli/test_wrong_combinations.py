"""Commands that ask for what cannot be: exit code 2, what was wrong, what would do, and no traceback."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.store.store import Store
from tests.records.make_records import small_record

pytest.importorskip("flashscope._core", reason="the Rust core is not built")


def refused(arguments: list[str], folder: Path) -> str:
    store = folder / "s.sqlite"
    if not store.exists():
        with Store(store) as kept:
            kept.begin(small_record("kept-one"))
    done = CliRunner().invoke(main, [*arguments, "--store", str(store)])
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert not list(folder.glob("reports/*"))
    return done.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "nothing", "last"], "nothing"),
        (["compare", "last", "nothing"], "nothing"),
        (["compare", "", "last"], ""),
        (["compare", "last"], "SECOND"),
        (["compare", "sim:onyx-32", "sim:c300-256"], "sim:onyx-32"),
        (["run", "sim:onyx-32"], "either a job file or --experiment NAME"),
        (["run", "sim:onyx-32", "x.fio", "--experiment", "stutter"], "either a job file or --experiment NAME"),
        (["run", "sim:onyx-32", "--experiment", "sttuter"], "stutter"),
        (["run", "sim:onyx-32", "--experiment", "stutter", "--quick", "--full"], "were both given"),
        (
            ["run", "sim:onyx-32", "--experiment", "three-states", "--read-only"],
            "it writes, so this question stays open",
        ),
        (["run", "sim:onyx-32", "--experiment", "stripe-scaling"], "stutter"),
        (["examine", "sim:onyx-32", "--only", "nosuch"], "there is no experiment"),
        (["examine", "sim:onyx-32", "--only", ""], "there is no experiment"),
        (["examine", "sim:onyx-32", "--only", "stripe-scaling"], "the drive is not an array of several drives"),
        (["examine", "sim:onyx-32", "--only", "three-states", "--read-only"], "hd-tune"),
        (["examine", "sim:onyx-32", "--only", "stutter", "--size", "1GiB"], "--size does not go with a virtual drive"),
        (["examine", "sim:onyx-32@sector=100"], "power of two"),
        (["examine", "sim:onyx-32@sector=abc"], "not a number"),
        (["examine", "sim:onyx-32@offset=1000GiB"], "an offset below"),
        (["examine", "sim:onyx-32@colour=red"], "there is no @colour="),
        (["plan", "sim:onyx-32@offset=1G@"], "there is no part"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_it_is_refused_in_words(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(arguments, tmp_path)
