"""The judge: what is withdrawn is emptied, what is doubted keeps its value, and the given records stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from flashscope.dossier.judge.judge import judge
from flashscope.dossier.judge.objection import Objection, Ruling
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.told import Told, doubted, numbers_told, withdrawn
from flashscope.records import Record
from tests.dossier.judge.planted import FLASH, finding, record
from tests.findings import by_key

NO_SIZE = Rule("no-size", "It has no size.", lambda records: [withdrawn(numbers_told(records, "size")[0], "it is air")])
OLD = Rule("old", "It is old.", lambda records: [doubted(each, "it is old") for each in numbers_told(records, "size")])
TOY = record("toy", finding("size", 5, low=4.0, high=6.0), finding("rate", 3))


def test_a_withdrawn_finding_has_no_value_and_says_why() -> None:
    size = by_key(judge([TOY], [NO_SIZE]).records[0])["size"]
    assert (size.value, size.low, size.high) == (None, None, None)
    assert size.statement == "Withdrawn: it is air."


def test_a_doubted_finding_keeps_its_value_beside_the_doubt() -> None:
    size = by_key(judge([TOY], [OLD]).records[0])["size"]
    assert size.value == 5
    assert [(doubt.kind, doubt.message) for doubt in size.doubts] == [("Judge:old", "it is old")]


def test_the_given_records_and_the_other_findings_stay_as_they_are() -> None:
    judged = judge([TOY], [NO_SIZE])
    assert by_key(TOY)["size"].value == 5
    assert by_key(judged.records[0])["rate"] is by_key(TOY)["rate"]


def test_every_objection_names_its_record_finding_and_rule() -> None:
    (said,) = judge([TOY], [OLD]).objections
    assert (said.record_id, said.key, said.rule, said.ruling) == (TOY.id, "size", "old", Ruling.DOUBTED)


def test_what_one_rule_withdraws_is_no_evidence_for_the_next() -> None:
    assert [each.rule for each in judge([TOY], [NO_SIZE, OLD]).objections] == ["no-size"]


def test_what_is_withdrawn_once_is_not_objected_to_again() -> None:
    unanswered = Rule("any", "", lambda records: [doubted(Told(records[0], records[0].findings[0]), "it is odd")])
    judged = judge([TOY], [NO_SIZE, unanswered])
    assert [each.rule for each in judged.objections] == ["no-size"]
    assert by_key(judged.records[0])["size"].statement == "Withdrawn: it is air."


def test_judging_again_adds_nothing() -> None:
    once = judge([TOY], [OLD]).records
    assert judge(once, [OLD]).records == once


def test_records_of_different_drives_are_judged_apart() -> None:
    elsewhere = replace(TOY, id="elsewhere", drive="sim:other", drive_facts=replace(FLASH, address="sim:other"))
    seen: list[int] = []

    def count(records: Sequence[Record]) -> list[Objection]:
        seen.append(len(records))
        return []

    judge([TOY, elsewhere, TOY], [Rule("count", "", count)])
    assert seen == [2, 1]
