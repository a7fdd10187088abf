"""An archive for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flashscope.smart.archives.reading import Effort
    from flashscope.smart.archives.summary import Archive
    from flashscope.smart.archives.survival import Survival
    from flashscope.smart.fleets.summary import Fleet

_MODELS_SHOWN = 60
_NOT_READ_SHOWN = 20
_MODEL_LETTERS = 40
_ALIKE_SHOWN = 20


def archive_text(archive: Archive) -> str:
    """What an archive says, for a person."""
    from flashscope.cli.smart.fleet import to_do_lines

    lines = [_totals(archive)]
    if archive.fleet is not None:
        lines += [_verdicts(archive.fleet), *to_do_lines(archive.fleet)]
    lines += _alike(archive)
    lines += _doubts(archive)
    told = [one for one in archive.models if one.rate is not None]
    if told:
        lines += ["", "failures in a year of running, by model (interval: 95 %)"]
        lines += _table([_HEADINGS, *(_row(one) for one in told[:_MODELS_SHOWN])])
        lines += _more(len(told), _MODELS_SHOWN)
        lines += _curves(told)
    lines += _above_zero(archive)
    silent = [one for one in archive.models if one.rate is None]
    if silent:
        lines += ["", "too little is known to say anything about the failures of these models"]
        lines += [f"  {_model(one)}: {'; '.join(one.missing)}" for one in silent[:_NOT_READ_SHOWN]]
        lines += _more(len(silent), _NOT_READ_SHOWN)
    if archive.not_read:
        lines += ["", "not read"]
        lines += [f"  {one.name}: {one.reason}" for one in archive.not_read[:_NOT_READ_SHOWN]]
        lines += _more(len(archive.not_read), _NOT_READ_SHOWN)
    return "\n".join(lines).encode("utf-8", "replace").decode()


def effort_text(effort: Effort) -> str:
    """How fast an archive was read."""
    from flashscope.units import counted, format_bytes, format_bytes_binary, format_number

    seconds = max(effort.took_s, 1e-9)
    return (
        f"{counted(effort.day_count, 'day')}, {counted(effort.row_count, 'row', format_number(effort.row_count))} and "
        f"{format_bytes(effort.size_bytes)} in "
        f"{effort.took_s:.1f} s: {format_number(effort.day_count / seconds)} days a second, "
        f"{format_number(effort.row_count / seconds)} rows a second; at most "
        f"{format_bytes_binary(effort.memory_bytes)} of memory"
    )


def _totals(archive: Archive) -> str:
    from flashscope.units import counted, format_number

    totals = archive.totals
    if not totals.drive_count:
        return "no row of any drive was read"
    models = len(archive.models)
    known = f" ({archive.known_count} of the files named were read before)" if archive.known_count else ""
    return (
        f"{counted(totals.drive_count, 'drive', format_number(totals.drive_count))} of {counted(models, 'model')}, "
        f"{counted(totals.row_count, 'row', format_number(totals.row_count))} from {totals.first_day} to "
        f"{totals.last_day}, in {counted(totals.file_count, 'file')}{known}"
    )


def _verdicts(fleet: Fleet) -> str:
    from flashscope.units import counted

    told = ", ".join(f"{count} {level}" for level, count in fleet.verdict_counts.items() if count)
    return f"{counted(fleet.drive_count, 'living drive')}: {told}" if fleet.drive_count else "no drive is left to judge"


def _alike(archive: Archive) -> list[str]:
    """The living drives that look like failed ones, and what that is worth."""
    if not archive.comparisons:
        return []
    lines = ["", "living drives whose numbers look like those of drives on the day they failed"]
    for one in archive.comparisons:
        worth = ""
        if one.recall is not None and one.false_alarms is not None:
            worth = (
                f"; on drives it was not made of it named {_of(one.recall)} of those that failed, "
                f"and {_of(one.false_alarms)} of the living"
            )
        if one.silent:
            lines.append(f"  {one.model}: none is named: {one.silent}{worth}")
            continue
        lines.append(f"  {one.model}, compared with {one.compared_count} failed drives{worth}:")
        lines += [f"    {like.model} {like.serial}: {'; '.join(like.reasons)}" for like in one.alike[:_ALIKE_SHOWN]]
        lines += ["    none"] * (not one.alike) + [f"  {more}" for more in _more(len(one.alike), _ALIKE_SHOWN)]
    return lines


def _of(ratio: tuple[float, float, float]) -> str:
    from flashscope.units import format_percent

    return f"{format_percent(ratio[0])} ({format_percent(ratio[1])} to {format_percent(ratio[2])})"


def _above_zero(archive: Archive) -> list[str]:
    """Of which drives the counts of what went wrong are above 0."""
    from flashscope.smart.archives.likeness import ATTRIBUTES
    from flashscope.units import format_percent

    told = {(one.model, one.attribute_id, one.failed): one for one in archive.spreads}
    ids = [id for id in ATTRIBUTES if any(one.attribute_id == id and one.above_zero_ratio for one in archive.spreads)]
    models = [one.lives.model for one in archive.models if one.rate is not None][:_MODELS_SHOWN]
    if not ids or not models:
        return []
    rows = [["model", *(str(id) for id in ids)]]
    for model in models:
        cells = [
            " / ".join(
                format_percent(found.above_zero_ratio) if (found := told.get((model, id, failed))) else "-"
                for failed in (False, True)
            )
            for id in ids
        ]
        rows.append([model[:_MODEL_LETTERS], *cells])
    heading = "share of living / of failed drives whose attribute is above 0 (quantiles of all attributes: --json)"
    return ["", heading, *_table(rows)]


def _doubts(archive: Archive) -> list[str]:
    from flashscope.units import format_number

    if not archive.doubts:
        return []
    lines = ["", "left out, since it cannot be true or was not whole"]
    for one in archive.doubts:
        where = f" (such as {', '.join(one.examples)})" if one.examples else ""
        lines.append(f"  {one.kind}: {format_number(one.count)}{where}")
    return lines


_HEADINGS = ["model", "drives", "drive-days", "failures", "a year", "interval"]


def _row(one: Survival) -> list[str]:
    from flashscope.units import format_number, format_percent

    rate, lives = one.rate, one.lives
    if rate is None:
        raise AssertionError("a row is made of models with a rate")
    return [
        _model(one),
        format_number(lives.drive_count),
        format_number(lives.drive_days),
        format_number(lives.failure_count),
        format_percent(rate.per_year),
        f"{format_percent(rate.low)} to {format_percent(rate.high)}",
    ]


def _curves(told: Sequence[Survival]) -> list[str]:
    from flashscope.smart.archives.summary import shares
    from flashscope.smart.archives.survival import DAYS_PER_YEAR
    from flashscope.units import format_percent

    lines = ["", "how many reach which age"]
    for one in told[:_MODELS_SHOWN]:
        lives = one.lives
        if one.curve is None:
            lines.append(f"  {_model(one)}: not known: {'; '.join(one.missing)}")
            continue
        age = "of power-on time" if lives.by_power_on_time else "since their first row"
        said = [
            f"{format_percent(share.ratio)} reach {_years(share.to_years)}"
            f" ({format_percent(share.low)} to {format_percent(share.high)})"
            for share in shares(one.curve)
        ]
        left_out = f"; {lives.left_out} drives without a believable power-on time are left out" * bool(lives.left_out)
        begin = _years(one.curve.from_days / DAYS_PER_YEAR)
        lines.append(f"  {_model(one)}, of drives with {begin} {age}: {', '.join(said) or 'not known'}{left_out}")
    return lines


def _years(years: float) -> str:
    from flashscope.units import format_number

    return "1 year" if years == 1 else f"{format_number(years, 2)} years"


def _model(one: Survival) -> str:
    return one.lives.model[:_MODEL_LETTERS]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


def _more(count: int, shown: int) -> list[str]:
    return [f"  ... and {count - shown} more (--json has all)"] if count > shown else []
