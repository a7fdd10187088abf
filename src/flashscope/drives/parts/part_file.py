"""Reading one TOML data sheet, of a part or a host: every key known, every value with its unit and within its bounds.

    timing.read_latency = { value = "50 us", origin = "class", source = "..." }     the full form
    timing.read_latency = "50 us"                                                   short: origin "unstated"

Each error names file, key, value and what is accepted. Whether the file is complete, and whether its values fit
together, is checked later (`part.py`, `parts/geometry.py`), after the NAND part was merged in.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from flashscope import units
from flashscope.drives.parts.keys.key import Key
from flashscope.drives.parts.schema import BY_NAME, ORIGINS, UNSTATED, accepted_text
from flashscope.errors import WrongUse

Scalar = int | float | str | bool


@dataclass(frozen=True)
class SheetKind:
    """A kind of data sheet. noun: what it describes. page: which lists its keys. keys: by dotted name.

    plain_names: what stands there as text without origin, about the file.
    """

    noun: str
    page: str
    keys: Mapping[str, Key]
    plain_names: tuple[str, ...]

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that its keys stand in, in order."""
        return tuple(dict.fromkeys(key.section for key in self.keys.values() if key.section))


PART = SheetKind("part", "docs/reference/parts.md", BY_NAME, ("name", "kind", "title", "nand", "notes"))


@dataclass(frozen=True)
class PartValue:
    """One value of a part.

    value: in base units (bytes, ns, bytes/s, cycles); a tuple where a list may stand. text: as written.
    origin: a key of `part_schema.ORIGINS`, or "unstated". source: where the value comes from.
    fitted_to: ids of the published figures it was fitted to. file: where it stands.
    """

    value: Scalar | tuple[Scalar, ...]
    text: str
    origin: str
    source: str
    fitted_to: tuple[str, ...]
    file: str


@dataclass(frozen=True)
class PartFile:
    """The contents of one file. plain: its name, kind, title, nand, notes. values: dotted key -> value."""

    plain: dict[str, str]
    values: dict[str, PartValue]


def read_part_file(path: Path, *, label: str, nand: bool) -> PartFile:
    """The contents of the file of a part at `path`, each value checked separately.

    label: how messages call the file. nand: it is a NAND part, which may contain only keys of the flash.
    Raises WrongUse: no such file, not TOML, unknown key, wrong type or unit, out of bounds, no such origin.
    """
    file = read_data_sheet(path, label=label, kind=PART)
    for name in file.values:
        if nand and not BY_NAME[name].nand:
            raise WrongUse(
                f"{label}: {name} says nothing about flash",
                accepted="in a NAND part: " + ", ".join(key.name for key in BY_NAME.values() if key.nand),
                advice="put it in the drive part that names this NAND",
            )
    return file


def read_data_sheet(path: Path, *, label: str, kind: SheetKind) -> PartFile:
    """The contents of a data sheet of that kind at `path`.

    label: how messages call the file. Raises WrongUse as `read_part_file`.
    """
    plain: dict[str, str] = {}
    values: dict[str, PartValue] = {}
    for name, entry in _entries(_toml(path, label, kind), label, kind.sections):
        if name in kind.plain_names:
            if not isinstance(entry, str):
                raise WrongUse(f"{label}: {name} is {entry!r}", accepted="text in quotes")
            plain[name] = entry
            continue
        key = kind.keys.get(name)
        if key is None:
            raise unknown_key(name, label, kind)
        values[name] = _part_value(key, entry, label)
    return PartFile(plain, values)


def with_defaults(
    stated: Mapping[str, PartValue], keys: Iterable[Key], label: str
) -> tuple[dict[str, PartValue], list[Key]]:
    """The stated values of these keys, the others at their defaults, and the keys that have neither."""
    values: dict[str, PartValue] = {}
    missing: list[Key] = []
    for key in keys:
        if key.name in stated:
            values[key.name] = stated[key.name]
        elif key.default is not None:
            values[key.name] = PartValue(key.default, str(key.default), "assumed", "the default", (), label)
        else:
            missing.append(key)
    return values, missing


def _toml(path: Path, label: str, kind: SheetKind) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise WrongUse(f"there is no {kind.noun} file {label}", accepted="a path to a TOML file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUse(
            f"the {kind.noun} file {label} cannot be read: {error}", accepted="a TOML file in UTF-8"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise WrongUse(
            f"{label} is not a valid TOML file: {error}",
            accepted=f"TOML, as in {kind.page}",
            advice="see that line; the file may have been cut off",
        ) from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, brackets thousands deep
        raise WrongUse(
            f"the {kind.noun} file {label} cannot be read: {error}", accepted=f"TOML, as in {kind.page}"
        ) from None


def _entries(document: dict[str, Any], label: str, sections: Collection[str]) -> Iterator[tuple[str, Any]]:
    """(dotted key, entry) for everything in the file; of all tables, only sections are opened."""
    for name, entry in document.items():
        if name not in sections:
            yield name, entry
        elif isinstance(entry, dict):
            yield from ((f"{name}.{inner}", value) for inner, value in entry.items())
        else:
            raise WrongUse(f"{label}: {name} is {entry!r}", accepted=f"a section of keys, [{name}]")


def _part_value(key: Key, entry: Any, label: str) -> PartValue:
    name = f"{label}: {key.name}"
    if not isinstance(entry, dict):
        return PartValue(checked_value(key, entry, name), _text(entry), UNSTATED, "", (), label)
    fields = ("value", "origin", "source", "fitted_to")
    for field in entry:
        if field not in fields:
            raise WrongUse(
                f"{name} has an unknown field {field}", accepted=", ".join(fields), advice=_near(field, fields)
            )
    for field in fields[:3]:
        if field not in entry:
            raise WrongUse(
                f"{name} has no {field}", accepted=f'{{ value = {key.example}, origin = "...", source = "..." }}'
            )
    origin, source, fitted_to = entry["origin"], entry["source"], entry.get("fitted_to", [])
    if origin not in ORIGINS:
        raise WrongUse(f"{name} has the origin {origin!r}", accepted=", ".join(f'"{known}"' for known in ORIGINS))
    if not isinstance(source, str) or not source.strip():
        raise WrongUse(f"{name} has the source {source!r}", accepted="text that says where the value comes from")
    if not isinstance(fitted_to, list) or not all(isinstance(figure, str) for figure in fitted_to):
        raise WrongUse(f"{name} has fitted_to {fitted_to!r}", accepted='a list of figure ids, such as ["F016"]')
    if (origin == "fitted") != bool(fitted_to):
        raise WrongUse(
            f'{name} has the origin "{origin}" and fitted_to {fitted_to!r}',
            accepted='fitted_to names at least one figure when the origin is "fitted", and is absent otherwise',
        )
    value = entry["value"]
    return PartValue(checked_value(key, value, name), _text(value), origin, source, tuple(fitted_to), label)


def checked_value(key: Key, entry: Any, name: str) -> Scalar | tuple[Scalar, ...]:
    """The TOML value of a key, in base units. name: for messages. Raises WrongUse when it is not accepted."""
    if not key.many:
        return _scalar(key, entry, name)
    entries = entry if isinstance(entry, list) else [entry]
    if not entries:
        raise WrongUse(f"{name} is an empty list", accepted=accepted_text(key))
    return tuple(_scalar(key, one, name) for one in entries)


def _scalar(key: Key, entry: Any, name: str) -> Scalar:
    """One value in base units, of the right type and within its bounds."""
    wrong = WrongUse(f"{name} is {_text(entry)}", accepted=accepted_text(key))
    match key.dimension:
        case "yes or no":
            if not isinstance(entry, bool):
                raise wrong
            return entry
        case "text" | "choice":
            if not isinstance(entry, str) or not entry:
                raise wrong
            if key.choices and entry not in key.choices:
                wrong.advice = _near(entry, key.choices)
                raise wrong
            return entry
    if isinstance(entry, bool) or not isinstance(entry, int | float | str):
        raise wrong
    if key.dimension == "number":
        if isinstance(entry, str):
            raise wrong
        value = entry
    else:
        value = units.parse(entry, key.dimension, key=name)
    if not key.least <= value <= key.most:
        base = {"bytes": " B", "time": " ns", "rate": " B/s", "cycles": " cycles"}.get(key.dimension, "")
        most = f", at most {key.most:g}{base}" if key.most != float("inf") else ""
        raise WrongUse(
            f"{name} is {_text(entry)}, which is out of bounds", accepted=f"at least {key.least:g}{base}{most}"
        )
    return value


def _text(entry: Any) -> str:
    """A value as a person would write it in the file."""
    if isinstance(entry, bool):
        return str(entry).lower()
    if isinstance(entry, list):
        return ", ".join(map(_text, entry))
    return str(entry)


def unknown_key(name: str, label: str, kind: SheetKind = PART) -> WrongUse:
    """The error for a key that no data sheet of that kind has; it names the most similar key of any section."""
    section, _, last = name.rpartition(".")
    known = [*kind.plain_names, *kind.keys]
    elsewhere = [other for other in known if other.rpartition(".")[2] == last]
    accepted = [other for other in known if other.rpartition(".")[0] == section]
    return WrongUse(
        f"{label}: {name} is not a key of a {kind.noun}",
        accepted=", ".join(accepted if section else [*accepted, *(f"[{one}]" for one in kind.sections)]),
        advice=f'did you mean "{elsewhere[0]}"?' if elsewhere else _near(name, [*known, *kind.sections]),
    )


def _near(found: str, known: tuple[str, ...] | list[str]) -> str:
    near = get_close_matches(found, known, n=1, cutoff=0.5)
    return f'did you mean "{near[0]}"?' if near else ""
