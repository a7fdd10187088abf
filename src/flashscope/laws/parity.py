"""What one page of parity in every stripe of pages costs.

    N pages of a stripe = N - 1 of data + 1 of parity        write amplification of data that never moves = N / (N - 1)

With write amplification A of the data pages, the flash programs A N / (N - 1) bytes for each byte of the host, and the
spare factor is that of the data pages alone. Makers' stripes: 8 pages (Micron P320h), 16 (M500), 128 (M550).

Assumed: stripes are complete; `of_block` is for blocks whose last stripe is shorter.
Not modelled here: stripes that a flush ends early.
"""

from __future__ import annotations


def write_amplification(stripe_pages: int) -> float:
    """Pages programmed for each page of data, N / (N - 1) [ratio].

    stripe_pages: N, parity included [pages, >= 2]. Raises ValueError below that.
    """
    if stripe_pages < 2:
        raise ValueError(f"a stripe has a page of data and one of parity, found {stripe_pages}")
    return stripe_pages / (stripe_pages - 1)


def of_block(pages_per_block: int, stripe_pages: int) -> float:
    """The same for blocks of so many pages, whose last stripe is shorter where they do not divide evenly [ratio].

    A single remaining page, which would be a stripe by itself, is not programmed. Raises ValueError for stripes under
    2 pages or longer than a block.
    """
    if not 2 <= stripe_pages <= pages_per_block:
        raise ValueError(f"a stripe has 2 to {pages_per_block} pages, found {stripe_pages}")
    data_pages = pages_per_block - -(-pages_per_block // stripe_pages)
    left_empty = pages_per_block % stripe_pages == 1
    return (pages_per_block - left_empty) / data_pages
