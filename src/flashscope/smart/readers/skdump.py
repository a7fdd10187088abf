"""What skdump (libatasmart) prints as text. Its raw column shows the six raw bytes in the drive's order, lowest first.

ID# Name                        Value Worst Thres Pretty      Raw            Type    Updates Good Good/Past
  9 power-on-hours               99    99      0 1.2 years    0x8e2900000000 old-age online  n/a  n/a
"""

from __future__ import annotations

import re

from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.dump import Dump, PrintedAttribute
from flashscope.smart.readers.attribute_row import number_of
from flashscope.smart.readers.draft import Draft
from flashscope.smart.readers.text import ENDS_IN_A_LINE, whole_number

_ROW = re.compile(
    r" *(\d{1,3}) (\S+) +(\d{1,3}|n/a) +(\d{1,3}|n/a) +(\d{1,3}|n/a) +(\S.*?) +0x([0-9a-fA-F]{12}) (\S+) +(\S+) "
    r"+(\S+) .*"
)
_PASSED = {"yes": 1, "no": 0}
_IDENTITY = {"Model": "model", "Firmware": "firmware", "Serial": "serial"}


def looks_like_skdump(text: str) -> bool:
    """Whether a text is of skdump."""
    return "ID# Name " in text and "Pretty" in text and "SMART Available" in text


def read_skdump(text: str, source: str) -> Dump:
    """The dump in what skdump printed. Raises WrongUse when it has no attribute."""
    draft = Draft(source, "skdump text", protocol="ATA")
    *lines, cut = text.split("\n")
    if cut.strip():
        draft.breaks_off(ENDS_IN_A_LINE)
        draft.not_read(cut)
    for line in lines:
        label, colon, value = line.partition(":")
        value = value.strip()
        if colon and label in _IDENTITY:
            draft.tell(_IDENTITY[label], value.strip("[]").strip())
        elif label == "SMART Disk Health Good" and value in _PASSED:
            draft.log("smartctl", "smart_passed", _PASSED[value])
        elif label == "Size" and (mebibytes := whole_number(value.removesuffix("MiB").strip())):
            draft.remark(f"the capacity is given in whole MiB: {mebibytes}")
            draft.tell("user_bytes", mebibytes << 20)
        elif (match := _ROW.fullmatch(line)) and (id := number_of(match[1])):
            value_byte, worst, threshold = (int(word) if word != "n/a" else 0 for word in match.group(3, 4, 5))
            pre_failure = match[8] == "prefail"
            flags = int(pre_failure) | (2 if match[9] == "online" else 0)
            draft.attribute(
                SmartAttribute(id, flags, value_byte & 0xFF, worst & 0xFF, bytes.fromhex(match[7]), match[2]),
                PrintedAttribute(
                    threshold,
                    f"{match[6]} (0x{match[7]})",
                    when_failed="now" if match[10] == "no" else "",
                    pre_failure=pre_failure,
                ),
            )
        elif line[:4].strip().isdigit():
            draft.not_read(line)
    if not draft.attributes:
        raise WrongUse(f"{source} is from skdump but has no complete attribute", accepted="the output of skdump")
    return draft.finished()
