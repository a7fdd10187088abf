"""Plain data: what the free fields of a record may contain, and its canonical JSON text.

Configurations, parameters, totals, truths and details are plain: dictionaries with text keys, lists,
text, numbers, true/false, None. A dataclass with a method `in_record` is kept as its result. `plain()` brings
scalars and arrays, paths, enumerations, sets) into that form, once, before they are kept, so that what
is loaded equals what was saved.
"""

from __future__ import annotations

import enum
import hashlib
import json
import math
import sys
from dataclasses import fields, is_dataclass
from pathlib import PurePath
from typing import Any

_PLAIN = frozenset({type(None), bool, int, float, str})
_NAMES: dict[type, tuple[str, ...] | None] = {}


def plain(value: Any) -> Any:
    """The same value as plain data. Raises TypeError for an object that has no plain form."""
    if type(value) in _PLAIN:  # almost all values; the questions below take several times as long
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value)
    if isinstance(value, int | float | str):
        return value
    names = _field_names(type(value))
    if names is not None:
        if hasattr(value, "in_record"):
            return plain(value.in_record())
        return {name: plain(getattr(value, name)) for name in names}
    if _is_of_numpy(value):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {
            key if type(key) is str else str(plain(key)): item if type(item) in _PLAIN else plain(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [item if type(item) in _PLAIN else plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no plain form and cannot be kept in a record: {value!r}")


def _field_names(kind: type) -> tuple[str, ...] | None:
    """The names of the fields of a dataclass; None of another type. Kept, since a file tree asks ten thousand times."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
    return _NAMES[kind]


def _is_of_numpy(value: Any) -> bool:
    numpy = sys.modules.get("numpy")  # a process that has not imported it holds no array; loading it takes 0.1 s
    return numpy is not None and isinstance(value, numpy.generic | numpy.ndarray)


def to_json(value: Any) -> str:
    """Canonical JSON of plain data: keys sorted, no spaces, so equal data give equal text (NaN is kept as NaN)."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def from_json(text: str) -> Any:
    """The plain data of a text that `to_json` wrote."""
    return json.loads(text)


def fingerprint(value: Any) -> str:
    """SHA-256 of the canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(to_json(value).encode()).hexdigest()


def without_nan(value: Any) -> Any:
    """Plain data in which NaN and infinities are None, for JSON that other programs read."""
    value = plain(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_nan(item) for item in value]
    return value
