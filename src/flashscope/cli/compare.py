"""`flashscope compare`: two records of one experiment, step by step and finding by finding."""

from __future__ import annotations

from pathlib import Path

import click

from flashscope.cli.options import json_option, store_option


@click.command("compare")
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@store_option
@json_option
def command(first: str, second: str, store_path: Path | None, as_json: bool) -> None:
    """Compare two records: every workload's rates and latencies, and every finding.

    FIRST and SECOND are ids, beginnings of ids that fit only one record, or "last". A ratio above 1 means that the
    value of SECOND is larger.
    """
    from flashscope.cli.compare_text import compare_text
    from flashscope.cli.output import print_json
    from flashscope.records.damage import suspected
    from flashscope.records.plain import plain
    from flashscope.records.store import Store
    from flashscope.reports.partition_gain import partition_gain
    from flashscope.reports.side_by_side import compare_records

    with Store.open(store_path, create=False) as store:
        records = store.load(first), store.load(second)
    with suspected(store.path, store.without_checksum):
        comparison = compare_records(*records)
    if as_json:
        gains = plain(partition_gain(*records))
        print_json({"first": records[0].id, "second": records[1].id, "partition_gain": gains} | plain(comparison))
        return
    with suspected(store.path, store.without_checksum):
        text = compare_text(*records, comparison)
    click.echo(text)
