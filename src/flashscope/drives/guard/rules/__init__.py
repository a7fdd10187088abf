"""The guard's rules, one small class each; SAFETY.md lists them for people.

place        is there a drive, of the right kind and size, that may be used?
permission   did a person name it?
in_use       is it in use?
contents     does it carry something?
precious     is it the system, or the results?
"""

from flashscope.drives.guard.rules.contents import Data, FileSystem, PartitionTable, PoolMember, UnknownContents
from flashscope.drives.guard.rules.in_use import Busy, Held, Loop, Mounted, Swap
from flashscope.drives.guard.rules.permission import Serial, WriteOk
from flashscope.drives.guard.rules.place import (
    Access,
    Ambiguous,
    Exists,
    HardLink,
    Kernel,
    Kind,
    Memory,
    ReadOnly,
    Size,
    Space,
    SymbolicLink,
)
from flashscope.drives.guard.rules.precious import Store, System
from flashscope.drives.guard.rules.rule import Case, Refusal, Rule

ALL_RULES: tuple[Rule, ...] = (
    Exists(),
    Kind(),
    Ambiguous(),
    SymbolicLink(),
    HardLink(),
    Access(),
    ReadOnly(),
    Kernel(),
    Memory(),
    Size(),
    Space(),
    System(),
    Store(),
    Mounted(),
    Swap(),
    Held(),
    PoolMember(),
    Loop(),
    Busy(),
    UnknownContents(),
    PartitionTable(),
    FileSystem(),
    Data(),
    WriteOk(),
    Serial(),
)

__all__ = ["ALL_RULES", "Case", "Refusal", "Rule"]
