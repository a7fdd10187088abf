"""What nvme-cli prints: `smart-log` as JSON and text, with the OCP and Intel logs, `id-ctrl` and `id-ns` beside it.

Of `id-ns` the names of the namespace are read, EUI-64 before NGUID: one of them identifies a drive that does not report
its serial number. Not read here: the namespace's size, which is the drive's only where there is one namespace.

Temperatures: the JSON has kelvin; the text has degrees, and kelvin in brackets in newer versions, which is preferred.
Fahrenheit without kelvin is rounded too far to be turned back and goes to `unread`.
"""

from __future__ import annotations

import re
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.intel_log import looks_like_intel, read_intel_document, read_intel_line
from flashscope.smart.readers.json_text import CUT_OFF, whole
from flashscope.smart.readers.nvme_names import FROM_SMARTCTL, KELVIN_OF_0_CELSIUS, NAMES
from flashscope.smart.readers.nvme_records.documents import looks_like_records, read_records
from flashscope.smart.readers.nvme_records.endurance import looks_like_group
from flashscope.smart.readers.nvme_records.sections import Sections, begins_records
from flashscope.smart.readers.ocp import (
    is_ocp_line,
    known_names,
    looks_like_ocp,
    read_ocp_document,
    read_ocp_line,
)
from flashscope.smart.readers.text import ENDS_IN_A_LINE, shortened, whole_number
from flashscope.smart.readers.vendor_logs import printed

_BY_LABEL = {
    **FROM_SMARTCTL,
    "endurance_group_critical_warning_summary": "endurance_grp_critical_warning_summary",
    "warning_temperature_time": "warning_temp_time",
    "critical_composite_temperature_time": "critical_comp_time",
    **{
        f"thermal_management_t{level}_{theirs}": f"thm_temp{level}_{ours}"
        for level in (1, 2)
        for theirs, ours in (("trans_count", "trans_count"), ("total_time", "total_time"))
    },
    "host_read_commands": "host_read_commands",
    "host_write_commands": "host_write_commands",
}
_IDENTITY = {"mn": "model", "fr": "firmware", "sn": "serial"}
_NAMES_OF_NAMESPACE = ("eui64", "nguid")
_KELVIN = re.compile(r"\((\d+) ?K(?:elvin)?\)")
_CELSIUS = re.compile(r"(-?\d+) ?(?:°|º|\W{0,3})?C\b")
_ENOUGH_NAMES = 3
_HEADERS = (
    "Smart Log for NVME",
    "Additional Smart Log",
    "SMART Cloud Attributes",
    "ID             KEY",
    "key  ",
    "NVME Identify",
)
_COMMANDS = ("sudo ", "$ ", "nvme ")


def looks_like_nvme_cli(document: dict[str, Any]) -> bool:
    """Whether a JSON document is of nvme-cli: its health log, the OCP log or Intel's, a controller, a namespace."""
    return (
        looks_like_health(document)
        or {"mn", "sn", "fr"} <= document.keys()
        or _is_namespace(document)
        or looks_like_ocp(document)
        or looks_like_intel(document)
        or looks_like_records(document)
        or printed.match_of_document(document) is not None
    )


def looks_like_health(document: dict[str, Any]) -> bool:
    """Whether a JSON document is the health log; the logs of endurance groups have some of its names."""
    return len(document.keys() & NAMES) >= _ENOUGH_NAMES and not looks_like_group(document)


def read_nvme_document(document: dict[str, Any], source: str, *, whole_text: bool = True) -> Dump:
    """The dump in a JSON document of nvme-cli. Raises WrongUse when it is none."""
    if not looks_like_nvme_cli(document):
        keys = ", ".join(list(document)[:5]) or "nothing"
        raise WrongUse(
            f"{source} is JSON of another program; it holds: {shortened(keys)}",
            accepted="the JSON of smartctl, nvme smart-log, nvme ocp smart-add-log or nvme intel smart-log-add",
        )
    draft = Draft(source, "nvme-cli JSON", protocol="NVMe")
    if not whole_text:
        draft.breaks_off(CUT_OFF)
    if looks_like_health(document):
        _health(document, draft)
    elif {"mn", "sn", "fr"} <= document.keys():
        _controller(document, draft)
    elif _is_namespace(document):
        for label in _NAMES_OF_NAMESPACE:
            _name_namespace(label, str(document.get(label, "")), draft)
    elif looks_like_records(document):
        read_records(document, draft)
    elif looks_like_intel(document):
        read_intel_document(document, draft)
    else:
        _maker_or_ocp(document, draft)
    return draft.finished()


def _maker_or_ocp(document: dict[str, Any], draft: Draft) -> None:
    """A log of a maker or the OCP log, whichever knows more of the labels."""
    match = printed.match_of_document(document)
    inner = dict(printed.pairs_of(document))
    if match is not None and match.known > len(known_names(inner)):
        printed.read_document(document, match, draft)
    else:
        read_ocp_document(document if looks_like_ocp(document) else inner, draft)


def _health(document: dict[str, Any], draft: Draft) -> None:
    for key, entry in document.items():
        # Newer versions print the bits of the critical warning in words.
        value = whole(entry.get("value")) if isinstance(entry, dict) else whole(entry)
        if key in NAMES and value is not None and value >= 0:
            draft.health(key, value)
        elif not (isinstance(entry, str) and not any(sign.isdigit() for sign in entry)):
            draft.not_read(f"{key}: {entry!r}")


def _controller(document: dict[str, Any], draft: Draft) -> None:
    for key, name in _IDENTITY.items():
        if isinstance(document.get(key), str):
            draft.tell(name, document[key].strip())
    if capacity := whole(document.get("tnvmcap")):
        draft.tell("user_bytes", capacity)


def _is_namespace(document: dict[str, Any]) -> bool:
    return {"nsze", "ncap"} <= document.keys() and any(label in document for label in _NAMES_OF_NAMESPACE)


def _name_namespace(label: str, digits: str, draft: Draft) -> None:
    """Keep a namespace's name as smartctl prints it: of an EUI-64 the maker's digits, then the drive's own."""
    digits = digits.strip().lower()
    if not digits.strip("0"):
        return  # all zeros: the drive has none
    if label == "eui64":
        draft.wwn = f"{digits[:6]} {digits[6:]}"
    elif not draft.wwn:
        draft.wwn = digits


def looks_like_nvme_text(text: str) -> bool:
    """Whether a text is of nvme-cli."""
    start = text[:4000]
    if begins_records(text) or printed.match_of_text(text) is not None:
        return True
    return any(header in start for header in _HEADERS[:3]) or bool(
        re.search(r"^\s*critical_warning\s*:|^\s*0x[aA][bB]\s+program_fail|^mn\s+:", start, re.MULTILINE)
    )


def read_nvme_text(text: str, source: str) -> Dump:
    """The dump in what nvme-cli printed as text. Raises WrongUse when it holds nothing of a drive."""
    draft = Draft(source, "nvme-cli text", protocol="NVMe")
    lines = text.split("\n")
    records = Sections(draft)
    maker = None
    cut = lines.pop().strip()
    for log, match in printed.logs_of_text(lines):
        maker = _maker(log, match)
        for line in log:
            if not records.line(line):
                _line(line, draft, maker)
    if cut:
        # A number at the very end may have lost digits, unless a unit or a bracket follows it.
        if cut[-1].isdigit():
            draft.breaks_off(ENDS_IN_A_LINE)
            draft.not_read(cut)
        elif not records.line(cut):
            _line(cut, draft, maker)
    records.finish()
    if not draft.holds_anything:
        raise WrongUse(
            f"{source} holds no numbers of a drive",
            accepted="the output of nvme smart-log, with --output-format=json or without",
        )
    return draft.finished()


def _maker(log: list[str], match: printed.Match | None) -> printed.Match | None:
    """The maker's layout of the lines of a log; None where OCP's own log knows as many of them."""
    return match if match is not None and match.known > sum(map(is_ocp_line, log)) else None


def _line(line: str, draft: Draft, maker: printed.Match | None) -> None:
    line = line.strip()
    if maker is not None and maker.take_line(line, draft):
        return
    if not line or line[0] == "#" or line.startswith(_HEADERS + _COMMANDS):
        return
    label, colon, value = line.partition(":")
    label, value = label.strip(), value.strip()
    if colon and label in _IDENTITY:
        draft.tell(_IDENTITY[label], value)
    elif colon and label in _NAMES_OF_NAMESPACE:
        _name_namespace(label, value, draft)
    elif colon and label == "tnvmcap":
        if capacity := whole_number(value):
            draft.tell("user_bytes", capacity)
    elif (
        not (colon and _health_line(label, value, draft))
        and not (read_intel_line(line, draft) or read_ocp_line(line, draft))
        and any(sign.isdigit() for sign in line)
    ):
        draft.not_read(line)


def _health_line(label: str, value: str, draft: Draft) -> bool:
    name = "_".join(label.lower().split())
    name = _BY_LABEL.get(name, name)
    if name not in NAMES:
        # With -H the bits of the critical warning follow, each with its place in brackets.
        return label.endswith("]") and value in ("0", "1")
    if name == "temperature" or name.startswith("temperature_sensor"):
        if kelvin := _KELVIN.search(value):
            draft.health(name, int(kelvin[1]))
        elif celsius := _CELSIUS.match(value):
            draft.health(name, int(celsius[1]) + KELVIN_OF_0_CELSIUS)
        else:
            return False
        return True
    number = whole_number(value.partition("(")[0].strip().removesuffix("%"))
    if number is None:
        return False
    draft.health(name, number)
    return True
