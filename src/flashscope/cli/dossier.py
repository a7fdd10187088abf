"""`flashscope dossier`: what a drive is, joined again from what is in the store, over runs of different days."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from flashscope.cli.options import force_option, json_option, store_option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flashscope.dossier.dossier import Dossier
    from flashscope.records import Record
    from flashscope.store.store import Store


@click.command("dossier")
@click.argument("references", metavar="[DRIVE|RECORD]...", nargs=-1)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write the HTML report of these records there.",
)
@click.option("--verbose", "-v", is_flag=True, help="Print every finding of every experiment, and all advice.")
@force_option
@store_option
@json_option
def command(
    references: tuple[str, ...],
    output: Path | None,
    verbose: bool,
    force: bool,
    store_path: Path | None,
    as_json: bool,
) -> None:
    """Say what a drive is, from the records in the store.

    DRIVE is an address (sim:onyx-32, /dev/sdX): all its records are joined, the newest of each experiment first.
    RECORD is an id, a beginning of an id that fits only one record, or "last". Without either, the drive that was used
    last.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.result_files import is_piped_out, replacing_beside, tell_missing_pictures
    from flashscope.cli.texts.damaged import tell_damaged
    from flashscope.cli.texts.examined import dossier_text
    from flashscope.dossier.as_json import dossier_json
    from flashscope.dossier.join import make_dossier
    from flashscope.outputs import check_file, write_results
    from flashscope.outputs.forms import HTML
    from flashscope.reports.report import report_file
    from flashscope.store.damage import suspected
    from flashscope.store.store import Store, default_store_path

    is_piped = is_piped_out([output], as_json=as_json)
    replacing = replacing_beside(force=force, store_path=store_path or default_store_path())
    if output is not None:
        check_file(output, HTML, replacing)
    with Store.open(store_path, create=False) as store:
        records = _records(store, references)
    tell_damaged(store)
    with suspected(store.path, store.without_checksum):
        dossier = make_dossier(records)
        written = None if output is None else write_results([report_file(records, output)], replacing)[0]
    if written is not None:
        tell_missing_pictures()
    if as_json:
        report = None if written is None else str(written)
        print_json({"drive": dossier.drive, "dossier": dossier_json(dossier), "report": report})
    else:
        last = "For the report of it: add --output PATH" if written is None else f"Report: {written}"
        click.echo(dossier_text(dossier, last, verbose=verbose), err=is_piped)
    keep(dossier, store.path)


def keep(dossier: Dossier, store_path: Path) -> None:
    """Keep what was said, for `flashscope list dossiers`. Raises StoreFailed when the store takes nothing more."""
    from datetime import UTC, datetime

    from flashscope.dossier.as_json import dossier_json
    from flashscope.store.dossiers import KeptDossier
    from flashscope.store.store import Store

    utc = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    with Store(store_path, create=False) as store:
        store.keep_dossier(KeptDossier(dossier.records[-1].id, utc, dossier_json(dossier)))


def _records(store: Store, references: Sequence[str]) -> list[Record]:
    """The records that are meant, without those that are damaged. Raises WrongUse when there are none."""
    from flashscope.errors import WrongUse

    for each in references:
        if each.endswith((".html", ".json", ".sqlite")) and Path(each).is_file():
            raise WrongUse(
                f"{each} is a file",
                accepted="a drive (sim:onyx-32, /dev/sdX, file:PATH), or ids of records, which `flashscope list` shows",
                advice="records of another store are read with --store PATH",
            )
    if references and not _is_drive(references[0]):
        records = [store.load(reference) for reference in references]
        if not any(record.experiment in _experiments() for record in records):
            raise WrongUse(
                "these records tell nothing about the inside of a drive",
                accepted="records of experiments",
                advice="flashscope report shows job files and endurance runs",
            )
        return records
    if len(references) > 1:
        raise WrongUse(
            f"{len(references)} drives were named",
            accepted="one drive, or records of one drive",
            advice="flashscope compare shows records of two drives side by side",
        )
    return _of_drive(store, references[0] if references else "")


def _is_drive(reference: str) -> bool:
    """An address has a scheme or is a path; an id has neither."""
    return ":" in reference or "/" in reference


def _experiments() -> set[str]:
    from flashscope.experiments import catalogue

    return {experiment.name for experiment in catalogue.all_experiments()}


def _of_drive(store: Store, address: str) -> list[Record]:
    """All records of experiments on that drive, "" for the one used last; of another one with its address, none."""
    from flashscope.dossier.one_drive import recognised_by
    from flashscope.errors import WrongUse

    kept = [each for each in store.list() if each.experiment in _experiments()]
    wanted = address or (kept[-1].drive if kept else "")
    loaded = [store.load_sound(each.id) for each in kept if each.drive == wanted]
    records = [record for record in loaded if record is not None]
    if not records:
        known = ", ".join(sorted({each.drive for each in kept})) or "none"
        raise WrongUse(
            f"the store {store.path} has no examination of {wanted or 'any drive'}",
            accepted=f"drives with records there: {known}",
            advice=f"flashscope examine {wanted or 'sim:onyx-32'}",
        )
    drive = recognised_by(records[-1].drive_facts)
    same = [record for record in records if recognised_by(record.drive_facts) == drive]
    if len(same) < len(records):
        left_out = len(records) - len(same)
        click.echo(f"left out: {left_out} records of another drive that had this address before", err=True)
    return same
