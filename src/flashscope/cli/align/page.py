"""Where the page of `align --output` may go, and its writing: never in place of a disk that is judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from flashscope.alignment.disk import DiskAlignment
from flashscope.cli.align.address import disk_address
from flashscope.cli.align.text import disk_text
from flashscope.cli.result_files import replacing_beside
from flashscope.errors import WrongUse
from flashscope.outputs import HTML, Replacing, check_file, write_results
from flashscope.reports.alignment.page import alignment_page


def check_page(output: Path, disks: Sequence[str], store_path: Path, verb: str) -> None:
    """Raise WrongUse when no page can be written there. verb: of a repair, which makes none; "" for a judgement."""
    if verb:
        raise WrongUse(
            f"--{verb} writes no page", accepted="--output with disks that are judged", advice="leave --output out"
        )
    check_file(output, HTML, _replacing(disks, store_path))


def write_page(judged: Sequence[DiskAlignment], output: Path, disks: Sequence[str], store_path: Path) -> None:
    """Write the page of judged disks."""
    page = alignment_page([(each, disk_text(each)) for each in judged], output)
    write_results([page], _replacing(disks, store_path))


def _replacing(disks: Sequence[str], store_path: Path) -> Replacing:
    beside = [replacing_beside(force=False, store_path=store_path, address=disk_address(name)) for name in disks]
    beside = beside or [replacing_beside(force=False, store_path=store_path)]
    return Replacing(never=tuple(each for one in beside for each in one.never))
