"""Whether a value is a number: the value of a finding may be one, a word, or none."""

from __future__ import annotations

from typing import TypeGuard


def is_number(value: object) -> TypeGuard[int | float]:
    """True of an int or a float that counts or measures something; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
