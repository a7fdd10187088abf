"""Which part of the drive is what.

    0      1 MiB                                                    end-scratch        end
    | head |  worn: written again and again  |  static: written once  |  scratch: fio  |

The head is zeros: a random block there might by chance look like a partition table or a file system. Scratch is
where fio's short performance figures write; its data is not verified.
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.errors import WrongUse

HEAD_BYTES = 1 << 20
_SCRATCH_RATIO = 1 / 64
_SCRATCH_LEAST_BYTES, _SCRATCH_MOST_BYTES = 1 << 20, 1 << 30
LEAST_BYTES = 8 << 20


@dataclass(frozen=True)
class Layout:
    """Blocks are counted from the head's end. worn_blocks come first, then static_blocks.

    scratch_offset_bytes, scratch_bytes: on the drive.
    """

    block_bytes: int
    worn_blocks: int
    static_blocks: int
    scratch_offset_bytes: int
    scratch_bytes: int

    @classmethod
    def of(cls, user_bytes: int, block_bytes: int, static_ratio: float) -> Layout:
        """The layout of a drive. static_ratio: share of the stamped space that is written once [0..0.9]."""
        if user_bytes < LEAST_BYTES:
            raise WrongUse(
                f"the drive has {user_bytes} bytes",
                accepted=f"at least {LEAST_BYTES >> 20} MiB",
                advice="take a larger drive or file",
            )
        wanted = int(user_bytes * _SCRATCH_RATIO)
        scratch = min(max(wanted, _SCRATCH_LEAST_BYTES), _SCRATCH_MOST_BYTES) // (1 << 20) * (1 << 20)
        blocks = (user_bytes - HEAD_BYTES - scratch) // block_bytes
        static = int(blocks * static_ratio)
        end = HEAD_BYTES + blocks * block_bytes
        return cls(block_bytes, blocks - static, static, end, scratch)

    @property
    def blocks(self) -> int:
        """All stamped blocks."""
        return self.worn_blocks + self.static_blocks

    @property
    def worn_bytes(self) -> int:
        """Size of the space that is written again and again [bytes]."""
        return self.worn_blocks * self.block_bytes

    def offset_bytes(self, block: int) -> int:
        """Where a block begins on the drive [bytes]."""
        return HEAD_BYTES + block * self.block_bytes
