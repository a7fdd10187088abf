"""What both languages name is stated once: Python's words are those of the built core."""

import runpy
from pathlib import Path

import pytest

from flashscope import _core, vocabulary

ROOT = Path(__file__).resolve().parents[2]
WORDS = _core.vocabulary()


def test_the_vocabulary_is_what_the_core_says() -> None:
    source = runpy.run_path(str(ROOT / "scripts" / "write-vocabulary.py"))["source"]
    written = Path(vocabulary.__file__).read_text(encoding="utf-8")
    assert written == source(WORDS, _core.smart_ids()), "write it again with `make docs`"


@pytest.mark.parametrize("name", WORDS)
def test_each_list_can_be_had_by_its_name(name: str) -> None:
    if name in ("usable_block_state", "grown_bad_block_state"):
        states = getattr(vocabulary, f"{name.upper()}S")
        assert tuple(vocabulary.BLOCK_STATE_NAMES[state] for state in states) == WORDS[name]
    else:
        assert getattr(vocabulary, f"{name.upper()}_NAMES") == WORDS[name]


@pytest.mark.parametrize("kind", [*WORDS["drive_kind"], "tape"])
def test_a_configuration_names_its_kind_in_these_words(kind: str) -> None:
    with pytest.raises(_core.ConfigRefused) as refused:
        _core.Drive(f'{{"kind": "{kind}"}}', 0)
    _, found, _ = refused.value.args
    known = kind in WORDS["drive_kind"]
    assert ("missing field" in found) == known, found
    assert known or all(f"`{one}`" in found for one in WORDS["drive_kind"])
