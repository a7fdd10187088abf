"""What both languages name is stated once, in the core: Python, part keys and pages have their words from there."""

import ast
import re
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

from flashscope import _core, vocabulary
from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.schema import KEYS
from flashscope.drives.truth import configured
from flashscope.endurance import findings
from flashscope.endurance.life import FAILURES
from flashscope.records import BYTES_OF, FIRST_STATE_OUT_OF_USE, StepKind
from flashscope.records.glass import REASON_WORDS, reason_table
from flashscope.smart.decoding.table import all_tables
from flashscope.workloads import steps

ROOT = Path(__file__).resolve().parents[2]
WORDS = _core.vocabulary()


PAGES = {
    "acknowledge": "host-side.md",
    "disk_flush_order": "disks.md",
    "disk_queue_order": "disks.md",
    "flush_order": "host-side.md",
    "free_block": "collection.md",
    "gc_policy": "collection.md",
    "log_block_association": "log-blocks.md",
    "moved_data": "collection.md",
    "nvme_health_field": "smart-families.md",
    "pslc_when_full": "pslc.md",
    "stall": "host-side.md",
    "sub_unit_writes": "host-side.md",
    "superblock_of": "flash.md",
    "wear_pattern": "endurance.md",
}
"""Where a list is explained, word by word, beside the page of the vocabulary."""

CHOICES_OF_PYTHON = {"link.generation"}
"""Keys of a part whose words the core never sees."""


def test_the_module_and_its_page_are_what_the_core_says() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "write-vocabulary.py"))
    for path, write in (("MODULE", "source"), ("PAGE", "page")):
        written = script[path].read_text(encoding="utf-8")
        assert written == script[write](WORDS, _core.smart_ids()), f"write {script[path].name} again with `make docs`"


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


@pytest.mark.parametrize("key", [key for key in KEYS if key.dimension == "choice"], ids=lambda key: key.name)
def test_a_key_with_a_choice_offers_a_list_of_the_core(key: Key) -> None:
    if key.name not in CHOICES_OF_PYTHON:
        assert sorted(key.choices) in [sorted(words) for words in WORDS.values()]
        assert key.default in (None, *key.choices)


@pytest.mark.parametrize("name", PAGES)
def test_the_page_that_explains_a_list_has_all_of_its_words(name: str) -> None:
    page = (ROOT / "docs" / "reference" / PAGES[name]).read_text(encoding="utf-8")
    assert set(WORDS[name]) <= set(re.findall(r'[`"]([a-z0-9_-]+)[`"]', page))


def test_every_reason_has_words_and_stands_on_the_page_of_the_glass_drive() -> None:
    assert set(REASON_WORDS) == set(vocabulary.GcReason)
    assert reason_table() in (ROOT / "docs" / "reference" / "glass-drive.md").read_text(encoding="utf-8")


def test_blocks_are_out_of_use_from_the_first_state_that_is_not_usable() -> None:
    usable = {vocabulary.BLOCK_STATE_NAMES.index(word) for word in WORDS["usable_block_state"]}
    assert usable == set(range(FIRST_STATE_OUT_OF_USE))


def test_every_end_of_a_life_has_words() -> None:
    assert set(FAILURES) == set(WORDS["wear_pause"]) - {"reached", "working"}
    assert set(findings._END_WORDS) == set(FAILURES)


def test_every_kind_of_request_has_its_bytes() -> None:
    assert tuple(BYTES_OF) == WORDS["request_kind"]


def test_every_kind_of_step_is_a_step_of_its_own() -> None:
    kinds = {
        step.kind for step in vars(steps).values() if hasattr(step, "__dataclass_fields__") and hasattr(step, "kind")
    }
    assert kinds == set(StepKind) - {StepKind.LIFE}


@pytest.mark.parametrize("layout", [layout for layout, ids in _core.smart_ids().items() if ids])
def test_the_attributes_of_a_layout_stand_in_the_table_of_its_family(layout: str) -> None:
    (table,) = [table for table in all_tables() if table.name == layout]
    known = {row.id for row in table.rows} | table.recognise.always | table.recognise.sometimes
    assert set(_core.smart_ids()[layout]) <= known


@pytest.mark.parametrize(
    ("attributes", "key"),
    [
        (configured.ERASE_COUNT_ATTRIBUTE, "erase_count_average"),
        (configured.HOST_WRITTEN_ATTRIBUTE, "host_written_bytes"),
    ],
    ids=["erase count", "host bytes"],
)
def test_the_attribute_that_counts_is_shown_and_its_table_says_that_it_counts(
    attributes: dict[str, int], key: str
) -> None:
    for table in all_tables():
        shown = _core.smart_ids().get(table.name, ())
        counting = {row.id for row in table.rows if row.key in (key, f"{key}_again") and row.id in shown}
        assert (attributes.get(table.name) in counting) if counting else table.name not in attributes, table.name


def _lists_of(tree: ast.AST) -> Iterator[tuple[int, set[str]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            texts = [item.value for item in node.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            yield node.lineno, set(texts)


def test_no_list_of_the_core_is_written_down_again() -> None:
    """A part of a list may be named; a whole one is to be taken from the vocabulary, so that it cannot fall behind."""
    again = []
    for path in sorted((ROOT / "src" / "flashscope").rglob("*.py")):
        if path == Path(vocabulary.__file__):
            continue
        for line, texts in _lists_of(ast.parse(path.read_text(encoding="utf-8"))):
            words = {text.replace("_", "-") for text in texts}
            again += [
                f"{path.relative_to(ROOT)}:{line}: {name}"
                for name, whole in WORDS.items()
                if len(whole) > 2 and {word.replace("_", "-") for word in whole} <= words
            ]
    assert not again, "take these from flashscope.vocabulary"
