"""`flashscope smart watch`: keep a series of samples of drives, raise alerts that clear again, serve Prometheus."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from flashscope.cli.options import force_option

if TYPE_CHECKING:
    from flashscope.smart.decoding.reading import Reading
    from flashscope.smart.dump import Dump
    from flashscope.smart.watching.series_store import Appended
    from flashscope.smart.watching.watcher import Place

_SHORTEST_S = 1.0
_HOOK_WAIT_ONCE_S = 35.0  # longer than a command may run
_HOOK_WAIT_AT_STOP_S = 10.0


@click.command("watch")
@click.argument("addresses", metavar="DEVICE|FILE|sim:PART...", nargs=-1, required=True)
@click.option(
    "--every", default="10min", show_default=True, metavar="TIME", help="How often to read, such as 30s or 1h."
)
@click.option(
    "--once", is_flag=True, help="Read once and end, for cron and timers. Exit code 1 when nothing could be read."
)
@click.option(
    "--store",
    "store_path",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH",
    help="The SQLite file of the series. Default: flashscope/smart.sqlite in the state directory.",
)
@click.option("--prometheus", metavar="[ADDRESS:]PORT", help="Serve /metrics at this port. Default address: loopback.")
@click.option(
    "--textfile",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="PATH.prom",
    help="Write the metrics for node-exporter's textfile collector.",
)
@click.option(
    "--on-alert", metavar="COMMAND", help="Run this when an alert is raised or clears (docs/reference/smart-watch.md)."
)
@click.option(
    "--life-below",
    type=click.FloatRange(0, 100),
    default=10.0,
    show_default=True,
    metavar="PERCENT",
    help="Alert when less than this share of the rated life is left.",
)
@click.option(
    "--temperature-above",
    type=click.FloatRange(1, 150),
    metavar="CELSIUS",
    help="Alert when the drive is hotter. Default: the drive's own limit.",
)
@click.option(
    "--rber-above",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.1e-4,
    show_default=True,
    metavar="RATIO",
    help="Alert at this raw bit error ratio (wrong bits per bit read).",
)
@force_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each sample.")
def watch(
    addresses: tuple[str, ...],
    every: str,
    once: bool,
    store_path: Path | None,
    prometheus: str | None,
    textfile: Path | None,
    on_alert: str | None,
    life_below: float,
    temperature_above: float | None,
    rber_above: float,
    force: bool,
    as_json: bool,
) -> None:
    """Read the SMART of drives at intervals, keep every sample, and raise alerts.

    Every sample goes into the series store with all its raw bytes. Gaps, counters that restart or wrap round, clocks
    that jump and replaced drives are noticed. An alert is raised once, and clears when its cause is gone. --json prints
    one line for each sample.
    """
    from flashscope.cli.result_files import replacing_beside
    from flashscope.errors import WrongUse
    from flashscope.smart.watching.conditions import Limits
    from flashscope.smart.watching.endpoint import Endpoint, parse_address
    from flashscope.smart.watching.hook import Hook
    from flashscope.smart.watching.series_store import SeriesStore, default_series_path
    from flashscope.smart.watching.textfile import check_textfile
    from flashscope.smart.watching.watcher import Outputs, Watcher

    every_s = _seconds(every)
    if len(set(addresses)) != len(addresses):
        raise WrongUse("a drive is named twice", accepted="each drive once")
    if once and prometheus is not None:
        raise WrongUse(
            "--once ends after one reading, and --prometheus goes on serving",
            accepted="one of them",
            advice="use --textfile",
        )
    listen = parse_address(prometheus) if prometheus is not None else None
    replacing = replacing_beside(force=force, store_path=store_path or default_series_path())
    if textfile is not None:
        check_textfile(textfile, replacing)
    outputs = Outputs(textfile=textfile, replacing=replacing, tell=_tell_json if as_json else _tell, log=_log)
    with ExitStack() as stack:
        places = [_place(address, stack) for address in addresses]
        store = stack.enter_context(SeriesStore.open(store_path))
        if on_alert is not None:
            outputs.hook = Hook(on_alert, _log, _told_into(store.path))
            stack.callback(outputs.hook.close, _HOOK_WAIT_ONCE_S if once else _HOOK_WAIT_AT_STOP_S)
        if listen is not None:
            outputs.endpoint = stack.enter_context(_closing(Endpoint(*listen)))
            _log(f"metrics at http://{outputs.endpoint.host}:{outputs.endpoint.port}/metrics")
        limits = Limits(life_below, temperature_above, rber_above)
        watcher = Watcher(places, store, _decode, outputs, every_s=None if once else every_s, limits=limits)
        if once:
            watcher.look()
            if not any(state.is_readable for state in watcher.states):
                raise click.exceptions.Exit(1)
        else:
            watcher.run(_stop_at_signals())
            _log("stopped; every sample is in the store")


def _seconds(every: str) -> float:
    from flashscope import units
    from flashscope.errors import WrongUse

    every_s = units.parse(every, "time", key="--every") / 1e9
    if every_s < _SHORTEST_S:
        raise WrongUse(f"--every is {every}", accepted="1 s or more, because every reading disturbs the drive")
    return every_s


def _place(address: str, stack: ExitStack) -> Place:
    """The place of an address: a virtual drive, a block or character device, or a file that somebody keeps fresh."""
    from flashscope.cli.smart.source import is_device, is_virtual
    from flashscope.smart.watching.watcher import Place

    if is_virtual(address):
        from flashscope.drives.addresses.address import parse_address
        from flashscope.drives.open import open_drive
        from flashscope.smart.readers.virtual import dump_of_virtual_drive

        drive: Any = open_drive(parse_address(address), destructive=False)
        stack.callback(drive.close)
        return Place(address, lambda: dump_of_virtual_drive(drive.read_smart(0)))
    if is_device(address):
        return Place(address, lambda: _read_device(address))
    return Place(address, lambda: _read_file(Path(address)))


def _read_device(address: str) -> Dump:
    from flashscope.smart.readers.live import read_device

    return read_device(address)


def _read_file(path: Path) -> Dump:
    from flashscope.cli.smart.source import dated_by_file
    from flashscope.errors import WrongUse
    from flashscope.smart.readers.path import read_path

    try:
        path.stat()
        return dated_by_file(read_path(path), path)
    except OSError as error:
        raise WrongUse(
            f"{path} cannot be read: {error}", accepted="a drive, or a file with a dump of its SMART"
        ) from None


def _decode(dump: Dump) -> Reading:
    from flashscope.smart.decoding.decode import read

    return read(dump)


def _told_into(path: Path) -> Callable[[int], None]:
    """What the hook's thread calls: a connection of its own, opened where it is used."""

    def told(number: int) -> None:
        from flashscope.smart.watching.alert_rows import mark_told
        from flashscope.smart.watching.series_store import SeriesStore

        with SeriesStore(path, create=False) as store:
            mark_told(store, number)

    return told


def _stop_at_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set: the watch ends after the look it is at."""
    stop = threading.Event()

    def request(number: int, frame: FrameType | None) -> None:
        stop.set()

    for one in (signal.SIGTERM, signal.SIGINT):
        signal.signal(one, request)
    return stop


def _closing(endpoint: Any) -> Any:
    from contextlib import closing

    return closing(endpoint)


def _log(line: str) -> None:
    click.echo(line.encode("utf-8", "replace").decode(), err=True)


_SHOWN = (
    "host_written_bytes",
    "remaining_life_ratio",
    "endurance_used_percent",
    "temperature_celsius",
    "power_on_time_hours",
)


def _tell(appended: Appended, reading: Reading) -> None:
    from flashscope.units import format_bytes

    sample = appended.sample
    said = []
    for key in _SHOWN:
        value = sample.number(key)
        if value is not None:
            said.append(f"{key} {format_bytes(value) if key.endswith('_bytes') else f'{value:.4g}'}")
    click.echo(f"{_utc(sample.moment.wall_s)}  {sample.drive}  {', '.join(said) or reading.title}")


def _tell_json(appended: Appended, reading: Reading) -> None:
    import json

    from flashscope.records.plain import without_nan

    sample = appended.sample
    document = {
        "drive": sample.drive,
        "device": sample.place,
        "time_utc": _utc(sample.moment.wall_s),
        "family": sample.family,
        "is_flash": sample.is_flash,
        "fields": {
            key: {"value": one.value, "unit": one.unit, "low": one.low, "high": one.high}
            for key, one in sample.values.items()
        },
        "notices": [{"kind": one.kind, "key": one.key, "message": one.message} for one in appended.notices],
    }
    click.echo(json.dumps(without_nan(document), allow_nan=False, ensure_ascii=False))


def _utc(wall_s: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(wall_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
