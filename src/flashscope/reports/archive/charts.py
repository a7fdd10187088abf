"""The charts of an archive: failures in a year, survival of each model, attributes of living and of failed drives.

%  |----+
   |::::+------+            one chart for each model, all with the same axes
   |    :::::::+----        ::: the interval of 95 %
   +----------------- years
"""

from __future__ import annotations

from collections.abc import Sequence

from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.bar_pairs import Bar, draw_bars
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.theme import ACCENT, Layout, Spec
from flashscope.reports.plotting.ticks import linear_ticks
from flashscope.smart.archives.attributes import AttributeSpread
from flashscope.smart.archives.likeness import ATTRIBUTES, exact_ratio
from flashscope.smart.archives.summary import Archive, shares
from flashscope.smart.archives.survival import DAYS_PER_YEAR, Curve, Rate, Survival
from flashscope.units import counted, format_number, format_percent

_RATES_MOST = 16
_CURVES_MOST = 8

ATTRIBUTE_NAMES = {
    5: "moved sectors", 9: "power-on hours", 10: "spin-up retries", 12: "switched on", 184: "inner damage",
    187: "lost reads", 188: "timeouts", 194: "temperature", 196: "sector moves", 197: "unreadable", 198: "bad in scans",
    199: "bad transfers", 241: "host written",
}  # fmt: skip
"""Of the attributes that mean much the same on most drives; short, for a phone."""


def years(value: float) -> str:
    """A time for a person."""
    return "1 year" if value == 1 else f"{format_number(value, 2)} years"


def archive_charts(archive: Archive) -> list[Chart]:
    """What of an archive can be drawn, in the order of the page."""
    rated = [(one.lives.model, one.rate) for one in archive.models if one.rate is not None][:_RATES_MOST]
    found = [_rates(rated)] if rated else []
    drawn = [(one, one.curve) for one in archive.models if one.curve is not None][:_CURVES_MOST]
    found += [_survival(one, curve, place, [each for _, each in drawn]) for place, (one, curve) in enumerate(drawn)]
    return [*found, *_attributes(archive.spreads)]


def _rates(rated: Sequence[tuple[str, Rate]]) -> Chart:
    bars = [
        Bar(model, 100 * rate.per_year, _in_short(rate), f"{model}: {_exactly(rate)}",
            low=100 * rate.low, high=100 * rate.high)
        for model, rate in rated
    ]  # fmt: skip
    title = _rates_title(rated)
    caption = "Failures divided by drive-years; the line over a bar is the interval of 95 %."
    description = f"{title}. " + " ".join(f"{bar.exact}." for bar in bars)
    return Chart("failures", title, caption, description,
                 lambda layout: draw_bars(bars, "failures in a year [% of drives]", layout))  # fmt: skip


def _rates_title(rated: Sequence[tuple[str, Rate]]) -> str:
    best, worst = (choose(rated, key=lambda one: one[1].per_year) for choose in (min, max))
    if len(rated) == 1:
        return f"{format_percent(worst[1].per_year)} of {worst[0]} fail in a year"
    if worst[1].low > best[1].high:
        return (
            f"{worst[0]} fails more often than {best[0]}: {format_percent(worst[1].per_year)} a year against "
            f"{format_percent(best[1].per_year)}"
        )
    span = f"{format_percent(best[1].per_year)} to {format_percent(worst[1].per_year)}"
    return f"{span} fail in a year, and no model differs clearly from another"


def _in_short(rate: Rate) -> str:
    return format_percent(rate.per_year)


def _exactly(rate: Rate) -> str:
    """A failure rate with its interval and what it is made of."""
    return (
        f"{format_percent(rate.per_year)} a year, {format_percent(rate.low)} to {format_percent(rate.high)}, from "
        f"{counted(rate.failures, 'failure')} in {format_number(rate.drive_days)} drive-days"
    )


def _survival(one: Survival, curve: Curve, place: int, all_curves: Sequence[Curve]) -> Chart:
    reached = shares(curve)[-1]
    title = (
        f"{one.lives.model}: {format_percent(reached.ratio)} reach {years(reached.to_years)}, "
        f"{format_percent(reached.low)} to {format_percent(reached.high)}"
    )
    age = "power-on time" if one.lives.by_power_on_time else "time since the first row"
    caption = (
        f"Of {counted(one.lives.drive_count, 'drive', format_number(one.lives.drive_count))}, of which "
        f"{format_number(one.lives.failure_count)} failed; the share of those that were running at "
        f"{years(curve.from_days / DAYS_PER_YEAR)} of {age}. The band is the interval of 95 %."
    )
    end = max(each.to_days for each in all_curves) / DAYS_PER_YEAR
    low = 100 * min(float(min(each.low)) for each in all_curves)
    return Chart(f"survival-{place + 1}", title, caption, f"{title}. {caption}",
                 lambda layout: _draw_survival(curve, f"{age} [years]", (low, end), layout))  # fmt: skip


def _draw_survival(curve: Curve, x_title: str, reach: tuple[float, float], layout: Layout) -> Spec:
    """reach: the lowest share of all curves [%] and their highest age [years]."""
    x_ticks = linear_ticks(0.0, reach[1], layout.tick_count)
    y_ticks = _round_down(reach[0])
    x = vl.axis("x", x_title, domain=(0.0, reach[1]), ticks=x_ticks)
    y = vl.axis("y", "still running [%]", domain=(y_ticks[0], 100.0), ticks=y_ticks)
    rows = _rows(curve, layout.points_max)
    band: Spec = {"type": "area", "color": ACCENT, "opacity": 0.2, "interpolate": "step-after", "clip": True}
    line: Spec = {"type": "line", "color": ACCENT, "strokeWidth": 1.8, "interpolate": "step-after", "clip": True}
    layers = [
        vl.layer(rows, band, x=x, y=y | {"field": "low"}, y2={"field": "high"}),
        vl.layer(rows, line, x=x, y=y),
        vl.hover_points(rows, x=x, y=y),
    ]
    return vl.chart(layers, layout, height_ratio=0.8)


def _round_down(low: float) -> list[float]:
    """Ticks from a round number below `low` to 100 [%]."""
    step = next((step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20) if (100 - low) / step <= 5), 25)
    first = max(0.0, 100 - step * max(1, -(-(100 - low) // step)))
    return [round(first + step * index, 6) for index in range(round((100 - first) / step) + 1)]


def _rows(curve: Curve, most: int) -> list[vl.Row]:
    """The steps of a curve, so many that they can be seen; its beginning and its end are always there."""
    count = len(curve.ages_days)
    chosen = range(count) if count <= most else sorted({round(one * (count - 1) / (most - 1)) for one in range(most)})
    rows = [_row(curve.from_days, 1.0, 1.0, 1.0)]
    rows += [_row(*(float(part[one]) for part in (curve.ages_days, curve.survival, curve.low, curve.high)))
             for one in chosen]  # fmt: skip
    last = rows[-1]
    return [*rows, {**last, "x": curve.to_days / DAYS_PER_YEAR}]


def _row(age_days: float, ratio: float, low: float, high: float) -> vl.Row:
    said = f"{years(age_days / DAYS_PER_YEAR)}: {format_percent(ratio)}"
    if low < high:
        said += f", {format_percent(low)} to {format_percent(high)}"
    return {"x": age_days / DAYS_PER_YEAR, "y": 100 * ratio, "low": 100 * low, "high": 100 * high, "exact": said}


def _attributes(spreads: Sequence[AttributeSpread]) -> list[Chart]:
    """Of which share of the drives each count of what went wrong is above 0."""
    bars: list[Bar] = []
    for id in ATTRIBUTES:
        pair = [_above_zero(id, [one for one in spreads if one.attribute_id == id and one.failed is failed], failed)
                for failed in (False, True)]  # fmt: skip
        if any(bar is not None and bar.value > 0 for bar in pair):
            bars += [bar for bar in pair if bar is not None]
    if not bars:
        return []
    title = _attributes_title(bars)
    caption = (
        "Blue: living drives; orange: failed ones, on their last day. The share whose attribute is above 0, over all "
        "models; the line is the interval of 95 %."
    )
    description = f"{title}. " + " ".join(f"{bar.row}: {bar.exact}." for bar in bars)
    return [Chart("attributes", title, caption, description,
                  lambda layout: draw_bars(bars, "attribute above 0 [% of drives]", layout))]  # fmt: skip


def _above_zero(id: int, spreads: Sequence[AttributeSpread], failed: bool) -> Bar | None:
    count = sum(one.count for one in spreads)
    above = sum(round(one.count * one.above_zero_ratio) for one in spreads)
    share = exact_ratio(above, count)
    if share is None:
        return None
    who = "failed" if failed else "living"
    exact = f"{who}: {format_percent(share[0])}, {counted(above, 'drive')} of {format_number(count)}"
    return Bar(f"{id} {ATTRIBUTE_NAMES[id]}", 100 * share[0], f"{format_percent(share[0])} {who}", exact, failed,
               100 * share[1], 100 * share[2])  # fmt: skip


def _attributes_title(bars: Sequence[Bar]) -> str:
    """The attribute that tells failed drives from living ones best; only where the intervals lie apart."""
    living = {bar.row: bar for bar in bars if not bar.is_second}
    apart = [
        (bar.value / max(living[bar.row].value, 1e-9), bar)
        for bar in bars
        if bar.is_second and bar.row in living and (bar.low or 0.0) > (living[bar.row].high or 0.0)
    ]
    if not apart:
        return "No attribute tells failed drives clearly from living ones"
    _, bar = max(apart, key=lambda one: one[0])
    of_failed, of_living = bar.label.removesuffix(" failed"), living[bar.row].label.removesuffix(" living")
    return f"Attribute {bar.row}: above 0 on {of_failed} of the failed drives and on {of_living} of the living"
