"""What keeps a record during a run: the store, or the memory of a process whose caller keeps it later.

run --begin, save_step, finish--> Keeper
                                   +- Store (`store.py`)        durable at each call
                                   +- InMemory                  a worker: the finished record goes to the client
"""

from __future__ import annotations

from typing import Protocol

from flashscope.records.record import Record, StepRecord


class Keeper(Protocol):
    """What a run reports."""

    def begin(self, record: Record) -> str:
        """A run is about to start; returns the id of its record."""

    def save_step(self, record_id: str, step: StepRecord) -> None:
        """A step began or ended."""

    def finish(self, record: Record) -> None:
        """The run ended."""


class InMemory:
    """Keeps nothing: the only copy is the record that the run returns."""

    def begin(self, record: Record) -> str:
        """The record's own id."""
        return record.id

    def save_step(self, record_id: str, step: StepRecord) -> None:
        """Nothing: the step is in the record."""

    def finish(self, record: Record) -> None:
        """Nothing: the caller has the record."""
