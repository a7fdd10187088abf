"""Runs killed with SIGKILL at random moments, gone on with, and finished: nothing lost, nothing counted twice."""

import random
import shutil
from pathlib import Path

import pytest

from flashscope.endurance.real.journal import JOURNAL
from flashscope.endurance.real.ledger import Ledger, read_state
from flashscope.endurance.real.run_state import RunState
from flashscope.endurance.real.runs import find_runs, runs_folder
from flashscope.records import Status
from flashscope.store.store import Store

from .session import Session
from .worn import MIB, Worn

BLOCK = 4096


class Killer:
    """Starts sessions of one run and kills them. acknowledged: (batches, bytes) of the last line that came through."""

    def __init__(self, folder: Path, budget_mib: int, workload: str, seed: int) -> None:
        self.worn = Worn(folder)
        self._folder, self._budget_mib, self._workload = folder, budget_mib, workload
        self._chance = random.Random(seed)
        self.acknowledged = (0, 0)
        self.kills = 0
        self.kills_at_work = 0

    def start(self) -> Session:
        resume = bool(find_runs(self.worn.store_path).known)
        return Session(self._folder, resume=resume, budget_mib=self._budget_mib, workload=self._workload)

    def kill_one(self) -> None:
        """Kill at a random moment: mostly while it writes, sometimes while it opens or settles what was in doubt."""
        session = self.start()
        assert session.wait_for("started")
        if self._chance.random() < 0.7:
            assert session.wait_for("ack"), session.lines()
        session.kill(self._chance.uniform(0, 0.2))
        acknowledged = [line.split() for line in session.lines() if line.startswith("ack ")]
        if acknowledged:
            self.acknowledged = (int(acknowledged[-1][1]), int(acknowledged[-1][2]))
            self.kills_at_work += 1
        self.kills += 1
        self._check()

    def finish(self) -> None:
        """Let the last session come to its end."""
        session = self.start()
        assert session.end() == 0, session.lines()
        assert session.lines()[-1] == "ended done"

    @property
    def is_over(self) -> bool:
        """The run has come to its end before it was killed as often as was wished."""
        runs = find_runs(self.worn.store_path).known
        return bool(runs) and bool(runs[-1].ended)

    def state(self) -> RunState:
        return read_state(self.worn.folder)

    def _check(self) -> None:
        """Whatever was acknowledged is in the journal."""
        batches, written_bytes = self.acknowledged
        runs = find_runs(self.worn.store_path).known
        if not runs:
            assert batches == 0
            return
        state = read_state(runs[-1].folder)
        assert state.batches >= batches
        assert state.written_bytes >= written_bytes


def check_whole(worn: Worn, budget_bytes: int) -> None:
    """Held against the drive itself and the map, independently of what the run said."""
    ledger = worn.ledger()
    state = ledger.state
    found = worn.verifier(ledger).everything()
    assert found.wrong_blocks == 0, found.examples
    assert found.checked_blocks == ledger.begin["layout"]["worn_blocks"] + ledger.begin["layout"]["static_blocks"]
    # Each acknowledged writing raised the generation of its blocks by one; so did each that a crash left whole or torn.
    generations = int(ledger.generations.known(slice(None)).astype(int).sum())
    unacknowledged = state.in_doubt.get("new", 0) + state.in_doubt.get("torn", 0)
    assert generations * BLOCK == state.written_bytes - 2 * MIB + unacknowledged * BLOCK
    assert budget_bytes - BLOCK < state.may_be_written_bytes <= budget_bytes
    assert set(state.in_doubt) <= {"old", "new", "torn"}
    ledger.close()
    with Store(worn.store_path) as store:
        # A kill before the first entry of the journal leaves an empty record, and the next session begins anew.
        records = [one for one in store.list() if one.step_count]
        assert len(records) == 1, "a run that goes on keeps its record"
        record = store.load(records[0].id)
    assert record.status is Status.DONE
    assert [step.index for step in record.steps] == list(range(state.checkpoints))
    seen = [step.parameters["checkpoint"] for step in record.steps]
    assert [one["host_written_bytes"] for one in seen] == sorted(one["host_written_bytes"] for one in seen)
    assert sum(one["verification"]["checked_blocks"] for one in seen) == sum(state.verified.values())
    assert all(set(one["verification"]["counts"]) <= {"good"} for one in seen)


def killed_and_finished(folder: Path, kills: int, budget_mib: int, workload: str, seed: int) -> Killer:
    killer = Killer(folder, budget_mib, workload, seed)
    while killer.kills < kills and not killer.is_over:
        killer.kill_one()
    killer.finish()
    check_whole(killer.worn, budget_mib * MIB)
    return killer


@pytest.mark.parametrize(("workload", "seed"), [("sequential,random", 1), ("jesd219,mixed", 2)])
def test_a_run_killed_at_random_moments_goes_on_and_loses_nothing(tmp_path: Path, workload: str, seed: int) -> None:
    killer = killed_and_finished(tmp_path, 8, 70, workload, seed)
    assert killer.kills == 8, "the run was over before it was killed often enough"
    assert killer.kills_at_work >= 4


@pytest.mark.long
def test_a_run_killed_200_times_goes_on_and_loses_nothing(tmp_path: Path) -> None:
    killer = killed_and_finished(tmp_path, 200, 600, "sequential,random,jesd219,mixed", 3)
    assert killer.kills == 200
    assert killer.state().crashes > 50


def test_a_map_whose_last_pages_never_reached_the_disk_is_put_right(tmp_path: Path) -> None:
    """A power cut: the journal was flushed, the map's pages since were not."""
    worn = Worn(tmp_path)
    kept: list[bytes] = []

    def keep(batches: int, written_bytes: int) -> None:
        if written_bytes > 12 * MIB and not kept:
            kept.append((worn.folder / "generations").read_bytes())

    assert worn.begin(on_acknowledged=keep).status is Status.DONE
    whole = (worn.folder / "generations").read_bytes()
    assert whole != kept[0]
    (worn.folder / "generations").write_bytes(kept[0])
    ledger = worn.ledger()
    assert worn.verifier(ledger).everything().wrong_blocks == 0
    ledger.close()
    assert (worn.folder / "generations").read_bytes() == whole


def test_a_long_journal_is_begun_anew_and_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flashscope.endurance.real import ledger as module

    monkeypatch.setattr(module, "_ANEW_BYTES", 20_000)
    worn = Worn(tmp_path)
    assert worn.begin().status is Status.DONE
    assert (worn.folder / JOURNAL).stat().st_size < 60_000
    ledger = worn.ledger()
    assert ledger.state.written_bytes > 23 * MIB
    assert ledger.state.sessions == 1
    assert worn.verifier(ledger).everything().wrong_blocks == 0
    ledger.close()


def test_a_folder_left_by_a_kill_before_the_first_entry_is_no_run(tmp_path: Path) -> None:
    worn = Worn(tmp_path)
    left = runs_folder(worn.store_path) / "20260101-000000-x"
    left.mkdir(parents=True)
    (left / "generations").write_bytes(bytes(100))
    assert worn.begin().status is Status.DONE
    assert left.exists()


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    from flashscope.errors import WrongUse

    worn = Worn(tmp_path)
    worn.begin()
    first = worn.ledger()
    with pytest.raises(WrongUse, match="another process"):
        Ledger(worn.folder)
    first.close()
    shutil.rmtree(worn.folder)
