"""What a drive is: whether it holds what it says."""

from __future__ import annotations

from flashscope.dossier.drive_kind import BARE
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.property import Group, Property, Source

_READ_BACK = "places written and read back"

IDENTITY = (
    Property(
        "real_capacity", "Real capacity", Group.IDENTITY, "bytes", said.size,
        (Source("capacity", "real_capacity_bytes", _READ_BACK),),
        tolerance_ratio=0.02,
    ),
    Property(
        "is_counterfeit", "Counterfeit", Group.IDENTITY, "", said.count,
        (Source("capacity", "is_counterfeit", _READ_BACK),),
        BARE, only_with="real_capacity",
    ),
    Property(
        "counterfeit_kind", "Beyond its real end", Group.IDENTITY, "", said.count,
        (Source("capacity", "counterfeit_kind", _READ_BACK),),
        BARE, only_with="is_counterfeit",
        words={"wraps": "overwrites", "drops": "is lost", "zeros": "zeros"},
    ),
)  # fmt: skip
"""In the order of the page."""
