"""Bare numbers as people say them."""

from __future__ import annotations

import pytest

from flashscope.units import format_number


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (9350.4, "9\u202f350"),
        (0.025, "0.025"),
        (3.2e-7, "3.2 × 10⁻⁷"),
        (-1.5e-12, "-1.5 × 10⁻¹²"),
        (12_345_678, "12.3 million"),
        (123_456, "123\u202f456"),
        (1.0, "1"),
        (999.96, "1000"),
        (float("nan"), "unknown"),
    ],
)
def test_a_number_is_never_written_with_an_exponent_of_a_program(value: float, said: str) -> None:
    assert format_number(value) == said
