"""What a rule of the guard is.

    Case (target, system, consent, store)  --find-->  nothing, or what was found and what would lift it

A rule looks at plain data only and changes nothing. A new rule needs one small class in the file of this folder
that fits, a place in `ALL_RULES`, a line in SAFETY.md, a test that it refuses, and a test that what lifts it works.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.contents.survey import Foreign
from flashscope.drives.guard.own_files import OwnFiles
from flashscope.drives.guard.signatures import Signature
from flashscope.drives.guard.target import Target
from flashscope.drives.system.view import Block, FileIdentity, SystemView

NOTHING = "nothing; name another drive"


@dataclass(frozen=True)
class Refusal:
    """One broken rule. rule: its name. found: what was found, and where. lift: what would lift it."""

    rule: str
    found: str
    lift: str


@dataclass(frozen=True)
class Case:
    """Everything that a rule may look at.

    destructive: the run writes or trims. block_signatures: the signatures on a block device, its partitions and all
    that is built on it; None when they cannot be read. foreign: the first data on it that flashscope did not write;
    None when there is none, or that rule is set aside. unreadable: no byte of it can be read.
    store_path: the results store, None when there is none.
    own: the files of flashscope that the run could overwrite. alignment: of the partitions of a drive that carries a
    table, in one line; empty for others. keeps_data: the run moves what the drive holds, and loses nothing of it
    (`realign/`), so rules that are about loss are not asked.
    """

    target: Target
    view: SystemView
    consent: Consent = field(default_factory=Consent)
    destructive: bool = True
    block_signatures: tuple[Signature, ...] | None = ()
    foreign: Foreign | None = None
    unreadable: bool = False
    store_path: Path | None = None
    own: OwnFiles = field(default_factory=OwnFiles)
    alignment: str = ""
    keeps_data: bool = False

    @property
    def block(self) -> Block | None:
        """The target as a block device, None for a file and for what is not there."""
        return self.view.blocks.get(self.target.block_name)

    @property
    def identities(self) -> set[FileIdentity]:
        """The files whose bytes would be written: the target, or what lies under a loop device."""
        own = {self.target.identity} - {None}
        under = {
            self.view.blocks[name].backing_identity
            for name in (self.view.touched_by_writing(self.block.name) if self.block else ())
        }
        return {each for each in own | under if each is not None}

    @property
    def signatures(self) -> tuple[Signature, ...] | None:
        """The signatures on the drive; None when they cannot be read."""
        return self.block_signatures if self.block else self.target.signatures


class Rule:
    """One reason not to touch a drive.

    name: as typed after --allow. explains: what it refuses. lifted_by: what lifts it.
    overridable: `--allow NAME` sets it aside. for_reading: it also holds for a run that only reads.
    about_loss: it protects what the drive holds, and is not asked where a run keeps all of that.
    """

    name: ClassVar[str]
    explains: ClassVar[str]
    lifted_by: ClassVar[str]
    overridable: ClassVar[bool] = False
    for_reading: ClassVar[bool] = False
    about_loss: ClassVar[bool] = False

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """What breaks the rule: (what was found, what would lift it), once for each thing found."""
        raise NotImplementedError
