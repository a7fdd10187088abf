"""Iometer's File Server access specification, with one request outstanding and with 16. DESTRUCTIVE.

    secure erase -> 1 GB laid out -> rest -> File Server, 1 outstanding -> rest -> File Server, 16 outstanding
                                             (ramp-up dropped)

Without a rest the longest wait would be that for a write buffer to drain the file.

512 B to 64 KiB, four reads to one write, random. Another specification: `IometerRun(parse_access_specification(text))`.
--read-only: a specification that writes has no read-only form, so the experiment has no steps then.
Definitions: `profiles/iometer.py`, `profiles/access_specification.py`.
"""

from __future__ import annotations

from flashscope.experiments.profiles import iometer
from flashscope.experiments.profiles.access_specification import FILE_SERVER, AccessSpecification
from flashscope.experiments.profiles.marked import doubts_of_run
from flashscope.experiments.profiles.passes import Load, one_pass
from flashscope.experiments.profiles.test_file import MIB, place_test_file
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Finding, Record, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.units import format_count, format_percent, format_rate, format_time
from flashscope.workloads.steps import Idle, SecureErase, Step

_FILE_BYTES = 1 << 30
_DEPTHS = (1, 16)
_REST_NS = 3 * SECOND_NS


class IometerRun:
    """One access specification, run for a time."""

    name = "iometer"
    title = "Iometer"
    question = "How many requests of a server's mix does the drive serve, and how long does each wait?"
    expects = frozenset({"NotAligned"})
    tells: frozenset[str] = frozenset()  # others measure the same

    def __init__(self, specification: AccessSpecification = FILE_SERVER) -> None:
        self.specification = specification
        self.needs = Needs(writes=specification.writes)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The file laid out, then one run per number of outstanding requests."""
        if self.needs.missing(facts, effort):
            return []
        file = place_test_file(facts, _FILE_BYTES, effort=effort)
        steps: list[Step] = []
        if not effort.read_only:
            steps += [SecureErase("secure erase")] if facts.can_secure_erase else []
            steps.append(one_pass("test file", Load("test_file", "write", MIB), file))
        run_ns, ramp_up_ns = _times(effort)
        runs = [
            iometer.iometer(
                _step_name(depth),
                self.specification,
                file,
                facts,
                outstanding=depth,
                run_ns=run_ns,
                ramp_up_ns=ramp_up_ns,
            )
            for depth in _DEPTHS
        ]
        return steps + [step for run in runs for step in (Idle(f"rest before {run.name}", _REST_NS), run)]

    def analyse(self, record: Record) -> list[Finding]:
        """requests_per_second_qd1, response_time_qd1_ns and the same at 16 outstanding."""
        doubts = tuple(doubts_of_run(record, wanted_bytes=_FILE_BYTES))
        findings: list[Finding] = []
        for depth in _DEPTHS:
            name = _step_name(depth)
            run = record.step_with(iometer.RUN, outstanding=depth)
            found = iometer.result(run, ramp_up_ns=_ramp_up_of(run))
            if found is None:
                continue
            queue = "one request" if depth == 1 else f"{depth} requests"
            rate = f"{format_count(found.requests_per_second)} requests/s ({format_rate(found.bytes_per_second)})"
            reads = format_percent(found.read_ratio)
            details = {
                "bytes_per_second": found.bytes_per_second,
                "read_ratio": found.read_ratio,
                "response_max_ns": found.response_max_ns,
                "request_count": found.request_count,
            }
            longest = format_time(found.response_max_ns)
            findings += [
                Finding(
                    f"requests_per_second_qd{depth}",
                    f"With {queue} outstanding it serves {rate}, {reads} of them reads.",
                    found.requests_per_second,
                    "requests/s",
                    evidence=(name,),
                    doubts=doubts,
                    details=details,
                ),
                Finding(
                    f"response_time_qd{depth}_ns",
                    f"A request waits {format_time(found.response_mean_ns)} on average, {longest} at most.",
                    found.response_mean_ns,
                    "ns",
                    evidence=(name,),
                    doubts=doubts,
                ),
            ]
        return findings


def _times(effort: Effort) -> tuple[int, int]:
    """Run time and ramp-up [ns]."""
    return effort.choose(2, 10, 30) * SECOND_NS, effort.choose(1, 2, 10) * SECOND_NS


def _ramp_up_of(run: StepRecord | None) -> int:
    """The ramp-up of a recorded run [ns]; computed from its run time, so that the record is sufficient."""
    runtime_ns = 0 if run is None else int(run.parameters["jobs"][0]["runtime_ns"])
    for run_s, ramp_s in ((2, 1), (10, 2), (30, 10)):
        if runtime_ns == (run_s + ramp_s) * SECOND_NS:
            return ramp_s * SECOND_NS
    return 0


def _step_name(depth: int) -> str:
    return f"run with {depth} outstanding"
