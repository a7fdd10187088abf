"""Power cuts end to end: the command on a real file system that forgets what was not flushed, resumed and undone."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main

from .forgetting_mount import ForgettingMount, why_not
from .killed import align
from .real_disks import RealDisk, build, see_as_before, see_files, see_moved
from .real_disks import why_not as why_no_disks

_WHY = why_not() or why_no_disks()
pytestmark = [pytest.mark.skipif(bool(_WHY), reason=_WHY or "everything is here"), pytest.mark.long]
_CUTS = 20
_OPERATIONS = 350  # about as many as a repair takes


@pytest.mark.parametrize("kind", ["mbr", "gpt"])
def test_power_cuts_lose_nothing_on_a_mount_that_forgets(kind: str, tmp_path: Path) -> None:
    disk: RealDisk = build(kind, tmp_path)
    chance = random.Random(kind)
    told: Counter[str] = Counter()
    for number in range(_CUTS):
        image = disk.copy(tmp_path / "image")
        with ForgettingMount(image, tmp_path / "point", cut_after=chance.randrange(_OPERATIONS), seed=number) as path:
            done = CliRunner().invoke(main, ["align", str(path), "--apply", "--write-ok", "-q"])
        if done.exit_code == 0:
            told["ended before"] += 1
            continue
        assert done.exit_code == 1, done.output
        undo = chance.random() < 0.4
        with ForgettingMount(image, tmp_path / "point") as path:
            again = CliRunner().invoke(main, ["align", str(path), "--undo" if undo else "--resume", "--write-ok", "-q"])
            if again.exit_code == 2:  # the power went before the journal was there: nothing was changed
                assert "no repair of this disk was cut short" in again.output
                told["not begun"] += 1
                align(path, "--apply")
                undo = False
            else:
                assert again.exit_code == 0, again.output
        told["undone" if undo else "moved"] += 1
        (see_as_before if undo else see_moved)(disk, image)
        if number % 5 == 0:
            see_files(disk, image)
    print(f"{kind}: {dict(told)}")
    assert told["undone"] > 3
    assert told["moved"] > 3
