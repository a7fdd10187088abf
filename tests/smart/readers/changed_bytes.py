"""Outputs of which bytes were replaced, for tests that read them all the same."""

from __future__ import annotations

from hypothesis import strategies as st

Changes = list[tuple[int, int, bytes]]
"""Where, how many bytes are taken out, and what is put there."""

CHANGES = st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 30), st.binary(max_size=8)), max_size=6)


def with_changes(data: bytes, changes: Changes) -> bytes:
    """The bytes after all changes, one after another; places go round at the end."""
    for place, removed, added in changes:
        at = place % (len(data) + 1)
        data = data[:at] + added + data[at + removed :]
    return data
