"""A life in charts: error rate, bad blocks, evenness of wear, and the data lost without power.

RBER |      .-'    bad |   __ erase     cycles | ___ most     lost |  /  / 30 C
     |  .-''           |  /  __ program        |/___ average       | /  /
     +---------        +-----------            +----------         +-------- months off power
      average erase count
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flashscope.endurance.findings import result_of
from flashscope.records import Record
from flashscope.reports.numbers import one_in, rare_unit
from flashscope.reports.plotting import lines
from flashscope.reports.plotting import vega_lite as vl
from flashscope.reports.plotting.chart import Chart
from flashscope.reports.plotting.lines import Line
from flashscope.reports.plotting.theme import ACCENT, CONTRAST, GREEN, INK, SERIES, Layout, Spec
from flashscope.units import format_number

_LEAST_LOST = 1e-12


_LOST_IN_WORDS = {1.0: "all", 1e-3: "1 in 1000", 1e-6: "1 in 10⁶", 1e-9: "1 in 10⁹", 1e-12: "1 in 10¹²"}


def build(record: Record) -> list[Chart]:
    """Up to four charts; none when no checkpoint was reached."""
    seen = [step.parameters["checkpoint"] for step in record.steps if "checkpoint" in step.parameters]
    if len(seen) < 2:
        return []
    charts = [_errors(seen)] if any(one["rber"] for one in seen) else []
    charts += [_bad_blocks(seen), _spread(seen)]
    retention = result_of(record).get("retention")
    return charts + ([_retention(retention)] if retention else [])


def _x(seen: Sequence[dict[str, Any]], layout: Layout) -> Spec:
    last = float(seen[-1]["erase_count_mean"])
    high = lines.room_for_names(0.0, last, layout, logarithmic=False)
    return vl.axis("x", "average erase count", domain=(0.0, high), tick_count=6)


def _errors(seen: Sequence[dict[str, Any]]) -> Chart:
    known = [one for one in seen if one["rber"]]
    last = known[-1]
    title = f"{one_in(last['rber'])} bits is read wrong at {format_number(last['erase_count_mean'])} cycles on average"
    unit, whole = rare_unit(max(float(one["rber_high"]) for one in known))
    rows: list[dict[str, Any]] = [
        {
            "x": float(one["erase_count_mean"]),
            "y": float(one["rber"]) * whole,
            "low": float(one["rber_low"]) * whole,
            "high": float(one["rber_high"]) * whole,
            "exact": f"{one['erase_count_mean']:.0f} cycles: {format_number(one['rber'])} ({one['error_bits']} bits)",
        }
        for one in known
    ]

    def draw(layout: Layout) -> Spec:
        top = max(row["high"] for row in rows) * 1.15
        y = vl.axis("y", f"wrong bits in a {unit}", domain=(0.0, top), tick_count=5)
        return lines.draw([Line("RBER", rows, ACCENT)], layout, x=_x(seen, layout), y=y)

    caption = (
        "Wrong bits over bits read in a sample at each checkpoint, before correction; bars are 95 % by Poisson's law."
    )
    return Chart("rber", title, caption, f"{title}.", draw)


def _bad_blocks(seen: Sequence[dict[str, Any]]) -> Chart:
    causes = (("program", ACCENT), ("erase", CONTRAST), ("read", GREEN))
    last = seen[-1]
    total = sum(last[f"{cause}_failed_blocks"] for cause, _ in causes)
    full = last["spare_left"] == 0
    title = f"{total} blocks went bad" + ("; the table of bad blocks is full" if full else "")

    def line(name: str, colour: str, key: str) -> Line:
        rows = [
            {
                "x": float(one["erase_count_mean"]),
                "y": float(one[key]),
                "exact": f"{one['erase_count_mean']:.0f} cycles: {one[key]} {name}",
            }
            for one in seen
        ]
        return Line(name, rows, colour, points=False)

    def draw(layout: Layout) -> Spec:
        drawn = [line(f"by {cause}", colour, f"{cause}_failed_blocks") for cause, colour in causes]
        if last["spare_left"] is not None:
            drawn.append(line("spare left", SERIES, "spare_left"))
        high = max(row["y"] for one in drawn for row in one.rows)
        y = vl.axis("y", "blocks", domain=(0.0, max(1.0, high * 1.1)), tick_count=5)
        return lines.draw(drawn, layout, x=_x(seen, layout), y=y)

    caption = "Blocks retired because a program, an erase or a read failed, and how many more may be."
    return Chart("bad-blocks", title, caption, f"{title}.", draw)


def _spread(seen: Sequence[dict[str, Any]]) -> Chart:
    last = seen[-1]
    apart = last["erase_count_max"] - last["erase_count_min"]
    title = f"Erase counts are {apart} cycles apart at the end"

    def draw(layout: Layout) -> Spec:
        drawn = []
        for name, colour, key in (("most", CONTRAST, "erase_count_max"), ("least", ACCENT, "erase_count_min")):
            rows = [
                {
                    "x": float(one["erase_count_mean"]),
                    "y": float(one[key]) - float(one["erase_count_mean"]),
                    "exact": f"{one['erase_count_mean']:.0f} cycles: {name} {one[key]}",
                }
                for one in seen
            ]
            drawn.append(Line(name, rows, colour))
        values = [row["y"] for one in drawn for row in one.rows]
        room = max(1.0, (max(values) - min(values)) * 0.1)
        y = vl.axis("y", "cycles off the average", domain=(min(values) - room, max(values) + room), tick_count=5)
        return lines.draw(drawn, layout, x=_x(seen, layout), y=y)

    return Chart("erase-counts", title, "The most and the least worn block in use.", f"{title}.", draw)


def _words_of_ticks() -> str:
    cases = "".join(f"datum.value == {share!r} ? '{words}' : " for share, words in _LOST_IN_WORDS.items())
    return f"{cases}''"


def _retention(retention: dict[str, Any]) -> Chart:
    at_30 = next(curve for curve in retention["curves"] if curve["celsius"] == 30.0)
    months = at_30["months_to_first"]
    said = (
        "no sector is lost in 1000 years"
        if months is None
        else f"the first sector is lost after {format_number(months, 2)} months"
    )
    title = f"Off power at 30 C {said}"

    def draw(layout: Layout) -> Spec:
        drawn = []
        for curve, colour in zip(retention["curves"], (ACCENT, GREEN, CONTRAST, INK), strict=False):
            rows = [
                {
                    "x": float(month),
                    "y": max(float(lost), _LEAST_LOST),
                    "exact": f"{format_number(month)} months at {curve['celsius']:.0f} C: "
                    f"{format_number(lost, 2)} of the sectors",
                }
                for month, lost in zip(curve["months"], curve["lost_ratio"], strict=True)
            ]
            drawn.append(Line(f"{curve['celsius']:.0f} C", rows, colour, points=False))
        first, last = float(at_30["months"][0]), float(at_30["months"][-1])
        end = lines.room_for_names(first, last, layout, logarithmic=True)
        x = vl.axis("x", "months off power", domain=(first, end), kind="log", ticks=[0.25, 1, 3, 12, 60])
        y = vl.axis(
            "y",
            "sectors lost",
            domain=(_LEAST_LOST, 1.0),
            kind="log",
            ticks=list(_LOST_IN_WORDS),
            label=_words_of_ticks(),
        )
        return lines.draw(drawn, layout, x=x, y=y)

    caption = (
        f"Expected from the drive's law of errors, its code ({retention['correctable_bits']} bits in "
        f"{retention['codeword_bytes']} bytes) and Arrhenius' law with {retention['activation_ev']} eV; "
        "nothing is refreshed."
    )
    return Chart("retention", title, caption, f"{title}.", draw)
