"""`examine --resume`: the examination of a drive that was interrupted, taken up with what it asked for.

what was asked then       comes from its records: experiments, effort, seed, looks inside
what is typed now         may repeat it; anything else is refused, and so are another drive and another build
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from flashscope import units
from flashscope.errors import WrongUse
from flashscope.experiments import catalogue
from flashscope.records import Doubt, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.examination import Examination, identity_of
from flashscope.records.plain import plain
from flashscope.runner.asked import Asked
from flashscope.runner.budget.allotted import Allotted
from flashscope.runner.budget.spent import Spent, spent_by
from flashscope.runner.build import this_build
from flashscope.runner.calibration import Calibration
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.experiment import Experiment
from flashscope.store.examinations import Unfinished, unfinished
from flashscope.store.store import Store
from flashscope.store.summaries import RecordSummary

_ADVICE = "without --resume a new examination begins"

AFTER_INTERRUPTION = Doubt(
    "AfterInterruption",
    "the examination was interrupted before this experiment: what was written until then may affect its beginning",
    "compare with an examination that nobody interrupts",
)
"""What the first experiment gets that goes on with a real drive, which keeps what an interrupted one wrote."""


@dataclass(frozen=True)
class Typed:
    """What is typed now. names: of the experiments asked for, None for all. seed: None when it was not given."""

    names: tuple[str, ...] | None
    effort: Effort
    seed: int | None
    glass: bool
    budget: tuple[str, ...] = ()


@dataclass(frozen=True)
class TakenUp:
    """An examination that goes on. left: the experiments to run; done: the records of the others, by experiment.

    spent: what all that it began has cost, the measurement of the speed too.
    """

    examination: Examination
    effort: Effort
    left: tuple[Experiment, ...]
    done: dict[str, Record]
    begun: bool
    spent: Spent

    @property
    def ran(self) -> tuple[Experiment, ...]:
        """The experiments that are done, as far as each went, in order."""
        names = [name for name in self.examination.experiments if name in self.done]
        return tuple(_as_allotted(name, self.examination) for name in names)

    @property
    def candidates(self) -> list[Experiment] | None:
        """What a budget chooses from; None where there is none."""
        return [catalogue.find(name) for name in self.examination.candidates] or None

    def asked(self, command: str, *, in_virtual_time: bool) -> Asked:
        """The options of the runs that are left. command: as typed now."""
        doubts = (AFTER_INTERRUPTION,) if self.begun and not in_virtual_time else ()
        then = self.examination
        return Asked(then.seed, command, self.effort, then.glass, examination=then, doubts=doubts)

    def in_order(self, records: Sequence[Record]) -> list[Record]:
        """The records of before and these, in the order of the examination."""
        by_experiment = self.done | {record.experiment: record for record in records}
        newest = records[-1].examination if records else None
        experiments = (newest or self.examination).experiments
        return [by_experiment[name] for name in experiments if name in by_experiment]


def new_examination(
    experiments: Sequence[Experiment],
    facts: DriveFacts,
    asked: Asked,
    budget: Sequence[str] | None,
    *,
    candidates: Sequence[Experiment] = (),
    named: bool = False,
) -> Examination:
    """What is noted with each record, so that the examination can go on later.

    budget: as it was typed; None for no limits. candidates: from which it chose. named: they were asked for by name.
    """
    began_utc = datetime.datetime.now(datetime.UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return Examination(
        id=f"{began_utc} {facts.address}",
        drive=identity_of(facts),
        effort=plain(asked.effort),
        seed=asked.seed,
        glass=asked.glass,
        build=this_build().identity,
        experiments=tuple(each.name for each in experiments),
        allotted=_allotted(experiments),
        budget=tuple(budget or ()),
        named=named,
        candidates=() if budget is None else tuple(each.name for each in candidates),
    )


def with_experiments(asked: Asked, experiments: Sequence[Experiment]) -> Asked:
    """The options of an examination whose experiments were chosen again, which the next records note."""
    if asked.examination is None:
        return asked
    names = tuple(each.name for each in experiments)
    examination = replace(asked.examination, experiments=names, allotted=_allotted(experiments))
    return replace(asked, examination=examination)


def _allotted(experiments: Sequence[Experiment]) -> dict[str, Any]:
    return {each.name: plain(each.effort) for each in experiments if isinstance(each, Allotted)}


def take_up(store_path: Path, facts: DriveFacts, typed: Typed) -> TakenUp:
    """The unfinished examination of a drive. Raises WrongUse when there is none, or it cannot go on as typed."""
    if not store_path.exists():
        raise _nothing_to_resume(store_path, facts, [])
    with Store(store_path, create=False) as store:
        summaries = store.list()
        found = unfinished(summaries, facts.address)
        if found is None:
            raise _nothing_to_resume(store_path, facts, summaries)
        _check(found, facts, typed)
        done = {name: store.load(record_id) for name, record_id in found.done.items()}
        spent = spent_by(store.load(one.id) for one in summaries if _has_cost(one, found))
    _check_file(done, facts)
    left = tuple(_as_allotted(name, found.examination) for name in found.left)
    effort = Effort.of_plain(found.examination.effort)
    why = catalogue.why_no_more([catalogue.find(name) for name in found.examination.experiments], effort)
    senseless = [reason for record in done.values() if why is not None and (reason := why(record))]
    if senseless:
        raise WrongUse(
            f"the examination of {facts.address} was ended on purpose: {senseless[0]}",
            accepted="an examination that was interrupted",
            advice="`flashscope examine --full` runs everything all the same",
        )
    return TakenUp(found.examination, effort, left, done, found.begun, spent)


def _has_cost(one: RecordSummary, found: Unfinished) -> bool:
    """Whether a record is of the examination, or of the speed that was measured in it."""
    is_speed = one.experiment == Calibration.name and one.drive == found.examination.drive["address"]
    return one.id in found.records or (is_speed and one.created_utc >= found.examination.id[: len(one.created_utc)])


def _as_allotted(name: str, examination: Examination) -> Experiment:
    experiment, kept = catalogue.find(name), examination.allotted.get(name)
    return experiment if kept is None else Allotted(experiment, Effort.of_plain(kept))


def say_taken_up(taken: TakenUp) -> str:
    """ "the examination begun 2026-11-23 04:05 UTC (--quick) goes on: 12 of 28 experiments are done, ..." """
    then = taken.examination
    began, done, every = then.id[:16].replace("T", " "), len(taken.done), len(then.experiments)
    asked = [_effort(then), *(f"--budget {limit}" for limit in then.budget), *(["--glass"] if then.glass else [])]
    again = " again" if taken.begun else ""
    return (
        f"the examination begun {began} UTC ({', '.join(asked)}) goes on: {done} of {every} experiments are done, "
        f"the next is {taken.left[0].name}{again}"
    )


def _nothing_to_resume(store_path: Path, facts: DriveFacts, summaries: Sequence[RecordSummary]) -> WrongUse:
    examined = {one.drive for one in summaries if one.examination is not None}
    others = sorted(address for address in examined - {facts.address} if unfinished(summaries, address))
    if facts.address in examined:
        found = f"the last examination of {facts.address} is complete: `flashscope dossier {facts.address}` shows it"
    else:
        found = f"{store_path} has no examination of {facts.address}"
        found += f"; unfinished ones there: {', '.join(others)}" if others else ""
    return WrongUse(
        found,
        accepted="--resume after an examination that was interrupted, with the same address and store",
        advice=_ADVICE,
    )


def _check(found: Unfinished, facts: DriveFacts, typed: Typed) -> None:
    """Raise WrongUse at the first difference between what was asked then, and what is asked now."""
    examination = found.examination
    if found.running:
        raise WrongUse(
            f"this examination still runs: record {found.running[0]}", advice="wait for it, or stop it first"
        )
    here = identity_of(facts)
    for name, then in examination.drive.items():
        if here.get(name) != then:
            raise WrongUse(
                f"{facts.address} is not the drive of the interrupted examination: its {_word(name)} is "
                f"{_say(name, here.get(name))}, and was {_say(name, then)}",
                advice=f"connect that drive; {_ADVICE}",
            )
    build = this_build().identity
    if build != examination.build:
        raise WrongUse(
            f"another build of flashscope began this examination: {examination.build}; this is {build}",
            accepted="the build that began it, since records of two builds are not comparable",
            advice=_ADVICE,
        )
    _check_options(examination, typed)


def _check_file(done: Mapping[str, Record], facts: DriveFacts) -> None:
    """Raise WrongUse when records that are done are of another file of this name, of the same size."""
    for record in done.values():
        then, now = record.drive_facts.file_id, facts.file_id
        if then and then != now and (now or facts.place is not None):
            raise WrongUse(
                f"{facts.address} is not the file of the interrupted examination: it is {now or 'gone'}, "
                f"and was {then}",
                accepted="the file itself; a copy of it is another one",
                advice=f"bring that file back; {_ADVICE}",
            )


def _check_options(examination: Examination, typed: Typed) -> None:
    said = {
        "--only": (typed.names is None or set(typed.names) == set(examination.experiments), _experiments(examination)),
        "--seed": (typed.seed in (None, examination.seed), f"seed {examination.seed}"),
        "--quick, --full or --read-only": (
            typed.effort == STANDARD or plain(typed.effort) == examination.effort,
            _effort(examination),
        ),
        "--budget": (typed.budget in ((), examination.budget), " and ".join(examination.budget) or "none"),
        "--glass": (not typed.glass or examination.glass, "no --glass"),
    }
    for option, (agrees, then) in said.items():
        if not agrees:
            raise WrongUse(
                f"{option} differs from that of the interrupted examination, which has {then}",
                accepted="--resume alone: it takes the options from there",
                advice=_ADVICE,
            )


def _experiments(examination: Examination) -> str:
    first, *more = examination.experiments
    return f"{first} and {len(more)} more" if more else f"{first} alone"


def _effort(examination: Examination) -> str:
    """As it is typed: "--quick", "--full --read-only", "neither --quick nor --full"."""
    effort = Effort.of_plain(examination.effort)
    extent = effort.choose("--quick", "neither --quick nor --full", "--full")
    return f"{extent}, --read-only" if effort.read_only else extent


def _word(name: str) -> str:
    return {"user_bytes": "size", "sector_bytes": "sector", "serial": "serial number"}.get(name, name)


def _say(name: str, value: object) -> str:
    return units.format_bytes(value) if name.endswith("_bytes") and isinstance(value, int) else repr(value)
