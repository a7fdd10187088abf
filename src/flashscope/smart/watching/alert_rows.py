"""Alert changes in the series store: the alerts raised now, and the changes not yet passed to the hook."""

from __future__ import annotations

from flashscope.smart.identity import readable
from flashscope.smart.watching.alerts import Change
from flashscope.smart.watching.series_store import SeriesStore


def keep(store: SeriesStore, change: Change, wall_s: float, *, to_be_told: bool) -> int:
    """Keep a change; returns its number. to_be_told: a hook waits for it. Raises StoreFailed as `append` does."""
    with store.transaction() as connection:
        cursor = connection.execute(
            "INSERT INTO alert_changes (subject, place, condition, state, severity, wall_s, value, limit_value, unit, "
            "message, told) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                readable(change.subject),
                readable(change.place),
                change.condition,
                change.state,
                change.severity,
                wall_s,
                None if change.value is None else float(change.value),
                None if change.limit is None else float(change.limit),
                change.unit,
                readable(change.message),
                int(not to_be_told),
            ),
        )
    return int(cursor.lastrowid or 0)


def raised(store: SeriesStore, subject: str) -> frozenset[str]:
    """The conditions that hold for a drive or a place."""
    query = (
        "SELECT condition FROM alert_changes WHERE change_id IN "
        "(SELECT max(change_id) FROM alert_changes WHERE subject = ? GROUP BY condition) AND state = 'raised'"
    )
    with store.transaction() as connection:
        return frozenset(row[0] for row in connection.execute(query, (readable(subject),)))


def untold(store: SeriesStore) -> tuple[tuple[int, float, Change], ...]:
    """(number, time, change) of the changes not passed to a hook, oldest first: the watch ended before that."""
    with store.transaction() as connection:
        rows = connection.execute("SELECT * FROM alert_changes WHERE told = 0 ORDER BY change_id").fetchall()
    return tuple(
        (
            row["change_id"],
            row["wall_s"],
            Change(
                row["subject"],
                row["place"],
                row["condition"],
                row["state"],
                row["severity"],
                row["message"],
                row["value"],
                row["limit_value"],
                row["unit"],
            ),
        )
        for row in rows
    )


def mark_told(store: SeriesStore, number: int) -> None:
    """Keep that a change was passed to the hook, whether or not the command succeeded."""
    with store.transaction() as connection:
        connection.execute("UPDATE alert_changes SET told = 1 WHERE change_id = ?", (number,))


def all_changes(store: SeriesStore, subject: str) -> tuple[tuple[float, str, str], ...]:
    """(time, condition, state) of everything that was raised or cleared for a drive or a place, oldest first."""
    query = "SELECT wall_s, condition, state FROM alert_changes WHERE subject = ? ORDER BY change_id"
    with store.transaction() as connection:
        return tuple((row[0], row[1], row[2]) for row in connection.execute(query, (readable(subject),)))
