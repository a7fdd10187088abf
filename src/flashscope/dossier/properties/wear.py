"""How a drive wears: flash bytes per host byte, the counters that tell, bit errors, how members share the load."""

from __future__ import annotations

from flashscope.dossier.drive_kind import FLASH_ONLY, DriveKind
from flashscope.dossier.properties import value_text as said
from flashscope.dossier.properties.property import Group, Property, Source

WEAR = (
    Property(
        "write_amplification", "Write amplification", Group.WEAR, "ratio", said.times,
        (Source("smart-inference", "write_amplification_random", "an erase counter beside random 4 KiB writes"),),
        FLASH_ONLY, changes=True,
    ),
    Property(
        "erase_counter", "SMART counter of erases", Group.WEAR, "attribute id", said.attribute,
        (Source("smart-inference", "erase_count_attribute", "what rises once per drive of flash written"),),
        FLASH_ONLY, tolerance_ratio=0.0,
    ),
    Property(
        "erase_step", "Writes per counted erase", Group.WEAR, "bytes", said.size,
        (Source("smart-inference", "erase_step_host_bytes", "bytes written in order per step"),),
        FLASH_ONLY, only_with="erase_counter",
    ),
    Property(
        "write_counter", "SMART counter of writes", Group.WEAR, "attribute id", said.attribute,
        (Source("smart-inference", "host_written_attribute", "what rises with the bytes written"),),
        FLASH_ONLY, tolerance_ratio=0.0,
    ),
    Property(
        "bit_errors", "Wrong bits, uncorrected", Group.WEAR, "ratio", said.share,
        (Source("rber-against-erase-count", "rber", "corrected bits over bits read"),),
        FLASH_ONLY, changes=True,
    ),
    Property(
        "bit_error_growth", "Growth of wrong bits", Group.WEAR, "ratio", said.share,
        (Source("rber-against-erase-count", "rber_growth_per_cycle", "wrong bits by erase count"),),
        FLASH_ONLY, changes=True, only_with="bit_errors",
    ),
    Property(
        "bit_error_clusters", "Wrong bits per bad read", Group.WEAR, "bits", said.count,
        (Source("rber-against-erase-count", "error_bits_per_error_read", "corrected bits over corrected reads"),),
        FLASH_ONLY, changes=True, only_with="bit_errors",
    ),
    Property(
        "member_wear", "Wear of the worst member", Group.WEAR, "ratio", said.percent,
        (Source("stripe-scaling", "stripe_wear_ratio", "its flash writes over those of a single drive"),),
        frozenset({DriveKind.ARRAY}), changes=True,
    ),
)  # fmt: skip
"""In the order of the page."""
