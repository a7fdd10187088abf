"""The raw bit error rate of a page: wear, time since it was written, and reads since then.

    RBER = eps + alpha c^k + beta c^m t^n + gamma c^p r^q
           fresh   wear      retention      read disturb

c: program/erase cycles of the block; t: retention time [days]; r: reads of the page since it was written.
Additive power law of Kim, Choi & Min, "Design tradeoffs for SSD reliability", FAST 2019.
Not modelled here: differences between layers and blocks, errors that come in clusters (beta-binomial), the first
hours of charge-trap cells, which follow log t.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class BitErrorLaw:
    """The constants of the law, term by term; a term whose factor is 0 is off. Rates in wrong bits per bit read."""

    fresh: float
    wear_factor: float = 0.0
    wear_power: float = 1.0
    retention_factor: float = 0.0
    retention_wear_power: float = 0.0
    retention_time_power: float = 1.0
    disturb_factor: float = 0.0
    disturb_wear_power: float = 0.0
    disturb_reads_power: float = 1.0

    def rate(self, pe_cycles: float, *, retention_days: float = 0.0, reads: float = 0.0) -> float:
        """RBER [wrong bits per bit read]. Raises ValueError on a negative count or time."""
        if min(pe_cycles, retention_days, reads) < 0:
            raise ValueError(f"cycles, days and reads must not be negative: {pe_cycles}, {retention_days}, {reads}")
        wear = self.wear_factor * pe_cycles**self.wear_power
        retention = self.retention_factor * pe_cycles**self.retention_wear_power
        disturb = self.disturb_factor * pe_cycles**self.disturb_wear_power
        return float(
            self.fresh
            + wear
            + (retention * retention_days**self.retention_time_power if retention_days else 0.0)
            + (disturb * reads**self.disturb_reads_power if reads else 0.0)
        )


TLC_72_LAYERS = BitErrorLaw(1.48e-3, 3.90e-10, 2.05, 6.28e-5, 0.14, 0.54, 3.73e-9, 0.33, 1.71)
"""72-layer TLC as published; t is taken in days, with which the rates stay within what LDPC corrects."""

MLC_3X_NM = BitErrorLaw(1.7e-8, 1.8e-12, 1.5, 5.07e-11, 1.3, 0.9, 1e-11, 0.5, 1.0)
"""3x-nm MLC, calibrated here, not published: 3.4e-4 after 3,000 cycles and a year (Hetzler 2012)."""
