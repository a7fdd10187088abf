"""What another build has computed is never given back: it is told, it stays, and the point is computed anew."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from flashscope.endurance.population import Row
from flashscope.records import Record
from flashscope.runner import host as host_module
from flashscope.runner.build import this_build
from flashscope.store.layout.schema import MIGRATIONS, migrate
from flashscope.store.points import WHOLE_RECORD
from flashscope.store.rows.record_rows import write_conclusions, write_record
from flashscope.store.store import Store
from flashscope.sweeps import keys as keys_module
from flashscope.sweeps.population import LifePoint, keep_life, lives_there, say_lives_of_other_builds

from .test_collect import Here, points, run
from .test_population import lives_of

VERSIONS_BEFORE_BUILDS = {"flashscope": "0.1.0", "core": "0.1.0", "python": "3.11.2", "numpy": "2.0", "sqlite": "3.40"}
_VERSION_OF_POINTS = 5
"""Migrations that a store had seen when builds were noted first."""


@pytest.fixture
def as_another_build(monkeypatch: pytest.MonkeyPatch) -> str:
    """From now on another core makes results; returns its build."""
    other = replace(this_build(), core="0123456789abcdef", results="fedcba9876543210")
    monkeypatch.setattr(keys_module, "this_build", lambda: other)
    monkeypatch.setattr(host_module, "this_build", lambda: other)
    return other.identity


def test_a_point_of_another_build_is_told_and_computed_anew(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, wanted = this_build().identity, points("1..2", "3")
    with Store(tmp_path / "store.sqlite") as store:
        first = run(store, wanted, Here())
        other = request.getfixturevalue("as_another_build")
        again, said, cluster = points("1..2", "3"), list[str](), Here()
        second = run(store, again, cluster, said)
        assert len(cluster.computed) == 2
        assert said == [
            f"2 of 2 points are there from another build of flashscope (build {ours}); "
            f"they stay in the store and are computed again by build {other}"
        ]
        assert not {one.record_id for one in first} & {one.record_id for one in second}
        assert len(store.list()) == 4, "the old ones stay"
        said.clear()
        assert all(one.was_there for one in run(store, points("1..2", "3"), cluster, said))
        assert said == ["2 of 2 are in the store already"], "what this build has is not told of others"
        monkeypatch.undo()
        found = run(store, wanted, cluster)
        assert [one.record_id for one in found] == [one.record_id for one in first], "each build finds its own"


def store_from_before_builds(path: Path, record: Record, identity: str) -> None:
    """A store as it was written then: its tables, a record without a build, a point known by the version."""
    connection = sqlite3.connect(path, isolation_level=None)
    migrate(connection, path, MIGRATIONS[:_VERSION_OF_POINTS])
    record.versions = dict(VERSIONS_BEFORE_BUILDS)
    write_record(connection, record, "{}")
    write_conclusions(connection, record)
    connection.execute("INSERT INTO points VALUES (?, ?, ?)", (identity, record.id, WHOLE_RECORD))
    connection.close()


def test_a_store_from_before_builds_is_read_and_its_points_are_of_an_unknown_build(tmp_path: Path) -> None:
    (wanted,) = points("1", "3")
    with Store(tmp_path / "new.sqlite") as store:
        (outcome,) = run(store, [wanted], Here())
        record = store.load(outcome.record_id)
    path = tmp_path / "old.sqlite"
    store_from_before_builds(path, record, wanted.key.before_builds)
    with Store(path) as store:
        assert store.load(record.id).findings == record.findings
        said, cluster = list[str](), Here()
        run(store, [wanted], cluster, said)
        assert len(cluster.computed) == 1
        (line,) = said
        assert line.startswith("1 of 1 points are there from another build of flashscope (build unknown)")
        assert len(store.list()) == 2


def test_a_life_of_another_build_is_lived_again(
    tmp_path: Path, small: dict[str, object], request: pytest.FixtureRequest
) -> None:
    def lived(store: Store) -> tuple[list[LifePoint], int, str]:
        lives = lives_of(small, 2)
        rows = lives_there(store, lives)
        return lives, len(rows), say_lives_of_other_builds(store, lives, rows)

    with Store(tmp_path / "store.sqlite") as store:
        (outcome,) = run(store, points("1", "3"), Here())
        lives, count, line = lived(store)
        assert (count, line) == (0, "")
        keep_life(store, outcome.record_id, lives[0], _row(lives[0]))
        assert lived(store)[1:] == (1, "")
        request.getfixturevalue("as_another_build")
        _, count, line = lived(store)
        assert count == 0
        assert line.startswith("1 of 2 lives are there from another build of flashscope")


def _row(life: LifePoint) -> Row:
    drive = life.drive
    return Row(
        drive.number, drive.lot, drive.seed, drive.life_factor, drive.error_factor, end="dead", failed=True,
        before_rating=False, host_written_bytes=1, erase_count_mean=1.0, bad_blocks=1, elapsed_ns=1, rber=None,
        unreadable_reads=0, uber_year_at_30_celsius=None,
    )  # fmt: skip
