"""Columns with units: the form in which every measurement is kept.

A `Table` is a few named columns of equal length. A column always has its unit, so that nobody has to guess whether 31
is MB/s or MiB/s. Units are written as in the names of this project: "ns", "bytes", "requests", "ratio", "count".
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Column:
    """One measured quantity over many rows.

    unit: of `values`, e.g. "ns", "bytes", "requests".
    values: shape (rows,), integer or float.
    """

    unit: str
    values: np.ndarray


@dataclass(frozen=True)
class Table:
    """Named columns of equal length. Raises ValueError when the lengths differ."""

    columns: dict[str, Column] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {name: len(column.values) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"columns of one table differ in length: {lengths}")

    def __len__(self) -> int:
        return next((len(column.values) for column in self.columns.values()), 0)

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of one column, shape (rows,); KeyError when there is none of that name."""
        return self.columns[name].values

    @classmethod
    def of(cls, **columns: tuple[str, object]) -> Table:
        """Build a table: `Table.of(elapsed_ns=("ns", [...]), written_bytes=("bytes", [...]))`."""
        return cls({name: Column(unit, np.asarray(values)) for name, (unit, values) in columns.items()})
