"""The findings of an endurance run's record.

    checkpoints --> rating reached: when?     failed: when, how?     RBER, wear, bad blocks     data without power

"Rating reached" and "failed" are two findings: a drive that lives longer than its rating has not failed, and a drive
that fails earlier never reaches its rating. Works on interrupted records too, and reports what is missing.
"""

from __future__ import annotations

from typing import Any

from flashscope.analysis.small_samples import what_the_sample_tells
from flashscope.laws.wear_projection import DAY_S
from flashscope.records import Doubt, Finding, Record
from flashscope.units import format_bytes, format_count, format_number

_END_WORDS = {
    "read-only": "it takes no more writes and can still be read",
    "dead": "it does not answer any more",
    "no-free-block": "it has no free block for a write although no block failed: its spare area is too small",
}
_SAMPLE_NEEDED = "one drive does not show how drives differ"
_JESD218_UBER = 1e-15  # client class


def checkpoints_of(record: Record) -> list[dict[str, Any]]:
    """The checkpoints of a record, in order, each with its projection under "projection"."""
    found = []
    for step in record.steps:
        seen = step.parameters.get("checkpoint")
        if isinstance(seen, dict):
            found.append({**seen, "projection": step.parameters.get("projection_to_rating")})
    return found


def result_of(record: Record) -> dict[str, Any]:
    """How the life ended and what is kept without power, from the record's last step; empty without that step."""
    found = (step.parameters["result"] for step in record.steps if "result" in step.parameters)
    result: dict[str, Any] = next(found, {})
    return result


def bad_blocks(checkpoint: dict[str, Any]) -> int:
    """Blocks that went bad in use."""
    return sum(int(checkpoint[f"{cause}_failed_blocks"]) for cause in ("program", "erase", "read"))


def findings_of(record: Record) -> list[Finding]:
    """host_bytes_to_failure, rating_host_bytes, rber_at_end, bad_blocks, erase_count_spread, write_amplification_wear,
    days_of_writing, retention_months, in that order, as far as they are known."""
    checkpoints, result = checkpoints_of(record), result_of(record)
    if not checkpoints:
        return [Finding("host_bytes_to_failure", "Stopped before the first checkpoint.", None, "bytes")]
    last = checkpoints[-1]
    names = [step.name for step in record.steps if "checkpoint" in step.parameters]
    findings = [_failure(checkpoints, result, names), _rating(checkpoints, result, names)]
    findings += [_errors(last, names), _blocks(last, names), _spread(last, names), _amplification(last, names)]
    findings.append(_time(checkpoints, result, names))
    findings += [_retention(result, names)] if result.get("retention") else []
    return findings


def _one_drive(failures: int) -> Doubt:
    return Doubt("OneDrive", f"{_SAMPLE_NEEDED}: {what_the_sample_tells(1, failures)}", "endure --drives 31 --lots 3")


def _failure(checkpoints: list[dict[str, Any]], result: dict[str, Any], names: list[str]) -> Finding:
    last = checkpoints[-1]
    written = int(last["host_written_bytes"])
    at = f"{format_bytes(written)} from the host and {last['erase_count_mean']:.0f} cycles on average"
    if not result.get("failed"):
        statement = f"Not failed after {at}; the run ended there, so its life is longer than that."
        return Finding(
            "host_bytes_to_failure",
            statement,
            None,
            "bytes",
            low=written,
            evidence=(names[-1],),
            doubts=(_one_drive(0),),
        )
    before = int(checkpoints[-2]["host_written_bytes"]) if len(checkpoints) > 1 else 0
    statement = f"Failed after {at}: {_END_WORDS.get(str(result['end']), result['end'])}."
    return Finding(
        "host_bytes_to_failure", statement, written, "bytes", low=before, high=written, confidence_ratio=1.0,
        evidence=tuple(names[-2:]), doubts=(_one_drive(1),),
        details={"end": result["end"], "skipped_bytes": result["skipped_bytes"], "skips": result["skips"]},
    )  # fmt: skip


def _rating(checkpoints: list[dict[str, Any]], result: dict[str, Any], names: list[str]) -> Finding:
    rated = int(result.get("rated_pe_cycles", 0))
    after = next((place for place, seen in enumerate(checkpoints) if seen["erase_count_mean"] >= rated - 1), None)
    if after is None:
        reached = float(checkpoints[-1]["erase_count_mean"])
        what = "Failed before its rating" if result.get("failed") else "Its rating was not reached"
        return Finding(
            "rating_host_bytes", f"{what} of {rated} cycles: {reached:.0f} on average.", None, "bytes",
            evidence=(names[-1],), doubts=(_one_drive(int(bool(result.get("failed")))),),
        )  # fmt: skip
    here = checkpoints[after]
    before = checkpoints[after - 1] if after else {"host_written_bytes": 0, "erase_count_mean": 0.0}
    low, high = int(before["host_written_bytes"]), int(here["host_written_bytes"])
    share = (rated - before["erase_count_mean"]) / max(here["erase_count_mean"] - before["erase_count_mean"], 1e-9)
    value = round(low + min(share, 1.0) * (high - low))
    lost = bad_blocks(here)
    statement = (
        f"Its rating of {rated} cycles was reached after {format_bytes(value)} from the host, with "
        f"{format_count(lost)} bad block{'s' if lost != 1 else ''} by then."
    )
    return Finding(
        "rating_host_bytes", statement, value, "bytes", low=low, high=high, confidence_ratio=1.0,
        evidence=(names[after],), doubts=(_one_drive(0),),
    )  # fmt: skip


def _errors(last: dict[str, Any], names: list[str]) -> Finding:
    if last["rber"] is None:
        return Finding("rber_at_end", "Nothing could be read at the end.", None, "ratio", evidence=(names[-1],))
    doubts: tuple[Doubt, ...] = ()
    if last["error_bits"] < 100:
        few = f"only {last['error_bits']} wrong bits were seen"
        doubts = (Doubt("TooFewSamples", few, "read more at each checkpoint"),)
    statement = f"{format_number(last['rber'], 2)} of the bits read at the last checkpoint were wrong."
    return Finding(
        "rber_at_end", statement, last["rber"], "ratio", last["rber_low"], last["rber_high"],
        evidence=(names[-1],), doubts=doubts,
    )  # fmt: skip


def _blocks(last: dict[str, Any], names: list[str]) -> Finding:
    causes = {cause: int(last[f"{cause}_failed_blocks"]) for cause in ("program", "erase", "read")}
    said = ", ".join(f"{count} by {cause}" for cause, count in causes.items())
    spare = last["spare_left"]
    left = "" if spare is None else f" {spare} more may fail." if spare else " The table of bad blocks is full."
    return Finding(
        "grown_bad_blocks", f"{bad_blocks(last)} blocks went bad: {said}.{left}", bad_blocks(last), "count",
        evidence=(names[-1],), details=causes,
    )  # fmt: skip


def _spread(last: dict[str, Any], names: list[str]) -> Finding:
    low, mean, high = last["erase_count_min"], last["erase_count_mean"], last["erase_count_max"]
    return Finding(
        "erase_count_spread", f"Blocks in use had {low} to {high} cycles, {mean:.1f} on average.", high - low, "cycles",
        evidence=(names[-1],),
    )  # fmt: skip


def _amplification(last: dict[str, Any], names: list[str]) -> Finding:
    value = last["nand_written_bytes"] / max(last["host_written_bytes"], 1)
    statement = f"The flash took {value:.2f} bytes for each byte of the host, over the whole life."
    return Finding("write_amplification_wear", statement, value, "ratio", evidence=(names[-1],))


def _time(checkpoints: list[dict[str, Any]], result: dict[str, Any], names: list[str]) -> Finding:
    days = checkpoints[-1]["elapsed_ns"] / 1e9 / DAY_S
    made = [seen["projection"] for seen in checkpoints if seen["projection"]]
    statement = f"{days:.1f} days of writing without a pause."
    details: dict[str, Any] = {}
    if made:
        details = {"projections": made}
        first = next((one for one in made if one["days_low"] is not None), made[0])
        statement += " " + _projected(first, checkpoints)
    return Finding("days_of_writing", statement, days, "days", evidence=(names[-1],), details=details)


def _projected(projection: dict[str, Any], checkpoints: list[dict[str, Any]]) -> str:
    """The projection of an early checkpoint for the time to the rating."""
    number = next(place for place, seen in enumerate(checkpoints, 1) if seen["projection"] == projection)
    low, high = projection["days_low"], projection["days_high"]
    interval = "" if low is None else f" ({low:.2f} to {high:.2f})"
    return (
        f"At checkpoint {number} the way to {projection['erase_count']} cycles was projected to take "
        f"{projection['days']:.2f} more days{interval}, from what a cycle took, write amplification "
        f"{projection['write_amplification']:.2f} included. By capacity alone, amplification 1, all of it takes "
        f"{projection['uncorrected_days']:.2f} days at {projection['host_bytes_per_second'] / 1e6:.1f} MB/s."
    )


def _retention(result: dict[str, Any], names: list[str]) -> Finding:
    at_30 = _at(result["retention"], 30.0)
    months = at_30["months_to_first"]
    parts = ", ".join(f"{_say(curve)} at {curve['celsius']:.0f} C" for curve in result["retention"]["curves"])
    statement = f"Without power from now on, the first sector is expected to be lost after {parts}"
    rating = result.get("retention_at_rating") or {}
    if rating:
        year = _at(rating, 30.0)
        uber = year["lost_ratio"][year["months"].index(12)] / (8 * rating["codeword_bytes"])
        verdict = "within" if uber <= _JESD218_UBER else "beyond"
        statement += f". At its rating, a year at 30 C left UBER {format_number(uber, 2)}, {verdict} the 10⁻¹⁵ of "
        statement += "JESD218's client class"
    energy = result["retention"]["activation_ev"]
    doubts = (
        Doubt(
            "ActivationEnergy",
            f"temperature acts by Arrhenius' law with {energy} eV, an assumption of the test standard; measured "
            "acceleration was far less (13 where 1.1 eV gives 702, Hetzler 2014)",
            "rely most on the curve at 25 C",
        ),
    )
    return Finding(
        "retention_months_at_30_celsius", statement + ".", months, "months", evidence=(names[-1],), doubts=doubts,
        details={"retention": result["retention"], "retention_at_rating": rating},
    )  # fmt: skip


def _at(retention: dict[str, Any], celsius: float) -> dict[str, Any]:
    found: dict[str, Any] = next(curve for curve in retention["curves"] if curve["celsius"] == celsius)
    return found


def _say(curve: dict[str, Any]) -> str:
    months = curve["months_to_first"]
    if months is None:
        return "more than 1000 years"
    return f"{months * 30.4375:.1f} days" if months < 2 else f"{months:.1f} months"
