"""`flashscope align`: where partitions and what is in them begin, what that costs, and what to do; and the repair."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from flashscope.cli.align.repair_options import RepairOptions, repair_options
from flashscope.cli.options import json_option, store_option


@click.command("align")
@click.argument("disks", metavar="[DEVICE|IMAGE]...", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Every disk of this system.")
@click.option(
    "--unit", metavar="SIZE", help="The drive's mapping unit, such as 16KiB. Default: as an examination found it."
)
@click.option(
    "--writing",
    type=click.Choice(["4k", "clusters", "64k", "sequential"]),
    help="Say what is lost for this kind of writing only: random 4 KiB, clusters of the file system, random 64 KiB, "
    "in order.",
)
@click.option("--sector", metavar="SIZE", help="The logical sector in which the table of an image counts: 512B, 4KiB.")
@click.option("--chunk", metavar="SIZE", help="The chunk of the array that the disk is. Default: as md says.")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write one HTML page there, with the disks and the boundaries drawn.",
)
@repair_options
@store_option
@json_option
def command(
    disks: tuple[str, ...],
    every: bool,
    unit: str | None,
    writing: str | None,
    sector: str | None,
    chunk: str | None,
    output: Path | None,
    store_path: Path | None,
    as_json: bool,
    repair: RepairOptions,
) -> None:
    """Say where partitions and what is in them begin, what a wrong start costs, and what to do.

    DEVICE is a disk or a partition of one, mounted or not; IMAGE is the image of a disk; sim:PART@offset=63s is a
    virtual drive seen through such a partition. Nothing is written, unless --apply, --resume or --undo asks for it.

    --plan says what a repair would do: misaligned partitions are moved, and keep their data, numbers and names. --apply
    does it. It can be stopped at any moment, by Ctrl-C, kill -9 or a power cut; --resume goes on, --undo goes back.

    Exit code 0 when the disks were judged, misaligned or not (--json has "misaligned"); 2 when one could not be read.
    """
    from flashscope.alignment.as_json import disk_json
    from flashscope.cli.align.disks import Asked, align_named, every_disk
    from flashscope.cli.align.page import check_page, write_page
    from flashscope.cli.align.text import disk_text
    from flashscope.cli.output import print_json
    from flashscope.drives.system.reader import read_system
    from flashscope.errors import FlashscopeError, WrongUse
    from flashscope.store.store import default_store_path

    if every == bool(disks):
        raise WrongUse(
            "no disk was named" if not disks else "--all and a disk were both given",
            accepted="a device, an image of a disk, or --all",
            advice="flashscope align /dev/sda",
        )
    sizes = _sizes(unit, sector, chunk)
    if output is not None:
        check_page(output, disks, store_path or default_store_path(), repair.verb)
    if repair.verb:
        asked_repair = replace(repair, sector_bytes=sizes[1], as_json=as_json)
        _repair(disks, asked_repair, store_path or default_store_path())
        return
    asked = Asked(store_path or default_store_path(), *sizes, writing)
    judged, refused = [], []
    for name in every_disk(read_system()) if every else disks:
        try:
            judged.append(align_named(name, asked))
        except FlashscopeError as error:
            if not every:
                raise
            refused.append(error)
    if as_json:
        print_json({"disks": [disk_json(each) for each in judged], "refused": [each.what for each in refused]})
    elif judged:
        click.echo("\n\n\n".join(disk_text(each) for each in judged))
    elif not refused:
        click.echo("This system has no disk.")
    if output is not None and judged:
        write_page(judged, output, disks, store_path or default_store_path())
    for each in refused:
        click.echo(f"flashscope: not judged: {each}", err=True)
    if refused:
        raise SystemExit(2)


def _sizes(unit: str | None, sector: str | None, chunk: str | None) -> tuple[int | None, int | None, int | None]:
    """The sizes that were typed [bytes]. Raises WrongUse for one that is no size, or that no drive has."""
    from flashscope.errors import WrongUse
    from flashscope.units import parse

    found = []
    for key, text, least, most in (
        ("--unit", unit, 512, 64 << 20),
        ("--sector", sector, 512, 4096),
        ("--chunk", chunk, 4096, 1 << 30),
    ):
        value = None if text is None else int(parse(text, "bytes", key=key))
        if value is not None and not (least <= value <= most and value % 512 == 0):
            raise WrongUse(f"{key} is {text}", accepted=f"whole sectors of 512 B, from {least} B to {most} B")
        found.append(value)
    return found[0], found[1], found[2]


def _repair(disks: tuple[str, ...], options: RepairOptions, store_path: Path) -> None:
    """Plan, make, go on with or undo a repair. Raises WrongUse when not exactly one disk was named."""
    from flashscope.cli.align import repair
    from flashscope.errors import WrongUse

    if len(disks) != 1:
        raise WrongUse(
            f"--{options.verb} takes one disk, and {len(disks) or 'none'} were named", accepted="one device or image"
        )
    if options.verb == "plan":
        repair.show_plan(disks[0], store_path, options)
    elif options.verb == "apply":
        repair.apply(disks[0], store_path, options)
    else:
        repair.go_on(disks[0], store_path, options, undo=options.verb == "undo")
