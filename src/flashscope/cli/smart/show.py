"""`flashscope smart FILE|DEVICE|sim:PART`: one drive's SMART in plain words, as a table, as a page, or as JSON."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import force_option, json_option


@click.command("show")
@click.argument("addresses", metavar="FILE|DEVICE|sim:PART...", nargs=-1, required=True)
@click.option(
    "--html",
    "html_path",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write an HTML page, one file that any browser opens offline.",
)
@click.option("--rated-written", metavar="SIZE", help="The host writes that the maker promises (TBW), such as 150TB.")
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="Take earlier readings from this series of `smart watch`. Default for devices: its usual series.",
)
@click.option("--no-store", is_flag=True, help="Show this reading alone, without earlier ones from a series.")
@click.option("--smartctl-json", is_flag=True, help="For a virtual drive: print what smartctl --json would print.")
@click.option("--check", is_flag=True, help="End with exit code 1 when the drive should be copied now.")
@force_option
@json_option
def show(
    addresses: tuple[str, ...],
    html_path: Path | None,
    rated_written: str | None,
    store_path: Path | None,
    no_store: bool,
    smartctl_json: bool,
    check: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Show what a drive's SMART says (the name "show" may be left out).

    A dump is what smartctl (--json, -x, -a) or nvme-cli prints, or a raw page; "-" reads one from standard input.
    Several dumps of one drive give its history, and the life left is then estimated from recent wear. For a device or a
    virtual drive, the history is what `smart watch` kept.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.result_files import is_piped_out
    from flashscope.cli.smart.source import read_all, smartctl_document
    from flashscope.errors import WrongUse
    from flashscope.outputs import HTML, Replacing, check_file
    from flashscope.units import parse

    if smartctl_json:
        print_json(smartctl_document(addresses))
        return
    if no_store and store_path is not None:
        raise WrongUse("--store and --no-store were both given", accepted="one of them, or neither")
    promised = parse(rated_written, "bytes", key="--rated-written") if rated_written else None
    is_piped = is_piped_out([html_path], as_json=as_json)
    replacing = Replacing(force)
    if html_path is not None:
        check_file(html_path, HTML, replacing)
    seen = read_all(addresses)
    from flashscope.cli.smart.past import past_for
    from flashscope.reports.smart.view import newest_of, view_smart
    from flashscope.smart.decoding.verdict import COPY_NOW

    past = None if no_store else past_for(addresses, *newest_of(seen), store_path)
    view = view_smart(seen, rated_written_bytes=promised, past=past)
    if html_path is not None:
        from flashscope.reports.smart.page import write_smart_page

        write_smart_page(view, html_path, replacing)
    if as_json:
        print_json(view.data)
    else:
        from flashscope.cli.smart.text import print_view

        print_view(view, to_errors=is_piped)
        if html_path is not None:
            click.echo(f"Page: {html_path}", err=is_piped)
    if check and view.verdict.level == COPY_NOW:
        raise SystemExit(1)
