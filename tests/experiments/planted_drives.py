"""Virtual drives with something planted: a shipped part with a few values changed, run through an experiment."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.open import open_drive
from flashscope.drives.parts.shipped import shipped_folder
from flashscope.records import Record
from flashscope.runner.asked import Asked
from flashscope.runner.effort import Effort
from flashscope.runner.experiment import Experiment
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment
from flashscope.store.store import Store

_MEMORY = """\
name = "planted-memory"
kind = "memory"
title = "memory behind a link"
model = { value = "M", origin = "assumed", source = "a test" }
firmware = { value = "1", origin = "assumed", source = "a test" }
[memory]
user_size = { value = "4 GiB", origin = "assumed", source = "a test" }
bus_rate = { value = "20 GB/s", origin = "assumed", source = "a test" }
command_cost = { value = "1 us", origin = "assumed", source = "a test" }
servers = { value = 4, origin = "assumed", source = "a test" }
[link]
rate = { value = "500 MB/s", origin = "assumed", source = "a test" }
command_cost = { value = "1 us", origin = "assumed", source = "a test" }
queue_depth = { value = 32, origin = "assumed", source = "a test" }
full_duplex = { value = %s, origin = "assumed", source = "a test" }
"""


def planted(folder: Path, part: str, **changes: Any) -> str:
    """The address of a copy of a shipped part with values changed or added: section__key="20 us"."""
    text = (shipped_folder() / "drives" / f"{part}.toml").read_text()
    for name, value in changes.items():
        section, key = name.split("__")
        row = f'{key} = {{ value = {f"{value!r}".replace(chr(39), chr(34))}, origin = "assumed", source = "a test" }}'
        body = re.search(rf"^\[{section}\]\n(?:(?!^\[).*\n)*", text, re.MULTILINE)
        if body is None:
            text += f"\n[{section}]\n{row}\n"
            continue
        changed, count = re.subn(rf"^{key} = .*$", row, body[0], flags=re.MULTILINE)
        changed = changed if count else body[0].replace("\n", f"\n{row}\n", 1)
        text = text[: body.start()] + changed + text[body.end() :]
    nand = re.search(r'^nand = "([^"]+)"$', text, re.MULTILINE)
    if nand:
        place = shipped_folder() / "nand" / f"{nand[1]}.toml"
        text = text.replace(nand[0], f'nand = "{place.resolve()}"')
    path = folder / f"{part}-planted.toml"
    path.write_text(text)
    return f"sim:{path}"


def memory_with_a_link(folder: Path, *, full_duplex: bool) -> str:
    """The address of a memory drive whose link of 500 MB/s is all that limits it."""
    path = folder / "memory.toml"
    path.write_text(_MEMORY % str(full_duplex).lower())
    return f"sim:{path}"


def examine(experiment: Experiment, address: str, folder: Path, effort: Effort | None = None) -> Record:
    """The record of an experiment on a virtual drive, as the store gives it back."""
    drive = open_drive(parse_address(address), destructive=True)
    with Store(folder / "s.sqlite") as store:
        made = run_experiment(
            experiment, drive, Asked(seed=1, command="test", effort=effort or Effort()), store=store, progress=Silent()
        )
        record = store.load(made.id)
    assert record.findings == made.findings, "findings survive the store"
    return record
