"""The law of parity against counting pages one by one."""

from fractions import Fraction

import pytest

from flashscope.laws import parity


def _programmed_per_data_page(pages: int, stripe_pages: int) -> Fraction:
    """Walk through a block: every stripe's last page is parity, if there is data in its stripe."""
    data = programmed = 0
    for first in range(0, pages, stripe_pages):
        length = min(stripe_pages, pages - first)
        if length > 1:
            data, programmed = data + length - 1, programmed + length
    return Fraction(programmed, data)


@pytest.mark.parametrize("pages", [2, 7, 16, 64, 1056])
def test_a_block_programs_one_page_more_for_every_stripe(pages: int) -> None:
    for stripe_pages in range(2, min(pages, 130) + 1):
        counted = _programmed_per_data_page(pages, stripe_pages)
        assert parity.of_block(pages, stripe_pages) == pytest.approx(float(counted), rel=1e-12)
        if pages % stripe_pages == 0:
            assert parity.write_amplification(stripe_pages) == pytest.approx(float(counted), rel=1e-12)


@pytest.mark.parametrize("stripe_pages", [0, 1])
def test_a_stripe_has_data_and_parity(stripe_pages: int) -> None:
    with pytest.raises(ValueError, match="stripe"):
        parity.write_amplification(stripe_pages)
    with pytest.raises(ValueError, match="2 to 64"):
        parity.of_block(64, stripe_pages)


def test_a_stripe_lies_within_a_block() -> None:
    with pytest.raises(ValueError, match="2 to 64"):
        parity.of_block(64, 65)
