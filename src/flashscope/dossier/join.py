"""Joins judged findings: one answer for each property, from the best method that has a value, with all that speaks for
or against it.

    records --one_drive--> of one drive and build --judge--> tellings by property --best--> Answer
                                                                  |--same quantity?--> agrees, or evidence against
                                                                  |--older run?------> the same, or a drift

Nothing is averaged. Two methods whose intervals do not meet leave a low confidence, and both are said; two words that
contradict each other leave no answer. Of several runs the newest counts; a value that changed since is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from flashscope.dossier.actions import action
from flashscope.dossier.advice import advice
from flashscope.dossier.agreement import agree
from flashscope.dossier.answer import Answer, Confidence, Evidence
from flashscope.dossier.assumed import assumed_text
from flashscope.dossier.confidence import confidence
from flashscope.dossier.derived.found import AT_MOST
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.drive_kind import kind_of
from flashscope.dossier.judge.judge import judge
from flashscope.dossier.known import Known
from flashscope.dossier.one_drive import check_one_drive, of_the_newest_build
from flashscope.dossier.properties import Property, properties_of
from flashscope.dossier.telling import Telling, tellings
from flashscope.dossier.verdict import verdict
from flashscope.dossier.why_unknown import why_unknown
from flashscope.records import Doubt, Record

DOSSIER = "dossier"


def make_dossier(records: Sequence[Record]) -> Dossier:
    """The dossier of one drive's records; the order of the records does not matter.

    Raises WrongUse when there are none, or when they are of several drives.
    """
    check_one_drive(records)
    joined, apart = of_the_newest_build(sorted(records, key=lambda record: (record.created_utc, record.id)))
    judged = judge(joined)
    newest = judged.records[-1]
    kind = kind_of(newest.drive_facts)
    answers = _asked_for({each: join(each, judged.records) for each in properties_of(kind)})
    known = Known(answers)
    title = newest.drive_facts.model.strip() or newest.drive
    return Dossier(
        drive=newest.drive,
        title=title,
        kind=kind.value,
        verdict=verdict(title, kind, newest.drive_facts, known),
        answers=tuple(replace(each, action=action(known, each.property_key)) for each in answers),
        advice=advice(known, newest.drive_facts),
        objections=tuple(judged.objections),
        records=tuple(judged.records),
        set_apart=tuple(apart),
    )


def _asked_for(answers: Mapping[Property, Answer]) -> tuple[Answer, ...]:
    """Without those that make no sense: what comes after a fall is not asked where there is none."""
    present = {asked.key for asked, answer in answers.items() if answer.value not in (None, "none", "no")}
    return tuple(
        answer
        for asked, answer in answers.items()
        if not asked.only_with or asked.only_with in present or answer.value is not None
    )


def join(asked: Property, records: Sequence[Record]) -> Answer:
    """The answer to one property. records: judged, of one drive, oldest first."""
    told = tellings(asked, records)
    answering = sorted(
        (each for each in told if each.answers),
        key=lambda each: (not each.source.same, each.is_judged_doubtful, each.rank),
    )
    if not answering:
        return _unknown(asked, told, why_unknown(asked, told, records))
    best = answering[0]
    comparable = [each for each in answering[1:] if _is_comparable(each, best)]
    older = [each for each in comparable if each.source is best.source]
    against = [each for each in comparable if not agree(best, each, asked.tolerance_ratio)]
    drift = [each for each in against if asked.changes and each in older]
    against = [each for each in against if each not in drift]
    if against and (isinstance(best.finding.value, str) or best.absence):
        both = f"{_said(asked, best)} by {best.source.experiment}, {_said(asked, against[0])} by {_where(against[0])}"
        return _unknown(asked, told, f"two measurements contradict each other: {both}", against)
    agreeing = [
        each for each in answering[1:] if each not in (*against, *drift) and agree(best, each, asked.tolerance_ratio)
    ]
    return _answer(asked, best, told, _Beside(tuple(agreeing), tuple(against), tuple(drift)), records)


@dataclass(frozen=True)
class _Beside:
    """What stands beside the best telling: all that agree, under other conditions too; those against it; older values
    that changed."""

    agreeing: tuple[Telling, ...]
    against: tuple[Telling, ...]
    drift: tuple[Telling, ...]


def _is_comparable(each: Telling, best: Telling) -> bool:
    """It measures the same quantity: the same source on another day, or another source of the same."""
    return each.source is best.source or (each.source.same and best.source.same)


def _answer(
    asked: Property, best: Telling, told: Sequence[Telling], beside: _Beside, records: Sequence[Record]
) -> Answer:
    finding = best.finding
    doubts = (*finding.doubts, *(_changed(asked, best, each) for each in beside.drift[:1]))
    statement = finding.statement
    if beside.against:
        other = beside.against[0]
        statement = f"{statement} But {_where(other)} says {_said(asked, other)}."
    if beside.drift:
        statement = f"{statement} It was {_said(asked, beside.drift[0])} on {_day(beside.drift[0])}."
    disagreeing = {id(each) for each in (*beside.against, *beside.drift)}
    return Answer(
        property_key=asked.key,
        value=finding.value if finding.value is not None else "none",
        unit=finding.unit or asked.unit,
        low=finding.low,
        high=finding.high,
        text=_said(asked, best),
        statement=statement,
        method=best.source.method,
        confidence=confidence(best, beside.agreeing, beside.against),
        evidence=tuple(_evidence(each, agrees=id(each) not in disagreeing) for each in _first(best, told)),
        doubts=doubts,
        assumed=assumed_text(asked.key, records[-1].drive_facts),
        details=finding.details,
    )


def _unknown(asked: Property, told: Sequence[Telling], why: str, against: Sequence[Telling] = ()) -> Answer:
    evidence = tuple(_evidence(each, agrees=each not in against) for each in told)
    return Answer(
        asked.key, None, asked.unit, None, None, "", "", "", Confidence.NONE, evidence=evidence, why_unknown=why
    )


def _first(best: Telling, told: Sequence[Telling]) -> list[Telling]:
    return [best, *(each for each in told if each is not best)]


def _evidence(telling: Telling, *, agrees: bool) -> Evidence:
    finding = telling.finding
    return Evidence(
        telling.record.id,
        telling.source.experiment or DOSSIER,
        finding.key,
        finding.statement,
        finding.value,
        finding.low,
        finding.high,
        agrees,
    )


def _said(asked: Property, telling: Telling) -> str:
    """Its value for a person."""
    value = telling.finding.value
    if value is None:
        return telling.absence
    said = asked.words.get(value, value) if isinstance(value, str) else asked.say(float(value))
    return f"up to {said}" if telling.finding.details.get(AT_MOST) else said


def _where(telling: Telling) -> str:
    """The experiment, with the day."""
    return f"{telling.source.experiment or telling.source.method} of {_day(telling)}"


def _day(telling: Telling) -> str:
    return telling.record.created_utc[:10]


def _changed(asked: Property, best: Telling, older: Telling) -> Doubt:
    message = f"it was {_said(asked, older)} on {_day(older)} and is {_said(asked, best)} on {_day(best)}"
    return Doubt("Drift", message, "compare the state of the drive on both days")
