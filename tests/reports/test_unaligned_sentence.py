"""A drive that counts unaligned accesses says how often there were some, and what to do."""

from __future__ import annotations

import pytest

from flashscope.reports.smart.sentences import sentences
from tests.smart.readings import reading


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("non_4k_aligned_access_count", "345 accesses at least (the counter wraps at 65 536) did not keep to 4 KiB."),
        ("unaligned_command_count", "345 accesses did not keep to the drive's own unit."),
    ],
)
def test_how_often_a_drive_was_used_unaligned_is_said(key: str, words: str) -> None:
    said = " ".join(sentences(reading("micron", **{key: 345}), ()))
    assert words in said
    assert "`flashscope align`" in said
    assert "flashscope align" not in " ".join(sentences(reading("micron", **{key: 0}), ()))
