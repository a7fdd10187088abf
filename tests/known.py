"""Values that a test knows to be there: the test fails where one is missing."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def known(value: Value | None) -> Value:
    """The value, which is not None."""
    assert value is not None, "the value is missing"
    return value


def number(value: float | str | None) -> float:
    """The value, which is a number."""
    assert isinstance(value, int | float), f"{value!r} is not a number"
    return value
