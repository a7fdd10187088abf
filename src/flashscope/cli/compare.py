"""`flashscope compare`: two records of one experiment, step by step and finding by finding."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import force_option, json_option, store_option


@click.command("compare")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write one HTML page of both there.",
)
@force_option
@store_option
@json_option
def command(first: str, second: str, output: Path | None, force: bool, store_path: Path | None, as_json: bool) -> None:
    """Compare two records: every workload's rates and latencies, and every finding.

    FIRST and SECOND are ids, beginnings of ids that fit only one record, or "last". A ratio above 1 means that the
    value of SECOND is larger.
    """
    from flashscope.cli.output import print_json
    from flashscope.cli.result_files import replacing_beside
    from flashscope.cli.texts.comparison import compare_text
    from flashscope.outputs import check_file, write_results
    from flashscope.outputs.forms import HTML
    from flashscope.records.plain import plain
    from flashscope.reports.comparison.page import compare_page
    from flashscope.reports.comparison.partition_gain import partition_gain
    from flashscope.reports.comparison.side_by_side import compare_records
    from flashscope.store.damage import suspected
    from flashscope.store.store import Store, default_store_path

    replacing = replacing_beside(force=force, store_path=store_path or default_store_path())
    if output is not None:
        check_file(output, HTML, replacing)
    with Store.open(store_path, create=False) as store:
        records = store.load(first), store.load(second)
    with suspected(store.path, store.without_checksum):
        comparison = compare_records(*records)
        if output is not None:
            write_results([compare_page(*records, comparison, output)], replacing)
    if as_json:
        gains = plain(partition_gain(*records))
        print_json({"first": records[0].id, "second": records[1].id, "partition_gain": gains} | plain(comparison))
        return
    with suspected(store.path, store.without_checksum):
        text = compare_text(*records, comparison)
    click.echo(text)
