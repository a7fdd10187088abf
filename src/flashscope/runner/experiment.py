"""An experiment: a named procedure and the analysis of what it recorded. It opens no device.

    facts of a drive  --steps()-->  list of steps  --(the runner acts)-->  record  --analyse()-->  findings

Because the steps are a plain list, a run can be costed before anything is touched; because the analysis sees only
the record, the same record can be analysed again later, and a virtual and a real drive are treated alike.
The analysis finds steps by the labels that `steps()` gave them (`workloads/steps.py`), never by their displayed names.
"""

from __future__ import annotations

from typing import Protocol

from flashscope.records import Finding, Record
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.workloads.steps import Step


class Experiment(Protocol):
    """What the runner and the reports ask of an experiment."""

    @property
    def name(self) -> str:
        """As typed on the command line, e.g. "small-write-matrix"."""

    @property
    def title(self) -> str:
        """For a heading."""

    @property
    def question(self) -> str:
        """What it answers, in one sentence."""

    @property
    def expects(self) -> frozenset[str]:
        """The kinds of warnings (`run_warnings.py`) that it brings about on purpose, e.g. "NotAligned"."""

    @property
    def tells(self) -> frozenset[str]:
        """The properties of a drive that its findings say something about, e.g. "mapping_unit".

        Empty for a benchmark program: it measures what others measure, too.
        """

    @property
    def needs(self) -> Needs:
        """What it asks of a drive: capabilities, never a kind."""

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The steps for this drive, in order. Empty when a need is missing or the drive is too small."""

    def analyse(self, record: Record) -> list[Finding]:
        """The findings from the record. Works on interrupted records too, and says what is missing; raises nothing."""
