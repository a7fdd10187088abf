"""Which findings of a drive's records speak about a property, and how they are found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.dossier.judge.ruling import is_of_judge, is_ruled_out
from flashscope.dossier.properties import Property, Source
from flashscope.records import Finding, Record, Status
from flashscope.records.abstention import why_untold


@dataclass(frozen=True)
class Telling:
    """A finding that speaks about a property. rank: of its source, 0 for the best. record: the newest one where the
    finding is derived from several."""

    source: Source
    rank: int
    record: Record
    finding: Finding

    @property
    def absence(self) -> str:
        """What it says without a value: "none seen"; "" when it has one, could not tell, or was withdrawn."""
        if self.finding.value is not None or self.is_ruled_out or self.source.absence is None or self.untold:
            return ""
        return self.source.absence(self.finding)

    @property
    def untold(self) -> str:
        """Why it could not tell, where it says so."""
        return why_untold(self.finding)

    @property
    def is_ruled_out(self) -> bool:
        """The judge took its value away, or doubts that there is nothing."""
        return is_ruled_out(self.finding)

    @property
    def is_judged_doubtful(self) -> bool:
        """The judge doubts it."""
        return any(is_of_judge(doubt) for doubt in self.finding.doubts)

    @property
    def answers(self) -> bool:
        """It has a value, or says that there is nothing."""
        return self.finding.value is not None or bool(self.absence)

    @property
    def is_finished(self) -> bool:
        """The run that made it came to its end."""
        return self.record.status is Status.DONE


def tellings(asked: Property, records: Sequence[Record]) -> list[Telling]:
    """All that speaks about a property: by source, the newest run first. records: oldest first."""
    found: list[Telling] = []
    for rank, source in enumerate(asked.sources):
        if source.derive is not None:
            derived = source.derive(records)
            found += [] if derived is None else [Telling(source, rank, _newest(records, source.rests_on), derived)]
            continue
        found += [
            Telling(source, rank, record, finding)
            for record in reversed(records)
            if record.experiment == source.experiment
            for finding in record.findings
            if finding.key == source.key
        ]
    return found


def _newest(records: Sequence[Record], experiments: Sequence[str]) -> Record:
    """The newest record of these experiments; of all, where there is none of them."""
    return next((record for record in reversed(records) if record.experiment in experiments), records[-1])
