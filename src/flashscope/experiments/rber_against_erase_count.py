"""Read a region, read SMART, wear the drive a little, again: wrong bits per bit read against the average erase count.

    [ fill a region, read it in 8 parts, SMART after each ] -> write drive-fills -> [ fill, read ] -> ...    DESTRUCTIVE
    read-only:       [ read it in 8 parts, SMART after each ]                one point, at the wear there is

An erase cycle takes a whole drive-fill, since wear levelling spreads the writes. So a run has only as many levels as
its effort allows (a few cycles), and reports their growth with the smallest growth it could have detected. The curve
over a drive's life comes from many such records of one drive, or of drives with the same flash: RBER depends on
the NAND.
Only for SMART that shows total error bits, sectors read and the average erase count (Indilinx controllers).
Analysis: `analysis/error_rates.py`.
"""

from __future__ import annotations

from itertools import pairwise

from flashscope.analysis.error_rates import ErrorRatio, error_ratio, growth
from flashscope.experiments.read_streams import sequential_reads
from flashscope.experiments.streams import MIB, SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.smart.decoding.decode import decode
from flashscope.smart.decoding.reading import Reading
from flashscope.units import format_count, format_number
from flashscope.workloads.job import Job
from flashscope.workloads.steps import ReadSmart, Step, Workload

_REGION_BYTES = 4 << 30
_PARTS = 8
_SAMPLE_NS = SECOND_NS
_FEW_ERRORS = 100
_CLUSTERED_BITS = 1.5
_FILLING, _SMART = "filling", "SMART"  # roles


class RberAgainstEraseCount:
    """Finds the raw bit error ratio, whether errors come in clusters, and how the ratio grows with wear."""

    name = "rber-against-erase-count"
    title = "Bit errors against wear"
    question = "How many of the bits read from flash are wrong, do errors come in clusters, and do they grow with wear?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"bit_errors"})
    needs = Needs(Capability.SOLID_STATE, Capability.ERROR_BITS)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """Levels of wear with readings between them; no step when SMART cannot show error bits."""
        if self.needs.missing(facts, effort):
            return []
        request = min(MIB, large_request_bytes(facts.user_bytes))
        levels = 1 if effort.read_only else effort.choose(1, 2, 4)
        if effort.most_bytes is not None and effort.most_bytes < 3 * facts.user_bytes:
            levels = 1  # each further one takes drive-fills
        span = whole_requests(effort.at_most(min(_REGION_BYTES, facts.user_bytes)), request * _PARTS)
        if span == 0:
            return []
        steps: list[Step] = []
        for level in range(1, levels + 1):
            if level > 1:
                whole = whole_requests(facts.user_bytes, request)
                amount = effort.choose(1, 2, 2) * whole
                wear = sequential_writes("wearing", request_bytes=request, size_bytes=whole, io_bytes=amount)
                labels = Labels.of("wearing", level=level - 1, family="wearing")
                steps.append(Workload(f"wearing {level - 1}", (wear,), 5 * _SAMPLE_NS, amount, 0, labels=labels))
            if not effort.read_only:  # written again, so that no error comes from retention
                fill = sequential_writes("filling", request_bytes=request, size_bytes=span)
                labels = Labels.of(_FILLING, level=level, family="filling")
                steps.append(Workload(f"filling {level}", (fill,), _SAMPLE_NS, span, 0, labels=labels))
            steps.append(ReadSmart(f"SMART before reading {level}", labels=_part(level, 0)))
            for part in range(1, _PARTS + 1):
                name = f"reading {level}.{part}"
                job = _reads(name, (part - 1) * span // _PARTS, span // _PARTS, request)
                labels = Labels.of("reading", level=level, part=part, family="reading")
                steps += [
                    Workload(name, (job,), _SAMPLE_NS, 0, span // _PARTS, labels=labels),
                    ReadSmart(f"SMART after {name}", labels=_part(level, part)),
                ]
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """rber, error_bits_per_error_read and rber_growth_per_cycle."""
        smart = {
            (step.labels.count("level"), step.labels.count("part")): decode(step.smart)
            for step in record.steps_with(_SMART)
            if step.smart is not None
        }
        levels = [level for one in range(1, 9) if (level := _level(one, smart)) is not None]
        if not levels:
            seen = any(one.value("error_bits") is not None for one in smart.values())
            why = "too little was read" if seen or not smart else "its SMART does not show total error bits"
            return [Finding("rber", f"The bit error ratio is not known: {why}.", None, "ratio")]
        first, last = levels[0], levels[-1]
        findings = [_rber_finding(last[0], last[1], _doubts(record, last[1]), levels)]
        clusters = _cluster_finding(levels)
        findings += [clusters] if clusters else []
        if first[0] is not None and last[0] is not None:
            findings.append(_growth_finding(levels))
        return findings


Level = tuple[float | None, ErrorRatio, int, int]
"""Average erase count, the ratio, reads with wrong bits, and the number of the level."""


def _part(level: int, part: int) -> Labels:
    """Labels of a SMART reading after a part of a level; part 0: before the first."""
    return Labels.of(_SMART, level=level, part=part)


def _reads(name: str, offset: int, size: int, request: int) -> Job:
    return sequential_reads(name.replace(" ", "-"), request_bytes=request, offset_bytes=offset, size_bytes=size)


def _level(number: int, smart: dict[tuple[int, int], Reading]) -> Level | None:
    """What was read at one level of wear; None without two readings that show error bits."""
    readings = [smart[number, part] for part in range(_PARTS + 1) if (number, part) in smart]
    if len(readings) < 2:
        return None
    columns = []
    for key in ("error_bits", "host_read_bytes", "corrected_read_count"):
        values = [one.value(key) for one in readings]
        known = [int(value) for value in values if value is not None]
        columns.append([after - before for before, after in pairwise(known)])
    errors, read, events = columns
    if not errors or len(errors) != len(read):
        return None
    ratio = error_ratio(errors, [8 * amount for amount in read])
    erases = readings[-1].value("erase_count_average")
    return None if ratio is None else (None if erases is None else float(erases), ratio, sum(events), number)


def _doubts(record: Record, ratio: ErrorRatio) -> tuple[Doubt, ...]:
    doubts = []
    if ratio.error_bits < _FEW_ERRORS:
        message = f"only {ratio.error_bits} wrong bits were seen"
        doubts.append(Doubt("TooFewSamples", message, "read more: the interval shrinks with the root of that number"))
    if not record.steps_with(_FILLING):
        message = "nothing was written first; places that were never written are not read from flash"
        doubts.append(Doubt("NotFresh", message, "read where data lies, or let the experiment write"))
    return tuple(doubts)


def _rber_finding(erases: float | None, ratio: ErrorRatio, doubts: tuple[Doubt, ...], levels: list[Level]) -> Finding:
    age = f" at an average of {format_count(erases)} erases" if erases is not None else ""
    statement = (
        f"{format_number(ratio.value, 2)} of the bits read are wrong before correction{age} "
        f"({format_count(ratio.error_bits)} wrong bits)."
        if ratio.error_bits
        else f"Not one wrong bit was seen{age}; at most {format_number(ratio.high, 2)} of the bits are."
    )
    rows = [
        {
            "erase_count_average": count,
            "rber": one.value,
            "low": one.low,
            "high": one.high,
            "error_bits": one.error_bits,
            "read_bits": one.read_bits,
            "dispersion_ratio": one.dispersion,
        }
        for count, one, _, _ in levels
    ]
    return Finding(
        "rber", statement, ratio.value, "ratio", ratio.low, ratio.high,
        evidence=tuple(f"reading {levels[-1][3]}.{part}" for part in range(1, _PARTS + 1)), doubts=doubts,
        details={"levels": rows},
    )  # fmt: skip


def _cluster_finding(levels: list[Level]) -> Finding | None:
    """Wrong bits for each read that had any, over all levels; None when there was no such read."""
    errors, events = sum(level[1].error_bits for level in levels), sum(level[2] for level in levels)
    if not events:
        return None
    ratio = errors / events
    if ratio > _CLUSTERED_BITS:
        statement = (
            f"Wrong bits come in clusters, {ratio:.2g} in each read that has any: a few bad blocks make most of "
            f"them, and "
            "the drive lives longer by retiring these."
        )
    else:
        statement = (
            f"Wrong bits are spread, {ratio:.3g} in each read that has any: no block is to blame, so near the end bad "
            "blocks will come in a rush and the spare area will be gone at once."
        )
    error = 1.96 * ratio / events**0.5
    return Finding("error_bits_per_error_read", statement, ratio, "bits", max(1.0, ratio - error), ratio + error)


def _growth_finding(levels: list[Level]) -> Finding:
    known = [(erases, ratio) for erases, ratio, _, _ in levels if erases is not None]
    found = growth([erases for erases, _ in known], [ratio for _, ratio in known])
    if found is None:
        statement = "One erase count does not show how the ratio grows with wear; compare records of other times."
        return Finding("rber_growth_per_cycle", statement, None, "ratio")
    slope, low, high = found
    span = known[-1][0] - known[0][0]
    if low > 0:
        statement = f"The ratio grows by {format_number(slope, 2)} with each erase cycle."
    else:
        seen = format_number(max(high, 0), 2)
        statement = (
            f"No growth is seen over {format_count(span)} erase cycles; more than {seen} a cycle would be. Wear of "
            "hundreds of cycles tells more: compare records of other times."
        )
    doubt = Doubt("TooShort", f"only {format_count(span)} erase cycles lie between", "run it again after months of use")
    return Finding("rber_growth_per_cycle", statement, slope, "ratio", low, high, doubts=(doubt,))
