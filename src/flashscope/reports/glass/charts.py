"""The inside of a virtual drive while one step ran, as small charts over the same time.

valid data in each block      heat map: time x erase block
erase counts                  heat map: time x erase block
free blocks                   line, in the pool that has fewest and on average
waiting operations            heat map: time x bank
write amplification           line
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flashscope import units
from flashscope.records import Glass, StepRecord
from flashscope.reports.numbers import plain
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.heat_map import Scale, TimeAxis, aligned, draw_heat_map
from flashscope.reports.plotting.theme import ACCENT, SERIES, Layout, Spec

_TALL, _LOW = 0.72, 0.55


def build_glass(step: StepRecord) -> list[Chart]:
    """The charts of one step; empty when there are no samples of the inside."""
    glass = step.glass
    if glass is None or len(glass.series) < 2 or glass.series["elapsed_ns"][-1] <= 0:
        return []
    charts = [_valid(glass, step)]
    if glass.series["erased_blocks"].any():
        charts.append(_erased(glass, step))
    charts += [_free(glass, step), _queues(glass, step)]
    if np.isfinite(glass.series["write_amplification"]).any():
        charts.append(_amplification(glass, step))
    return charts


def _valid(glass: Glass, step: StepRecord) -> Chart:
    series, slots = glass.series, max(1, glass.slots_per_block)
    in_use = int(series["free_blocks"][0] + series["open_blocks"][0] + series["closed_blocks"][0])
    first, last = (units.format_percent(float(series["valid_slots"][at]) / (slots * in_use)) for at in (0, -1))
    count = series["gc_decisions"]
    if count.sum():
        counted = count > 0
        valid = float(np.average(series["gc_victim_valid_slots_mean"][counted], weights=count[counted]))
        title = f"Collected blocks were still {units.format_percent(valid / slots)} full of valid data"
    elif first == last:
        title = f"{last} of the flash in use holds valid data throughout"
    else:
        title = f"Valid data goes from {first} to {last} of the flash in use"
    caption = f"Share of valid data in each erase block. Free blocks are dark. {_groups(glass, 'valid_ratio')}"
    cells = _Cells("valid_ratio", _valid_scale(glass), "erase block", units.format_percent)
    return _heat(glass, step, cells, title, caption)


def _valid_scale(glass: Glass) -> Scale:
    """From empty to full; where nearly all blocks are more than half full, from their low end to full."""
    values = glass.heat_maps["valid_ratio"].values
    known = values[np.isfinite(values)]
    low = np.floor(10 * float(np.quantile(known, 0.03))) / 10 if known.size else 0.0
    low = min(low, 0.9)
    return Scale(low, 1.0, low_label=f"up to {units.format_percent(low)}") if low >= 0.5 else Scale(0.0, 1.0)


def _erased(glass: Glass, step: StepRecord) -> Chart:
    series = glass.series
    low, high = int(series["erase_count_min"][-1]), int(series["erase_count_max"][-1])
    mean = float(series["erase_count_mean"][-1])
    title = f"Erase counts end between {plain(low)} and {plain(high)}, {units.format_number(mean)} on average"
    values = glass.heat_maps["erase_count"].values
    known = values[np.isfinite(values)]
    begin = float(np.floor(known.min())) if known.size else 0.0
    scale = Scale(begin, max(begin + 1, float(known.max()) if known.size else 0.0))
    caption = f"Times each erase block was erased since the drive was built. {_groups(glass, 'erase_count')}"
    return _heat(glass, step, _Cells("erase_count", scale, "erase block", _small), title, caption)


def _queues(glass: Glass, step: StepRecord) -> Chart:
    values = glass.heat_maps["queue_length"].values
    busiest = int(np.argmax(values.mean(axis=0)))
    mean, high = float(values.mean()), float(values.max())
    if high == 0:
        title = "No operation waits at any bank"
    elif values.shape[1] > 1 and values[:, busiest].mean() > 2 * max(mean, 0.5):
        title = f"Work piles up at bank {busiest}: {plain(high)} operations wait there at most"
    else:
        wait = "operation waits" if high == 1 else "operations wait"
        title = f"At most {plain(high)} {wait} at a bank, {_number(mean)} on average"
    caption = "Operations that wait behind the one at work, at each bank."
    return _heat(glass, step, _Cells("queue_length", Scale.of(values), "bank", _small, _LOW), title, caption)


@dataclass(frozen=True)
class _Cells:
    """The coloured cells of a heat map. name: of its column. place: what a row is. say: gives a value as text."""

    name: str
    scale: Scale
    place: str
    say: Callable[[float], str]
    height_ratio: float = _TALL


def _heat(glass: Glass, step: StepRecord, cells: _Cells, title: str, caption: str) -> Chart:
    heat_map, elapsed_ns = glass.heat_maps[cells.name], glass.series["elapsed_ns"]

    def draw(layout: Layout) -> Spec:
        return draw_heat_map(
            elapsed_ns,
            heat_map.values.astype(float),
            scale=cells.scale,
            covered=heat_map.places_covered,
            place=cells.place,
            say=cells.say,
            layout=layout,
            height_ratio=cells.height_ratio,
        )

    if cells.scale.logarithmic:
        caption += " Colours follow the logarithm."
    return Chart(
        name=f"inside-{step.index}-{cells.name.replace('_', '-')}",
        title=title,
        caption=caption,
        description=f"Step {step.name}: {title}.",
        draw=draw,
    )


def _free(glass: Glass, step: StepRecord) -> Chart:
    series = glass.series
    fewest = series["free_blocks_min"]
    time = TimeAxis.until(int(series["elapsed_ns"][-1]))
    at = int(np.argmin(fewest))
    low, first = int(fewest[at]), int(fewest[0])
    where = f"{_number(series['elapsed_ns'][at] / time.unit_ns)} {time.unit}"
    if low == first:
        title = f"Never fewer free blocks in a pool than at the start: {plain(low)}"
    else:
        title = f"Free blocks fall from {plain(first)} to {plain(low)} in a pool, within {where}"
    mean = series["free_blocks_mean"].astype(float)
    lines = [(fewest.astype(float), ACCENT, "fewest in a pool")]
    if np.max(mean - fewest) > 0.02 * max(float(mean.max()), 1.0):
        lines.insert(0, (mean, SERIES, "mean over pools"))
    caption = "Erased blocks that wait to be filled: in the pool that has fewest" + (
        " (blue), and on average (grey)." if len(lines) > 1 else "."
    )
    return _lines(glass, step, "free-blocks", title, caption, lines, "free blocks in a pool", "free blocks")


def _amplification(glass: Glass, step: StepRecord) -> Chart:
    series = glass.series
    host, flash = float(series["host_written_bytes"].sum()), float(series["nand_written_bytes"].sum())
    title = f"{units.format_number(flash / max(host, 1))} bytes go to flash for each byte written"
    if abs(flash - host) < 0.01 * host:
        title = "Each byte written goes to flash once"
    values = series["write_amplification"].astype(float)
    caption = "Write amplification between two looks. What waits in the write buffer counts when it reaches flash."
    return _lines(
        glass, step, "write-amplification", title, caption, [(values, ACCENT, "")], "flash bytes / host byte", "times"
    )


def _lines(
    glass: Glass,
    step: StepRecord,
    name: str,
    title: str,
    caption: str,
    lines: Sequence[tuple[np.ndarray, str, str]],
    axis_title: str,
    unit: str,
) -> Chart:
    elapsed_ns = glass.series["elapsed_ns"]
    time = TimeAxis.until(int(elapsed_ns[-1]))
    top = max(float(np.nanmax(values)) for values, _, _ in lines) * 1.12 or 1.0

    def draw(layout: Layout) -> Spec:
        x, y = time.channel(layout), aligned(vl.axis("y", axis_title, domain=(0, top), tick_count=4))
        layers: list[Spec] = []
        for values, colour, label in lines:
            rows = [
                {
                    "x": float(at) / time.unit_ns,
                    "y": float(value),
                    "exact": f"{_number(value)} {unit}{f' ({label})' if label else ''} "
                    f"after {units.format_number(at / time.unit_ns, 4)} {time.unit}",
                }
                for at, value in zip(elapsed_ns, values, strict=True)
                if np.isfinite(value)
            ]
            layers.append(vl.layer(rows, {"type": "line", "color": colour, "strokeWidth": 2}, x=x, y=y))
            layers.append(vl.hover_points(rows[:: 3 if layout.narrow else 1], x=x, y=y))
        return vl.chart(layers, layout, height_ratio=_LOW)

    return Chart(
        name=f"inside-{step.index}-{name}",
        title=title,
        caption=caption,
        description=f"Step {step.name}: {title}.",
        draw=draw,
    )


def _groups(glass: Glass, name: str) -> str:
    heat_map = glass.heat_maps[name]
    per_column = -(-heat_map.places_covered // heat_map.values.shape[1])
    return f"Each line of the picture is the mean of {per_column} neighbours or more." if per_column > 1 else ""


def _small(value: float) -> str:
    return plain(value) if float(value).is_integer() else units.format_number(value)


def _number(value: float) -> str:
    return plain(round(value)) if abs(value) >= 100 else units.format_number(value)
