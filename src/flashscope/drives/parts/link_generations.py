"""The data rate of a link of each generation, from its line rate and its coding.

    payload = line rate x coding x data / (data + framing)

SATA sends data in frames of at most 8 KiB, each with a header, a check sum and the primitives around it (start, end,
ready, ok, sync: about 64 B with the idle ones between); PCI Express in packets of 256 B with 24 B around each.
Not modelled here: the turn-around between two commands, which is part of a drive's command cost.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Generation:
    """One generation. line_bits_per_second: on the wire, all lanes. coding_ratio: data bits per line bit.

    frame_bytes, framing_bytes: data in one frame, and what goes around it. full_duplex: data both ways at once.
    """

    line_bits_per_second: int
    coding_ratio: float
    frame_bytes: int
    framing_bytes: int
    full_duplex: bool

    @property
    def payload_bytes_per_second(self) -> int:
        """Data the link carries [bytes/s]."""
        share = self.frame_bytes / (self.frame_bytes + self.framing_bytes)
        return int(self.line_bits_per_second * self.coding_ratio * share / 8)


def _sata(gigabits: float) -> Generation:
    return Generation(int(gigabits * 1e9), 0.8, 8192, 64, full_duplex=False)


def _pcie(gigatransfers: float, lanes: int) -> Generation:
    return Generation(int(gigatransfers * 1e9) * lanes, 128 / 130, 256, 24, full_duplex=True)


GENERATIONS = {
    "SATA 1.5 Gb/s": _sata(1.5),
    "SATA 3 Gb/s": _sata(3),
    "SATA 6 Gb/s": _sata(6),
    "PCIe 3.0 x4": _pcie(8, 4),
    "PCIe 4.0 x4": _pcie(16, 4),
    "USB 2.0": Generation(480_000_000, 1.0, 512, 43, full_duplex=False),
}
"""By the name a part states."""
