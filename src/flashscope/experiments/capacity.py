"""Is it what it says? Whether a drive holds as much as it announces, before anything else is asked. DESTRUCTIVE.

    |[ region, written last ]--x-----|---x----|-x------|----x---|...|--x--x|    one place drawn in each stretch
    then all places are read back; where some fail, more places are tried (`runner/hands/places/check.py`)

A fake is told by the pattern in which places fail (`analysis/announced_capacity.py`), never by one of them. Less than
1 GB is written, and to a drive that holds everything at most about a hundredth of it.
Not excluded: data lost between two places, and wear, which shows as errors and makes no drive a fake.
"""

from __future__ import annotations

from itertools import pairwise
from math import isqrt

from flashscope.analysis.announced_capacity import Came, Judged, Tried, Verdict, judge
from flashscope.experiments.advice import once_more
from flashscope.experiments.measured import below_a_file_doubts
from flashscope.experiments.streams import MIB
from flashscope.records import Doubt, Finding, Labels, Record, Status, StepRecord
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_count
from flashscope.workloads.steps import CheckPlaces, Step

IS_COUNTERFEIT, REAL_CAPACITY, KIND = "is_counterfeit", "real_capacity_bytes", "counterfeit_kind"
_ROLE = "places"
_PLACE_BYTES = 4096
_LEAST_PLACES = 64  # of the drive
_WRITTEN_RATIO = 0.005  # of the drive: for the region, and for all places together
_MOST_REGION_BYTES = 640 * MIB
_WHAT_IT_DOES = {
    Verdict.WRAPS: "what is written beyond that destroys what was written before",
    Verdict.DROPS: "what is written beyond that is lost",
    Verdict.ZEROS: "what is written beyond that comes back as zeros",
}


class CapacityCheck:
    """Finds out whether a drive keeps what it takes, and where it really ends."""

    name = "capacity"
    title = "Is it what it says?"
    question = "Does the drive hold as much as it says?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"real_capacity", "is_counterfeit", "counterfeit_kind"})
    needs = Needs(Capability.STAMPED, writes=True, least_bytes=_LEAST_PLACES * _PLACE_BYTES)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """One step, whose passes depend on what comes back."""
        place = max(_PLACE_BYTES, facts.sector_bytes)
        span = facts.user_bytes // place * place
        if self.needs.missing(facts, effort) or span < _LEAST_PLACES * place:
            return []
        little = round(span * _WRITTEN_RATIO)
        region = min(isqrt(span * MIB), little, _MOST_REGION_BYTES)
        most_places = min(max(little // place, 8), effort.choose(4096, 8192, 8192))
        stretch = max(region // 2, (span - region) // most_places)
        region, stretch = (max(each // place, 1) * place for each in (region, stretch))
        return [CheckPlaces("stamped places", span, place, region, stretch, labels=Labels.of(_ROLE))]

    def analyse(self, record: Record) -> list[Finding]:
        """is_counterfeit; real_capacity_bytes where it is known; counterfeit_kind of a fake."""
        step = record.step_with(_ROLE)
        tried = tried_in(step)
        if step is None or not tried:
            why = step.note if step is not None and step.note else "no place was read back"
            return [_open(f"Could not tell whether the drive holds what it says: {why}.", ())]
        judged = judge(tried)
        if judged.verdict is Verdict.HONEST and step.status is not Status.DONE:
            judged = Judged(Verdict.NOTHING)
        if judged.verdict.is_fake:
            return _fake(record, step, tried, judged)
        if judged.verdict is Verdict.HONEST:
            return _honest(record, step, tried)
        return [_open(_why_open(record, tried, judged), (step.name,), _details(step, tried))]


def why_the_rest_is_senseless(record: Record) -> str:
    """Why other experiments would say nothing about the drive of this record, as a clause; "" when they would."""
    found = {finding.key: finding for finding in record.findings}
    if record.experiment != CapacityCheck.name or IS_COUNTERFEIT not in found or found[IS_COUNTERFEIT].value != "yes":
        return ""
    return "the drive keeps only a part of what it takes, so that no measurement of the rest means anything"


def tried_in(step: StepRecord | None) -> list[Tried]:
    """The places of a step, in the order in which they were read back."""
    if step is None or step.places is None:
        return []
    names = ("pass_index", "address_bytes", "length_bytes", "came", "held_bytes", "distance_bytes")
    columns = [[int(value) for value in step.places[name]] for name in names]
    return [
        Tried(index, address, length, Came(came), held, distance)
        for index, address, length, came, held, distance in zip(*columns, strict=True)
    ]


def _fake(record: Record, step: StepRecord, tried: list[Tried], judged: Judged) -> list[Finding]:
    said, offset_bytes = record.drive_facts.user_bytes, record.drive_facts.offset_bytes
    shift = offset_bytes if judged.verdict is Verdict.WRAPS else 0  # addresses wrap on the whole drive
    low, high = (each - shift for each in (judged.low_bytes, judged.high_bytes))
    real = (low + high) // 2
    evidence, details = (step.name,), _details(step, tried)
    is_known = 0 < real < said
    holds = f"holds {format_bytes(real)}" if is_known else "holds less"
    does = _WHAT_IT_DOES[judged.verdict]
    statement = f"This drive says {format_bytes(said)} and {holds}: it is a fake. Return it; {does}."
    findings = [Finding(IS_COUNTERFEIT, statement, "yes", "answer", evidence=evidence, details=details)]
    if is_known:
        statement = (
            f"The drive really ends at {format_bytes(real)}. Keep nothing on it; if you must, use no more than that."
        )
        findings.append(Finding(REAL_CAPACITY, statement, real, "bytes", float(low), float(high), evidence=evidence))
    kind = f"Addresses beyond the real end: {does}."
    return [*findings, Finding(KIND, kind, judged.verdict.value, "kind", evidence=evidence)]


def _honest(record: Record, step: StepRecord, tried: list[Tried]) -> list[Finding]:
    said = record.drive_facts.user_bytes
    details, errors = _details(step, tried), sum(each.came.is_error for each in tried)
    count = len(tried) - errors
    holds = f"Holds all of its {format_bytes(said)}"
    statement = f"{holds}: what was written came back at {format_count(count)} places, the last one included."
    below = below_a_file_doubts(record.drive_facts, "decide where its data lie: the rest of the drive was not tried")
    doubts = list(below)
    if errors:
        message = f"at {errors} of {len(tried)} places the drive reported an error"
        doubts.append(Doubt("ReadErrors", message, "save what is on it, and read its SMART"))
    evidence, real = (step.name,), float(said)
    return [
        Finding(IS_COUNTERFEIT, statement, "no", "answer", evidence=evidence, doubts=tuple(doubts), details=details),
        Finding(REAL_CAPACITY, f"{holds}.", said, "bytes", real, real, evidence=evidence, doubts=tuple(below)),
    ]


def _why_open(record: Record, tried: list[Tried], judged: Judged) -> str:
    begin, count = "Could not tell whether the drive holds what it says", len(tried)
    errors, bad = (sum(each) for each in zip(*((one.came.is_error, one.came.is_bad) for one in tried), strict=True))
    if judged.verdict is Verdict.ENDS_IN_ERRORS:
        return (
            f"{begin}: it keeps what is written up to {format_bytes(judged.low_bytes)}, and reports errors at all "
            f"{errors} places tried behind that. It is broken or was made to look larger; return it either way."
        )
    if judged.verdict is Verdict.FAILING:
        return f"{begin}: it reported errors at {errors} of {count} places. It is failing; save what is on it."
    if judged.verdict is Verdict.DAMAGED:
        return (
            f"{begin}: at {bad} of {count} places something else came back, in no pattern of a fake. Do not trust it "
            f"with data; {once_more(record)}, on another port."
        )
    return f"{begin}: the check did not come to its end."


def _open(statement: str, evidence: tuple[str, ...], details: dict[str, int] | None = None) -> Finding:
    return Finding(IS_COUNTERFEIT, statement, None, "answer", evidence=evidence, details=details or {})


def _details(step: StepRecord, tried: list[Tried]) -> dict[str, int]:
    """How many places there were, how they came back, how far apart they lie, how large a region finds wrapping."""
    places = sorted({each.address_bytes for each in tried})
    gaps = [after - before for before, after in pairwise(places)]
    return {
        "places": len(places),
        **{f"{came.name.lower()}_places": sum(each.came is came for each in tried) for came in Came},
        "largest_gap_bytes": max(gaps, default=0),
        "region_bytes": int(step.parameters.get("region_bytes", 0)),
    }
