"""An archive for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flashscope.smart.archives.reading import Effort
    from flashscope.smart.archives.summary import Archive
    from flashscope.smart.archives.survival import Survival

_MODELS_SHOWN = 60
_NOT_READ_SHOWN = 20
_MODEL_LETTERS = 40


def archive_text(archive: Archive) -> str:
    """What an archive says, for a person."""
    lines = [_totals(archive)]
    lines += _doubts(archive)
    told = [one for one in archive.models if one.rate is not None]
    if told:
        lines += ["", "failures in a year of running, by model (interval: 95 %)"]
        lines += _table([_HEADINGS, *(_row(one) for one in told[:_MODELS_SHOWN])])
        lines += _more(len(told), _MODELS_SHOWN)
        lines += _curves(told)
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
    from flashscope.units import format_bytes, format_bytes_binary, format_number

    seconds = max(effort.took_s, 1e-9)
    return (
        f"{effort.day_count} days, {format_number(effort.row_count)} rows and {format_bytes(effort.size_bytes)} in "
        f"{effort.took_s:.1f} s: {format_number(effort.day_count / seconds)} days a second, "
        f"{format_number(effort.row_count / seconds)} rows a second; at most "
        f"{format_bytes_binary(effort.memory_bytes)} of memory"
    )


def _totals(archive: Archive) -> str:
    from flashscope.units import format_number

    totals = archive.totals
    if not totals.drive_count:
        return "no row of any drive was read"
    models = len(archive.models)
    known = f" ({archive.known_count} of the files named were read before)" if archive.known_count else ""
    return (
        f"{format_number(totals.drive_count)} drive{'s' * (totals.drive_count != 1)} of {models} model"
        f"{'s' * (models != 1)}, {format_number(totals.row_count)} rows from {totals.first_day} to {totals.last_day}, "
        f"in {totals.file_count} file{'s' * (totals.file_count != 1)}{known}"
    )


def _doubts(archive: Archive) -> list[str]:
    from flashscope.units import format_number

    if not archive.doubts:
        return []
    lines = ["", "left out, since it cannot be true or was not whole"]
    for one in archive.doubts:
        where = f" (such as {', '.join(one.examples)})" if one.examples else ""
        lines.append(f"  {format_number(one.count)} {one.kind}{where}")
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
    from flashscope.units import format_number, format_percent

    lines = ["", "how many reach which age"]
    for one in told[:_MODELS_SHOWN]:
        lives = one.lives
        if one.curve is None:
            lines.append(f"  {_model(one)}: not known: {'; '.join(one.missing)}")
            continue
        age = "of power-on time" if lives.by_power_on_time else "since their first row"
        said = [
            f"{format_percent(share.ratio)} reach {format_number(share.to_years, 2)} years"
            f" ({format_percent(share.low)} to {format_percent(share.high)})"
            for share in shares(one.curve)
        ]
        begin = format_number(one.curve.from_days / 365.25, 2)
        left_out = f"; {lives.left_out} drives without a believable power-on time are left out" * bool(lives.left_out)
        lines.append(f"  {_model(one)}, of drives with {begin} years {age}: {', '.join(said) or 'not known'}{left_out}")
    return lines


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
