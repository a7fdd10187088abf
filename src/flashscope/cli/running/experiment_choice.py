"""Which experiments a command is about: named ones, a job file, or the whole catalogue."""

from __future__ import annotations

from pathlib import Path

from flashscope.errors import WrongUse
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.experiment import Experiment
from flashscope.runner.jobs_experiment import JobsExperiment


def read_job_file(path: Path, facts: DriveFacts) -> Experiment:
    """A job file as an experiment on a drive. Raises WrongUse when it cannot be read or says what cannot be done."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise WrongUse(
            f"the job file {path} cannot be read: {reason}", accepted="a job file in fio's language"
        ) from error
    from flashscope.workloads.job_file import parse_job_file

    return JobsExperiment(path.stem, parse_job_file(text, source=str(path), drive_bytes=facts.user_bytes), text)
