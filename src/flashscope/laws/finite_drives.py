"""The spare space that a drive of finitely many blocks loses to blocks that are not full: the named corrections.

    T blocks of a pool     [free] [host ##..] [gc m...] | [####] [#.#.] [..#.]  closed: the laws are for these
                             F        open      open

The laws of `write_amplification.py` are for blocks that are full when they are closed. A free block holds no stale
page, so it is no spare. An open block that is filled to a share f counts as f blocks: its pages become stale like all
others, and it is closed that much later. So T_eff = T - F - (open blocks) + (mean fill of the open blocks).

Mean fill, while the host writes: 1/2 for the host's block. For the collector's block it is (1 + X/b) / 2: a collection
ends when a victim's valid pages fit into the collector's block that is already open, for only then a block is gained.
That block is then filled to between X and b. With X/b = 1 - 1/A the loss is

    frontiers apart     2 - 1/2 - (1 + X/b) / 2 = (1 + 1/A) / 2      [blocks]
    one for both        1 - (1 + X/b) / 2       = 1 / (2 A)          [blocks]; it is left filled to X, and ends at b

Derived here from the flow balance of the laws; the Monte Carlo of docs/laws/finite-drives.md agrees.
Assumed: one victim after another until one more block is free; many more blocks than are open.
Not modelled here: the remaining difference, which also shrinks as 1/T (victims are whole blocks, so the threshold is
not sharp).
"""

from collections.abc import Callable

from flashscope.laws.write_amplification import effective_spare_factor


def open_blocks_lost(write_amplification: float, *, frontiers: int = 2) -> float:
    """Blocks by which open blocks reduce the spare [blocks].

    write_amplification: A [NAND pages per host page, >= 1]. frontiers: 2 when host data and moved data fill separate
    blocks, 1 when they share one. Raises ValueError outside those values.
    """
    if not write_amplification >= 1:
        raise ValueError(f"write_amplification must be at least 1, found {write_amplification}")
    if frontiers not in (1, 2):
        raise ValueError(f"frontiers must be 1 or 2, found {frontiers}")
    return (frontiers - 1 + 1 / write_amplification) / 2


def in_finite_drive(
    law: Callable[[float], float],
    physical_blocks: float,
    logical_pages: float,
    pages_per_block: int,
    *,
    free_blocks: float,
    frontiers: int = 2,
) -> float:
    """The law at the spare factor that remains after free and open blocks [NAND pages per host page].

    law: write amplification of a spare factor, such as `write_amplification.fifo`.
    physical_blocks: blocks of one pool that is collected on its own, T [count]. logical_pages: U stored in it [pages].
    pages_per_block: b [pages]. free_blocks: mean erased blocks while the host writes, F [count].
    The loss depends on the answer, so it is found by iteration, which converges since the loss moves by half a block
    at most. Raises ValueError when no spare would be left.
    """
    amplification = float("inf")
    for _ in range(200):
        lost = open_blocks_lost(amplification, frontiers=frontiers)
        spare = effective_spare_factor(
            physical_blocks, logical_pages, pages_per_block, free_blocks=free_blocks, open_blocks=lost
        )
        before, amplification = amplification, law(spare)
        if abs(amplification - before) <= 1e-12 * amplification:
            break
    return amplification
