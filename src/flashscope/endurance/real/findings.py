"""The findings of a real endurance run. Works on interrupted records too, and reports what is missing."""

from __future__ import annotations

from typing import Any

from flashscope.analysis.small_samples import what_the_sample_tells
from flashscope.endurance.real.checkpoint import checkpoints_of
from flashscope.endurance.real.run_state import RunState
from flashscope.endurance.real.settings import JOBS, WearSettings
from flashscope.endurance.real.stops import DATA_LOST, DEAD, FAILURES, READ_ONLY
from flashscope.records import Doubt, Finding, Record
from flashscope.units import format_bytes, format_percent, format_time

_WORDS = {
    DATA_LOST: "data was lost: see data_integrity",
    READ_ONLY: "it takes no more writes and can still be read",
    DEAD: "it takes no writes and answers no reads any more",
}
_KIND_WORDS = {
    "lost": "lost writes (the writing before is there)",
    "stale": "stale (an older writing is there)",
    "newer": "newer than recorded (the records are older than the drive)",
    "misdirected": "misdirected (a block of another address is there)",
    "foreign": "foreign (a block of another run or drive is there)",
    "unwritten": "unwritten (zeros are there)",
    "corrupted": "corrupted (the checks do not fit)",
    "unreadable": "unreadable (the drive reports an error)",
    "unstable": "unstable (two reads gave different data)",
}


def findings_of(record: Record, state: RunState) -> list[Finding]:
    """host_bytes_to_failure, data_integrity, and as far as they are known crash_recovery, performance_change,
    smart_series, days_to_rating, retention_off_power."""
    seen = checkpoints_of(record.steps)
    names = tuple(one["step"] for one in seen)
    findings = [_failure(state, names), _integrity(state, names)]
    findings += [_crashes(state)] if state.crashes or state.torn_bytes else []
    if seen:
        findings += [*_performance(seen, names), _smart(seen, names)]
        findings += _projection(seen, names)
        findings += _retention(seen)
    return findings


def doubts_of(state: RunState, settings: WearSettings) -> list[Doubt]:
    """Doubts about the complete run: a clock that jumped, a mix that was changed, data that was not verified."""
    doubts = [
        Doubt("RuleSetAside", f"the guard's rule {rule} was set aside, as --allow {rule} asked", "see SAFETY.md")
        for rule in sorted({rule for session in state.overrides for rule in session["allow"]})
    ]
    if len(state.builds) > 1:
        message = f"several builds of flashscope ran it: {', '.join(state.builds)}"
        doubts.append(Doubt("SeveralBuilds", message, "the journal says which build ran which session"))
    if state.clock_jumps_s:
        said = ", ".join(f"{jump:+.0f} s" for jump in state.clock_jumps_s[:5])
        doubts.append(
            Doubt(
                "ClockJumped",
                f"the wall clock jumped by {said}",
                "durations are measured by a clock that never goes back",
            )
        )
    if "jesd219" in settings.workloads:
        message = f"requests below {settings.block_bytes} B of JESD219's mix were made one block"
        doubts.append(Doubt("Jesd219Rounded", message, "a job file sends the mix as it is, without verification"))
    if JOBS in settings.workloads:
        message = f"what {settings.jobs_name} wrote was not verified"
        doubts.append(Doubt("NotVerified", message, "the built-in workloads verify every block"))
    return doubts


def _failure(state: RunState, names: tuple[str, ...]) -> Finding:
    failed = state.ended in FAILURES
    at_most = state.written_bytes + state.doubtful_bytes
    at = f"{format_bytes(state.written_bytes)} written in {format_time(state.elapsed_ns)} of work"
    if state.doubtful_bytes:
        at += f" (and up to {format_bytes(state.doubtful_bytes)} more that crashes cut short)"
    doubt = Doubt("OneDrive", what_the_sample_tells(1, int(failed)), "wear several drives of several lots")
    if not failed:
        return Finding(
            "host_bytes_to_failure", f"Not failed after {at}; its life is longer than that.", None, "bytes",
            low=state.written_bytes, evidence=names[-1:], doubts=(doubt,),
        )  # fmt: skip
    return Finding(
        "host_bytes_to_failure", f"Failed after {at}: {_WORDS[state.ended]}.", state.written_bytes, "bytes",
        low=state.written_bytes, high=at_most, confidence_ratio=1.0, evidence=names[-2:], doubts=(doubt,),
        details={"end": state.ended},
    )  # fmt: skip


def _integrity(state: RunState, names: tuple[str, ...]) -> Finding:
    checked = sum(state.verified.values())
    wrong = {kind: count for kind, count in state.verified.items() if kind != "good" and count}
    if not checked:
        return Finding("data_integrity", "Nothing was verified.", None, "count", evidence=names[-1:])
    if not wrong:
        statement = (
            f"All of {checked} blocks read back were as written; none was lost, stale, misdirected or corrupted."
        )
    else:
        said = "; ".join(f"{count} {_KIND_WORDS[kind]}" for kind, count in sorted(wrong.items()))
        first = state.examples[0] if state.examples else {}
        where = f" The first is at byte {first['address_bytes']}." if first else ""
        statement = f"Of {checked} blocks read back, {sum(wrong.values())} were wrong: {said}.{where}"
    return Finding(
        "data_integrity", statement, sum(wrong.values()), "count", evidence=names,
        details={"counts": dict(state.verified), "examples": state.examples, "read_bytes": state.read_bytes},
    )  # fmt: skip


def _crashes(state: RunState) -> Finding:
    found = ", ".join(f"{count} {outcome}" for outcome, count in sorted(state.in_doubt.items())) or "none"
    statement = (
        f"The run was cut short {state.crashes} time{'s' * (state.crashes != 1)} with a write under way; of the blocks "
        f"in doubt were: {found}. None of them was acknowledged, so none counts as lost."
    )
    return Finding(
        "crash_recovery", statement, state.crashes, "count",
        details={"in_doubt": dict(state.in_doubt), "torn_journal_bytes": state.torn_bytes, "sessions": state.sessions},
    )  # fmt: skip


def _performance(seen: list[dict[str, Any]], names: tuple[str, ...]) -> list[Finding]:
    rates = [(one["step"], one["bytes_per_second"]) for one in seen if one["bytes_per_second"]]
    figures = [one for one in seen if one["performance"]]
    if len(figures) < 2:
        if not rates:
            return []
        statement = f"It took {rates[-1][1] / 1e6:.1f} MB/s of verified writing in the last stretch."
        return [Finding("wear_rate", statement, rates[-1][1], "bytes/s", evidence=(rates[-1][0],))]
    key = "sequential_write"
    first, last = (figures[place]["performance"][key]["bytes_per_second"] for place in (0, -1))
    change = last / first - 1 if first else 0.0
    statement = (
        f"Sequential writing went from {first / 1e6:.0f} to {last / 1e6:.0f} MB/s between the first and the last "
        f"checkpoint ({change:+.0%})."
    )
    doubt = Doubt(
        "ShortFigures", "measurements of two seconds may only show a write cache", "run `flashscope examine --full`"
    )
    return [
        Finding(
            "performance_change", statement, change, "ratio", evidence=(figures[0]["step"], figures[-1]["step"]),
            doubts=(doubt,), details={"last": figures[-1]["performance"], "first": figures[0]["performance"]},
        )
    ]  # fmt: skip


def _smart(seen: list[dict[str, Any]], names: tuple[str, ...]) -> Finding:
    answered = [one for one in seen if not one["smart_failure"]]
    if not answered:
        return Finding("smart_series", f"SMART: {seen[-1]['smart_failure']}.", None, "count", evidence=names[-1:])
    first, last = answered[0]["smart"], answered[-1]["smart"]
    changes = [
        f"{key.replace('_', ' ')} {first[key]:g} to {last[key]:g}"
        for key in ("erase_count_average", "life_used_percent", "grown_bad_block_count", "reallocated_sector_count")
        if key in first and key in last
    ]
    silent = len(seen) - len(answered)
    doubts = (
        (Doubt("SmartSilent", f"SMART gave no answer at {silent} of {len(seen)} checkpoints", "look at the cable"),)
        if silent
        else ()
    )
    said = "; ".join(changes) or "it shows no counter of wear"
    statement = f"SMART answered at {len(answered)} of {len(seen)} checkpoints: {said}."
    return Finding("smart_series", statement, len(answered), "count", evidence=names, doubts=doubts)


def _projection(seen: list[dict[str, Any]], names: tuple[str, ...]) -> list[Finding]:
    made = seen[-1]["projection"]
    if not made:
        return []
    span = ""
    if made["days_low"] is not None and made["days_high"] is not None:
        span = f" ({made['days_low']:.1f} to {made['days_high']:.1f})"
    amplification = made["write_amplification"]
    corrected = f", write amplification {amplification:.2f}" if amplification else ""
    statement = (
        f"By {made['basis']}, {format_percent(made['used_ratio'])} of the rated life is used; at the rate so far"
        f"{corrected} the rating is reached after {made['days']:.1f} more days{span}."
    )
    return [
        Finding(
            "days_to_rating", statement, made["days"], "days", made["days_low"], made["days_high"], evidence=names[-2:]
        )
    ]


def _retention(seen: list[dict[str, Any]]) -> list[Finding]:
    held = [one for one in seen if one["note"].startswith("after ")]
    if not held:
        return []
    last = held[-1]
    wrong, checked = last["verification"]["wrong_blocks"], last["verification"]["checked_blocks"]
    statement = f"{last['note'][0].upper()}{last['note'][1:]}: {wrong} of {checked} blocks were wrong."
    return [Finding("retention_off_power", statement, wrong, "count", evidence=(last["step"],))]
