"""The guard: no drive is opened while a rule refuses it, and all rules are checked again before it is written.

    address --look--> Case (plain data) --ALL_RULES--> refusals, all at once, each with what lifts it

`open.py` asks it twice: before the drive is opened, and again once the drive is held exclusively.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from pathlib import Path

from flashscope.alignment.boundaries import MappingUnit
from flashscope.alignment.disk import align_disk, one_line
from flashscope.drives.addresses.address import Address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.contents.survey import Foreign, Unreadable, find_foreign
from flashscope.drives.guard.own_files import OwnFiles, find_own_files
from flashscope.drives.guard.rules import ALL_RULES, Case, Refusal, Rule
from flashscope.drives.guard.rules.contents import Data
from flashscope.drives.guard.signatures import Signature, read_signatures
from flashscope.drives.guard.target import Target, inspect_target
from flashscope.drives.held.held import Held
from flashscope.drives.held.identity import place_of_device
from flashscope.drives.system.reader import read_system
from flashscope.drives.system.view import SystemView
from flashscope.errors import WrongUse
from flashscope.partitions.read import read_layout
from flashscope.partitions.source import open_source

_log = logging.getLogger("flashscope.drives")


class Refused(WrongUse):
    """The guard refuses the drive. refusals: every broken rule, with what was found and what lifts it."""

    def __init__(self, case: Case, refusals: tuple[Refusal, ...]) -> None:
        self.refusals = refusals
        verb = "written" if case.destructive else "read"
        rules = "1 rule refuses it" if len(refusals) == 1 else f"{len(refusals)} rules refuse it"
        lines = [f"{case.target.address} will not be {verb}: {rules}"]
        for refusal in refusals:
            lines += [f"  {refusal.rule}: {refusal.found}", f"    lifted by: {refusal.lift}"]
        super().__init__("\n".join(lines))


def look(
    address: Address,
    *,
    destructive: bool,
    consent: Consent,
    store_path: Path | None,
    held: Held | None = None,
    keeps_data: bool = False,
) -> Case:
    """Gather the facts that the rules look at, from the system as it is now; changes nothing.

    held: the drive, when the caller holds it already: then this drive is looked at, wherever its name leads.
    keeps_data: see `Case`.
    """
    view = read_system()
    target = inspect_target(address, view, destructive=destructive, held=held)
    may_lose = destructive and not keeps_data
    asked = may_lose and Data.name not in consent.allow
    foreign, unreadable = _foreign(target, view, held) if asked else (None, False)
    signatures = _signatures(target, view, held) if may_lose else ()
    return Case(
        target=target,
        view=view,
        consent=consent,
        destructive=destructive,
        block_signatures=signatures,
        foreign=foreign,
        unreadable=unreadable,
        store_path=store_path,
        own=find_own_files(target, view, store_path) if destructive else OwnFiles(),
        alignment=_alignment(target, view, signatures),
        keeps_data=keeps_data,
    )


def broken_rules(case: Case) -> tuple[Refusal, ...]:
    """Every rule that refuses the case and that the consent does not set aside, in the order of SAFETY.md.

    Raises WrongUse when the consent names a rule that does not exist or that cannot be set aside, or holds
    something that does not fit the kind of drive.
    """
    _check_consent(case)
    asked = [rule for rule in ALL_RULES if _is_asked(rule, case)]
    refusals = []
    for rule in asked:
        if rule.name not in case.consent.allow:
            for found, lift in rule.find(case):
                also = f"--allow {rule.name}; or: {lift}" if rule.overridable else lift
                refusals.append(Refusal(rule.name, found, also))
    _tell(case, asked, refusals)
    return tuple(refusals)


def _is_asked(rule: Rule, case: Case) -> bool:
    if case.keeps_data and rule.about_loss:
        return False
    return case.destructive or rule.for_reading


def _tell(case: Case, asked: Sequence[Rule], refusals: Sequence[Refusal]) -> None:
    who = f"guard: {case.target.address}, to be {'written' if case.destructive else 'read'}"
    refusing = {refusal.rule for refusal in refusals}
    for refusal in refusals:
        _log.debug("%s: %s refuses: %s", who, refusal.rule, refusal.found)
    for rule in asked:
        if rule.name in case.consent.allow:
            _log.debug("%s: %s is set aside by --allow", who, rule.name)
    silent = [rule.name for rule in asked if rule.name not in refusing | case.consent.allow]
    _log.debug("%s: %d rules asked; these found nothing: %s", who, len(asked), ", ".join(silent))


def check(case: Case) -> None:
    """Raise Refused with all broken rules; return when there is none."""
    refusals = broken_rules(case)
    if refusals:
        raise Refused(case, refusals)


def overridable_rules() -> tuple[Rule, ...]:
    """The rules that `--allow` can set aside."""
    return tuple(rule for rule in ALL_RULES if rule.overridable)


def _check_consent(case: Case) -> None:
    may_be_named = ", ".join(rule.name for rule in overridable_rules())
    fixed = {rule.name: rule for rule in ALL_RULES if not rule.overridable}
    for name in sorted(case.consent.allow - {rule.name for rule in overridable_rules()}):
        if name in fixed:
            raise WrongUse(
                f"--allow {name}: this rule cannot be set aside",
                accepted=may_be_named,
                advice=f"it is lifted by: {fixed[name].lifted_by}",
            )
        raise WrongUse(f"--allow {name}: there is no such rule", accepted=may_be_named)
    if case.target.wants != "block device" and case.consent.serial is not None:
        raise WrongUse(
            f"--serial does not go with {case.target.address}, which is a {case.target.wants}", accepted="--write-ok"
        )
    if case.target.wants == "block device" and case.consent.create_bytes is not None:
        raise WrongUse(f"--size does not go with {case.target.address}: the size of a drive cannot be chosen")


def _signatures(target: Target, view: SystemView, held: Held | None) -> tuple[Signature, ...] | None:
    """The signatures on a block device, its partitions and what is built on it; None when any cannot be read."""
    found: list[Signature] = []
    for name in sorted(view.above(target.block_name)) if target.block_name else ():
        block = view.blocks[name]
        if block.size_bytes == 0:
            continue
        signatures = read_signatures(Path(block.path), held if name == target.block_name else None)
        if signatures is None:
            return None
        found += signatures
    return tuple(found)


def _alignment(target: Target, view: SystemView, signatures: Sequence[Signature] | None) -> str:
    """The alignment of a block device that carries a partition table, in one line; its mapping unit is not asked."""
    block = view.blocks.get(target.block_name)
    if block is None or not any(each.role == "partition table" for each in signatures or ()):
        return ""
    path = view.blocks[view.whole(block.name)].path
    try:
        with open_source(Path(path)) as source:
            return one_line(align_disk(path, read_layout(source), MappingUnit()))
    except WrongUse:
        return ""


def _foreign(target: Target, view: SystemView, held: Held | None) -> tuple[Foreign | None, bool]:
    """The first data of others on a file or a block device, and whether nothing on it can be read."""
    if target.kind != target.wants or target.kind == "directory" or not target.readable:
        return None, False
    block = view.blocks.get(target.block_name)
    size_bytes = block.size_bytes if block else target.size_bytes
    try:
        if held is not None:
            return find_foreign(held.handle, size_bytes), False
        wanted = place_of_device(os.stat(target.path).st_rdev) if block else target.identity
        with Held.take(Path(target.link_to or target.path), os.O_RDONLY, wanted=wanted) as taken:
            return find_foreign(taken.handle, size_bytes), False
    except (Unreadable, OSError):
        return None, True
