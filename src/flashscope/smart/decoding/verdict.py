"""What a person should do about a drive: one of four levels, the reasons, and the advice.

    copy now   it may refuse writes or lose data soon: copy everything to another drive first
    watch      it has used up its rating, has lost data once, or is near a limit of its own
    good       no number is a reason for concern
    unknown    the reading says nothing about its state, or is incomplete

The signs are found in `signs.py`. A sign of failure counts more than any percentage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.smart.decoding.clocks import Clock
from flashscope.smart.decoding.life import said_between
from flashscope.smart.decoding.reading import NO_SMART, Reading
from flashscope.smart.decoding.signs import COPY_NOW, READ_ONLY, WATCH, Sign, self_assessment, signs
from flashscope.smart.decoding.span import Span
from flashscope.smart.dump import Dump

__all__ = ["COPY_NOW", "GOOD", "UNKNOWN", "WATCH", "Verdict", "judge"]

GOOD = "good"
UNKNOWN = "unknown"
_PLAN = (
    "Keep a copy of everything on it elsewhere, and plan to replace it: what its maker promised is used up, or nearly."
)
_ONLY_ADVICE = {
    frozenset({"life"}): _PLAN,
    frozenset({"promise"}): _PLAN,
    frozenset({"life", "promise"}): _PLAN,
    frozenset({"link"}): "Change its cable or its plug, then read its SMART again: the number should no longer grow.",
    frozenset({"temperature"}): "Improve its cooling, then read its SMART again.",
}
"""What to do where there are only these causes, none of which is a sign of failure."""


@dataclass(frozen=True)
class Verdict:
    """level: COPY_NOW, WATCH, GOOD or UNKNOWN. statement: one sentence. reasons: why. advice: what to do.

    causes: one word for each reason ("spare", "life", "link", ...), for programs; none for an incomplete dump.
    """

    level: str
    statement: str
    reasons: tuple[str, ...] = ()
    advice: str = ""
    causes: tuple[str, ...] = ()


def judge(reading: Reading, clocks: Sequence[Clock], dump: Dump) -> Verdict:
    """The verdict on one reading, with the clocks made of it."""
    found = signs(reading, clocks, dump)
    ordered = [sign for level in (COPY_NOW, WATCH) for sign in found if sign.level == level]
    if ordered:
        return _of_signs(ordered, reading, dump)
    if dump.cut:
        statement = "This dump is incomplete, so the condition of the drive is not known."
        return Verdict(UNKNOWN, statement, (dump.cut,), _advice_to_read(dump))
    if reading.family == NO_SMART or not _tells_of_state(reading):
        return _unknown(dump)
    return Verdict(
        GOOD, _good_words(reading), (), "Nothing needs to be done, except to keep copies, as for every drive."
    )


def _of_signs(found: Sequence[Sign], reading: Reading, dump: Dump) -> Verdict:
    reasons, causes = tuple(sign.words for sign in found), tuple(sign.cause for sign in found)
    if dump.cut:
        reasons += (f"the dump is incomplete ({dump.cut}): there may be problems that it does not show",)
    if found[0].level == COPY_NOW:
        statement = "This drive is failing or has no reserve left."
        return Verdict(COPY_NOW, statement, reasons, _advice_to_copy(reading), causes)
    usual = "Keep a copy of everything on it elsewhere, and read its SMART again soon."
    advice = _ONLY_ADVICE.get(frozenset(causes), usual)
    return Verdict(WATCH, "This drive works, but watch it.", reasons, advice, causes)


def _unknown(dump: Dump) -> Verdict:
    """What is known of a drive whose numbers say nothing about its state."""
    passed = ("its own self-assessment passed, which many drives say until they fail",)
    statement = "The readings do not show the condition of this drive."
    return Verdict(UNKNOWN, statement, passed if self_assessment(dump) else (), _advice_to_read(dump))


def _advice_to_copy(reading: Reading) -> str:
    warning = int(reading.value("critical_warning") or 0)
    if warning & READ_ONLY or reading.value("write_protect_flag"):
        return (
            "Copy everything to another drive now, before it is switched off: it is read-only, and such a drive "
            "may not start again. Do not try to repair or format it."
        )
    return "Copy everything to another drive now, before anything else. Write as little as possible to it until then."


def _advice_to_read(dump: Dump) -> str:
    """How to learn more; never to do again what was done."""
    if dump.vendor_logs.get("scsi", {}).get("is_volume"):
        remark = next((remark for remark in dump.remarks if "RAID controller" in remark), "")
        return f"{remark[:1].upper()}{remark[1:]}."
    if dump.protocol == "SCSI" and not dump.cut:
        return (
            "Behind an adapter or RAID controller, read the drive itself: `smartctl --scan` shows how it is named, "
            "such as `smartctl -x -d megaraid,0 /dev/sda`."
        )
    if not dump.format.startswith("smartctl"):
        return "Read it with `smartctl -x --json`, as root." if dump.format else ""
    if dump.cut:
        return "Read it again, and keep all that the program prints."
    if dump.protocol == "NVMe":
        return "Its health log says nothing; try `nvme smart-log`, or a newer smartctl."
    if dump.protocol == "ATA" and dump.format == "smartctl text" and not dump.statistics:
        return "Read it with `smartctl -x`, as root: it also shows the Device Statistics, where the drive has them."
    if dump.attributes:
        return "It says no more; `flashscope smart learn` finds out what its attributes count."
    return (
        "It says nothing here: behind an adapter, name its kind (`smartctl -d`); of an NVMe drive try `nvme smart-log`."
    )


def _good_words(reading: Reading) -> str:
    life = reading.fields.get("remaining_life_ratio")
    if life is None:
        return "No sign of a problem was found on this drive."
    left = f"about {100 * life.value:.0f} % of its rated life is left{said_between(Span.of(life))}"
    return f"No sign of a problem was found on this drive; {left}."


def _tells_of_state(reading: Reading) -> bool:
    """Whether the reading has any number that would show a problem."""
    telling = {
        "remaining_life_ratio", "spare_left_percent", "reallocated_sector_count", "grown_bad_block_count",
        "retired_block_count", "uncorrectable_error_count", "media_error_count", "critical_warning",
        "pending_sector_count", "read_failure_block_count", "program_failure_block_count", "endurance_used_percent",
    }  # fmt: skip
    return not telling.isdisjoint(reading.fields)
