"""Sequential writing and reading in four states, a secure erase between: how much a fill and scatter cost. DESTRUCTIVE.

    secure erase                                  | write, read
    secure erase | fill with zeros                | write, read
    secure erase | fill with random data          | write, read      differs from zeros: the drive compresses
    secure erase | fill | 4 KiB at random, long   | write, read

The writing goes over an eighth of the drive, more than the spare area of most; the rate is that of its last quarter.
Without a secure erase TRIM of the whole drive is tried; without TRIM each state follows directly on the one before.
Not measured here: how much data shrinks (experiment `compressibility`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.experiments.states import FIRST_STATE, OVERWRITTEN_SHARE, doubts_of_start, filled, first_state
from flashscope.experiments.streams import SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, Status, StepKind
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_percent, format_rate
from flashscope.workloads.steps import Step, Workload

FRESH, ZEROS, RANDOM, SCATTERED = (
    "after secure erase",
    "after a zero fill",
    "after a random-data fill",
    "after 4 KiB random writing",
)
_KEYS = {FRESH: "fresh", ZEROS: "after_zero_fill", RANDOM: "after_random_fill", SCATTERED: "after_random_writes"}
_STATES = (FRESH, ZEROS, RANDOM, SCATTERED)
_FILLS = {FRESH: 0.0, ZEROS: 1.0, RANDOM: 1.0, SCATTERED: 1.0 + OVERWRITTEN_SHARE}
_QUICK_BYTES = 125 * 10**9
_MEASURED, _PREPARED = "measured", "prepared"  # roles
_ROWS = 200
_RUNTIME_NS = PerTimeCost.by_clock(300 * SECOND_NS, free=0)
_SAME_RATIO = 0.05
_COUNTS_FROM = 0.75


class ThreeStates:
    """Finds how fast a drive writes and reads when fresh, when full, and after long random writing."""

    name = "three-states"
    title = "Three states and a fourth"
    question = "How much slower is the drive after it was filled, and does it matter with what?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"used_state", "compression"})
    needs = Needs(Capability.SOLID_STATE, writes=True, quick_fills=3.5)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Each state begins with a secure erase; without one, with the freshest state that can be reached."""
        if self.needs.missing(facts, effort):
            return []
        share = effort.choose(16, 8, 8)
        steps: list[Step] = []
        for number, state in enumerate(_STATES):
            if state not in _states_within(facts, effort, 1 / share):
                continue
            steps += first_state(facts, f"{state}: first state")
            if state != FRESH:
                name = f"{state}: prepared"
                zeros, scattered = state == ZEROS, state == SCATTERED
                filling = filled(facts, name, zeros=zeros, overwritten=scattered, seed=100 + number, effort=effort)
                steps.append(replace(filling, labels=Labels.of(_PREPARED, state=_KEYS[state])))
            steps += _measured(state, facts, share)
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """A write and a read rate per state, the ratios to the fresh state, fill_data_matters."""
        rates = {
            (state, kind): rate
            for state in _KEYS
            for kind in ("write", "read")
            if (rate := _rate(record, state, kind)) is not None
        }
        doubts = doubts_of_start(record)
        if not rates:
            statement = "Nothing can be said about the states of this drive: none was measured."
            return [Finding("write_rate_fresh_bytes_per_second", statement, None, "bytes/s", doubts=doubts)]
        words = {FRESH: _first_state_of(record)}
        findings = [_state(state, words.get(state, state), kind, rate, doubts) for (state, kind), rate in rates.items()]
        restores = "; a secure erase restores the full rate" if words[FRESH] == FRESH else ""
        findings += [
            _ratio(state, rates[FRESH, "write"], rates[state, "write"], restores, doubts)
            for state in (ZEROS, RANDOM, SCATTERED)
            if (state, "write") in rates and (FRESH, "write") in rates
        ]
        return [*findings, *_compresses(rates, doubts, alike=_filled_alike(record))]


def _states_within(facts: DriveFacts, effort: Effort, share_ratio: float) -> tuple[str, ...]:
    """The states that can be measured with what may be written: without the least telling ones when that is little.

    A quick run on a large virtual drive compares the first with the last: each takes some ten seconds of a processor.
    """
    if facts.in_virtual_time and effort.extent is Extent.QUICK and facts.user_bytes > _QUICK_BYTES:
        return FRESH, SCATTERED
    for states in (_STATES, (FRESH, RANDOM, SCATTERED), (FRESH, RANDOM)):
        fills = sum(_FILLS[state] + share_ratio for state in states)
        if effort.at_most(round(fills * facts.user_bytes)) == round(fills * facts.user_bytes):
            return states
    return ()


def _measured(state: str, facts: DriveFacts, share: int) -> list[Step]:
    request = large_request_bytes(facts.user_bytes)
    span = max(whole_requests(facts.user_bytes // share, request), request)
    read_span = max(whole_requests(span // 4, request), request)
    limit_ns = facts.per_time(_RUNTIME_NS)
    write = sequential_writes("sequential-write", request_bytes=request, size_bytes=span, runtime_ns=limit_ns)
    read = sequential_writes("sequential-read", request_bytes=request, size_bytes=read_span, runtime_ns=limit_ns)
    read = replace(read, direction="read", read_sizes=read.write_sizes)
    interval_ns = max(span * 5 // _ROWS, 1_000_000)  # at 200 MB/s
    return [
        Workload(f"{state}: write", (write,), interval_ns, span, 0, labels=_labels(state, "write")),
        Workload(
            f"{state}: read", (read,), max(interval_ns // 4, 1_000_000), 0, read_span, labels=_labels(state, "read")
        ),
    ]


def _labels(state: str, kind: str) -> Labels:
    return Labels.of(_MEASURED, state=_KEYS[state], kind=kind)


def _rate(record: Record, state: str, kind: str) -> tuple[float, float, float] | None:
    """Rate over the last quarter of the bytes with its interval [bytes/s]; None without any."""
    step = record.step_with(_MEASURED, state=_KEYS[state], kind=kind)
    if step is None or step.workload is None or not len(step.workload.series):
        return None
    series = step.workload.series
    amounts = np.asarray(series["written_bytes" if kind == "write" else "read_bytes"], dtype=float)
    seconds = np.diff(np.asarray(series["elapsed_ns"], dtype=float), prepend=0.0) / SECOND_NS
    late = np.cumsum(amounts) > amounts.sum() * _COUNTS_FROM
    if amounts[late].sum() <= 0 or seconds[late].sum() <= 0:
        return None
    return ratio_of_sums(amounts[late], seconds[late])


def _first_state_of(record: Record) -> str:
    """How the drive came into the state that is called fresh here, in words."""
    step = record.step_with(FIRST_STATE)
    if step is None or step.status is not Status.DONE:
        return "as it was built" if record.drive_facts.in_virtual_time else "as it was found"
    return FRESH if step.kind == StepKind.SECURE_ERASE else "after TRIM of the whole drive"


def _state(state: str, words: str, kind: str, rate: tuple[float, float, float], doubts: tuple[Doubt, ...]) -> Finding:
    """state: as steps are named. words: what is said of it."""
    value, low, high = rate
    verb = "writes" if kind == "write" else "reads"
    statement = f"{words[0].upper()}{words[1:]} it {verb} in order at {format_rate(value)}."
    key = f"{kind}_rate_{_KEYS[state]}_bytes_per_second"
    return Finding(key, statement, value, "bytes/s", low, high, evidence=(f"{state}: {kind}",), doubts=doubts)


def _ratio(
    state: str,
    fresh: tuple[float, float, float],
    rate: tuple[float, float, float],
    restores: str,
    doubts: tuple[Doubt, ...],
) -> Finding:
    """restores: what brings the rate back, as a clause; "" where nothing was tried."""
    value, low, high = rate[0] / fresh[0], rate[1] / fresh[2], rate[2] / fresh[1]
    statement = (
        f"{state[0].upper()}{state[1:]} it writes as fast as a fresh drive."
        if low > 1 - _SAME_RATIO
        else f"{state[0].upper()}{state[1:]} it writes at {format_percent(value)} of its fresh rate{restores}."
    )
    evidence = (f"{FRESH}: write", f"{state}: write")
    key = f"write_ratio_{_KEYS[state]}"
    return Finding(key, statement, value, "ratio", low, high, evidence=evidence, doubts=doubts)


def _filled_alike(record: Record) -> bool:
    """Whether zeros and random data took as long to be written to all of the drive; False where that is not known."""
    fills = [record.step_with(_PREPARED, state=_KEYS[state]) for state in (ZEROS, RANDOM)]
    times = [step.workload.duration_ns for step in fills if step is not None and step.workload is not None]
    return len(times) == 2 and min(times) > 0 and abs(times[0] / times[1] - 1) < _SAME_RATIO / 2


def _compresses(
    rates: dict[tuple[str, str], tuple[float, float, float]], doubts: tuple[Doubt, ...], *, alike: bool
) -> list[Finding]:
    """Whether a fill with zeros leaves another state than one with random data. alike: both fills took as long."""
    if (ZEROS, "write") not in rates or (RANDOM, "write") not in rates:
        return []
    zeros, random = rates[ZEROS, "write"], rates[RANDOM, "write"]
    evidence = (f"{ZEROS}: write", f"{RANDOM}: write")
    details: dict[str, Any] = {"zero_over_random_fill": zeros[0] / random[0]}
    slower = zeros[2] * (1 + _SAME_RATIO) < random[1]
    if slower or (zeros[1] > (1 + _SAME_RATIO) * random[2] and alike):
        why = "both fills took as long, so something else than the data may differ between the two states"
        if slower:
            why = "no drive is slower for zeros, so something else than the data differs between the two states"
        written = "more slowly" if slower else "faster"
        statement = (
            f"Could not tell whether it compresses: after a zero fill it writes {written} than after one with random "
            f"data, but {why}."
        )
        details |= could_not_tell(why)
        return [Finding("fill_data_matters", statement, None, "", evidence=evidence, doubts=doubts, details=details)]
    if zeros[1] > (1 + _SAME_RATIO) * random[2]:
        statement = (
            f"It compresses: after a zero fill it writes {zeros[0] / random[0]:.2f} times as fast as after random "
            "data. Measure it with data like your own."
        )
        return [Finding("fill_data_matters", statement, "yes", "", evidence=evidence, doubts=doubts, details=details)]
    message = "a drive that does not slow down when full shows no difference whether it compresses or not"
    doubt = Doubt("CacheInTheWay", message, "run the experiment compressibility, which measures it directly")
    statement = "A fill with zeros leaves it as a fill with random data does: no sign of compression."
    own = () if random[2] < (1 - _SAME_RATIO) * rates.get((FRESH, "write"), random)[0] else (doubt,)
    return [
        Finding("fill_data_matters", statement, "no", "", evidence=evidence, doubts=(*doubts, *own), details=details)
    ]
