"""`flashscope store`: is a store of records damaged, what can be saved of it, and its records for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from flashscope.cli.options import force_option, json_option
from flashscope.errors import WrongUse
from flashscope.units import counted

if TYPE_CHECKING:
    from flashscope.store.damage import DamagedRecord

_PATH = click.Path(dir_okay=False, path_type=Path)

_store_argument = click.argument("store_path", metavar="[STORE]", required=False, type=_PATH)


@click.group("store")
def command() -> None:
    """Check, repair or export a store of records.

    STORE is its SQLite file. Default: the one that all commands use, reports/records.sqlite where it exists, else
    flashscope/records.sqlite in the state directory.
    """


@command.command("check")
@_store_argument
@json_option
def check(store_path: Path | None, as_json: bool) -> None:
    """Name all that is damaged in a store. Nothing is changed.

    SQLite's own check, then every record: its checksums, and whether all of it can be read. The exit code is 1 when
    something is damaged.
    """
    from flashscope.cli.output import print_json
    from flashscope.store.damaged.inspection import inspect

    path = _existing(store_path)
    found = inspect(path)
    if as_json:
        print_json(
            {
                "store": str(path),
                "sound": found.is_sound,
                "records": found.sound,
                "without_checksum": found.without_checksum,
                "damaged": _damaged_json(found.damaged),
                "faults": found.faults,
            }
        )
    else:
        for damaged in found.damaged:
            click.echo(f"damaged: {damaged.record_id}: {damaged.damage}")
        for fault in found.faults:
            click.echo(f"SQLite: {fault}")
        click.echo(f"{path}: {counted(len(found.sound), 'record')} sound, {len(found.damaged)} damaged")
        if found.without_checksum:
            click.echo(
                f"{counted(found.without_checksum, 'record')} of an earlier version, without a checksum: "
                "a changed number in them would go unnoticed"
            )
    if not found.is_sound:
        click.echo(f"flashscope: what is sound can be saved: {_repair_command(path)}", err=True)
        raise SystemExit(1)


@command.command("repair")
@click.argument("store_path", metavar="STORE", type=_PATH)
@click.argument("new_path", metavar="NEW", type=_PATH)
@json_option
def repair(store_path: Path, new_path: Path, as_json: bool) -> None:
    """Save what is sound in a damaged store into a new one.

    STORE is only read. NEW must not exist. Every record that is as it was written is saved, and the findings of
    others where they are; what is lost is named, and the exit code is 1 then.
    """
    from flashscope.cli.output import print_json
    from flashscope.store.damaged.repair import repair as save

    done = save(_existing(store_path), new_path)
    if as_json:
        print_json(
            {
                "store": str(store_path),
                "new": str(new_path),
                "saved": done.saved,
                "doubtful": done.doubtful,
                "in_part": _damaged_json(done.in_part),
                "not_found_by_sweeps": done.unasked,
                "lost": _damaged_json(done.lost),
                "faults": done.faults,
            }
        )
    else:
        for fault in done.faults:
            click.echo(f"SQLite: {fault}")
        for damaged in done.lost:
            click.echo(f"lost: {damaged.record_id}: {damaged.damage}")
        for damaged in done.in_part:
            click.echo(
                f"saved in part: {damaged.record_id}: its findings, not what its steps measured; {damaged.damage}"
            )
        for record_id in done.doubtful:
            click.echo(f"saved with a doubt: {record_id}: no checksum proves that it is as it was written")
        for record_id in done.unasked:
            click.echo(f"saved: {record_id}; sweeps do not find it again, for its points or its dossier are damaged")
        click.echo(f"{counted(len(done.saved), 'record')} saved into {new_path}, {len(done.lost)} lost")
    if done.lost or done.in_part:
        raise SystemExit(1)


@command.command("export")
@_store_argument
@click.option("--record", "references", multiple=True, metavar="RECORD",
              help='Only this record: an id, its unique beginning, or "last". May be repeated.')  # fmt: skip
@click.option("-o", "--output", "output", type=click.Path(path_type=Path), metavar="PATH",
              help="Write the lines into this file. Default: standard output.")  # fmt: skip
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Write a file RECORD.json for each record into this directory instead.")  # fmt: skip
@force_option
def export(
    store_path: Path | None, references: tuple[str, ...], output: Path | None, folder: Path | None, force: bool
) -> None:
    """Print records as JSON, one record a line, with all that was measured.

    The form is described in docs/reference/store.md. Damaged records are named and left out; the exit code is 1 then.
    """
    from flashscope.cli.result_files import replacing_beside
    from flashscope.cli.texts.damaged import tell_damaged
    from flashscope.outputs import RECORDS, ResultFile, check_file, check_folder, write_result
    from flashscope.store.store import Store

    if output is not None and folder is not None:
        raise WrongUse("--output and --folder were both given", accepted="one of the two")
    path = _existing(store_path)
    replacing = replacing_beside(force=force, store_path=path)
    if output is not None:
        check_file(output, RECORDS, replacing)
    if folder is not None:
        check_folder(folder, replacing)
    lines: list[bytes] = []
    with Store(path, create=False) as store:
        ids = [store.resolve(one) for one in references] or [summary.id for summary in store.list()]
        for record_id in dict.fromkeys(ids):
            record = store.load_sound(record_id)
            if record is None:
                continue
            line = _line(record)
            if folder is not None:
                write_result(ResultFile(folder / f"{record_id}.json", RECORDS, line), replacing)
            elif output is not None:
                lines.append(line)
            else:
                click.echo(line.decode(), nl=False)
    if output is not None and lines:
        write_result(ResultFile(output, RECORDS, b"".join(lines)), replacing)
    tell_damaged(store)
    if store.damaged:
        raise SystemExit(1)


def _line(record: Any) -> bytes:
    import json

    from flashscope.records.export import exported

    return (json.dumps(exported(record), allow_nan=False, ensure_ascii=False) + "\n").encode()


def _existing(path: Path | None) -> Path:
    from flashscope.store.store import default_store_path

    found = path or default_store_path()
    if not found.exists():
        raise WrongUse(f"there is no store at {found}", accepted="the SQLite file of a store", advice="name it")
    return found


def _damaged_json(damaged: list[DamagedRecord]) -> list[dict[str, str]]:
    return [{"id": one.record_id, "damage": one.damage} for one in damaged]


def _repair_command(path: Path) -> str:
    import shlex

    return f"flashscope store repair {shlex.quote(str(path))} NEW"
