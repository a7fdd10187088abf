"""How far the examinations in a store are, and which of them can go on.

    experiments of an examination    a b c d
    records that name it             a done, b interrupted        c, d: none
    what is left                       b c d                      b is run again from its beginning

An experiment that failed is left to do, too: the drive may have been unplugged, and may be there again. One that the
end of the time broke off is not: it had its time. What the newest record notes counts: the experiments within a budget
are chosen again when the speed of the drive was measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from flashscope.records.examination import Examination
from flashscope.records.record import Status
from flashscope.store.summaries import RecordSummary


@dataclass(frozen=True)
class Unfinished:
    """An examination of which something is left to do.

    done: experiment -> id of its record. left: the other experiments, in order. begun: the first of these was begun, so
    that the drive has been changed. running: ids of records whose process still works. records: ids of all that began.
    """

    examination: Examination
    done: Mapping[str, str]
    left: tuple[str, ...]
    begun: bool
    running: tuple[str, ...]
    records: tuple[str, ...]


_OVER = Status.DONE, Status.OUT_OF_TIME


def unfinished(summaries: Iterable[RecordSummary], address: str) -> Unfinished | None:
    """The newest examination of a drive, when something of it is left; None when it is complete, or there is none.

    summaries: of a store, oldest first. address: of the drive.
    """
    records: dict[str, list[RecordSummary]] = {}
    examinations: dict[str, Examination] = {}
    for summary in summaries:
        examination = summary.examination
        if examination is not None and summary.drive == address:
            examinations[examination.id] = examination
            records.setdefault(examination.id, []).append(summary)
    if not examinations:
        return None
    newest = examinations[max(examinations)]
    of_newest = records[newest.id]
    done = {one.experiment: one.id for one in of_newest if one.status in _OVER}
    left = tuple(name for name in newest.experiments if name not in done)
    if not left:
        return None
    begun = any(one.experiment in left for one in of_newest)
    running = tuple(one.id for one in of_newest if one.status is Status.RUNNING)
    return Unfinished(newest, done, left, begun, running, tuple(one.id for one in of_newest))
