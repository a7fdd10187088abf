"""A life from new to the end: skipping against writing, checkpoints, goals, what is left off power."""

import itertools
import json
from typing import Any

import pytest

from flashscope import _core
from flashscope.endurance.goal import Goal, parse_goal
from flashscope.endurance.life import Checkpoint, Conditions, Life, live
from flashscope.endurance.load import WearLoad
from flashscope.endurance.projection import project
from flashscope.endurance.retention import retention_of
from flashscope.errors import WrongUse
from tests.known import known

DEATH = Goal("death")


def a_life(configuration: dict[str, Any], goal: Goal = DEATH, *, seed: int = 1, skips: bool = True) -> Life:
    core = _core.Drive(json.dumps(configuration), seed)
    conditions = Conditions(WearLoad(), goal, checkpoint_cycles=10, read_bytes=8 << 20, skips=skips)
    life = live(core, configuration, conditions, seed=seed)
    core.check()
    return life


def test_a_life_that_is_skipped_ends_like_one_that_is_written(small: dict[str, Any]) -> None:
    skipped, written = a_life(small), a_life(small, skips=False)
    assert skipped.end == written.end == "read-only"
    assert skipped.retired_blocks == written.retired_blocks
    assert len(skipped.retired_blocks) == 7
    last, other = skipped.checkpoints[-1], written.checkpoints[-1]
    assert last.host_written_bytes == pytest.approx(other.host_written_bytes, rel=1e-3)
    assert last.elapsed_ns == pytest.approx(other.elapsed_ns, rel=0.01)
    assert 0 < skipped.skipped_bytes < last.host_written_bytes
    assert written.skipped_bytes == 0


def test_counts_only_grow_and_bad_blocks_are_told_by_cause(small: dict[str, Any]) -> None:
    seen = a_life(small).checkpoints
    for before, after in itertools.pairwise(seen):
        assert after.host_written_bytes > before.host_written_bytes
        assert after.elapsed_ns > before.elapsed_ns
        assert after.bad_blocks >= before.bad_blocks
        assert after.erase_count_mean > before.erase_count_mean
    last = seen[-1]
    assert last.program_failed_blocks + last.erase_failed_blocks == last.bad_blocks == 7
    assert last.spare_left == 0
    assert last.erase_count_min <= last.erase_count_mean <= last.erase_count_max
    under_way_bytes = 8 * (128 << 10)  # when the drive refused to go on: taken, and never on flash
    assert last.nand_written_bytes >= last.host_written_bytes - under_way_bytes


def test_the_error_rate_that_is_read_is_that_of_the_law(small: dict[str, Any]) -> None:
    small["bit_errors"] |= {
        "fresh_ratio": 1e-6,
        "block_variation_cv": 0.0,
        "wear_coefficient": 1e-7,
        "wear_exponent": 1.0,
    }
    small["bit_errors"] |= {"retention_coefficient": 0.0, "disturb_coefficient": 0.0}
    small["ecc"]["refresh_threshold_bits"] = 0
    for seen in a_life(small, Goal("30", erase_count=30)).checkpoints:
        assert seen.rber is not None
        assert seen.rber_low is not None
        assert seen.rber_high is not None
        law = 1e-6 + 1e-7 * seen.erase_count_mean
        # Codewords are not alike (0.4), so the count scatters a little more than Poisson's law says: one interval more.
        assert seen.rber_low * 0.9 < law < seen.rber_high * 1.1


@pytest.mark.parametrize("text", ["rating", "30 cycles", "30"])
def test_a_goal_in_cycles_is_met_and_the_drive_has_not_failed(small: dict[str, Any], text: str) -> None:
    life = a_life(small, parse_goal(text, 30))
    assert life.end == "reached"
    assert not life.failed
    assert life.checkpoints[-1].erase_count_mean == pytest.approx(30, abs=0.5)


def test_a_goal_in_bytes_is_met(small: dict[str, Any]) -> None:
    life = a_life(small, parse_goal("20 GB", 30))
    assert life.end == "reached"
    assert life.checkpoints[-1].host_written_bytes == pytest.approx(20e9, rel=0.005)


@pytest.mark.parametrize("text", ["0", "0 B", "soon", "", "-5 cycles", "nan"])
def test_a_goal_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(WrongUse):
        parse_goal(text, 30)


def test_a_drive_that_lives_for_ever_is_not_worn_to_death(small: dict[str, Any]) -> None:
    del small["endurance"]
    with pytest.raises(WrongUse, match="never wear out"):
        a_life(small)
    assert a_life(small, Goal("20", erase_count=20)).end == "reached"


def test_a_run_goes_on_from_its_snapshots_as_if_nothing_had_been(small: dict[str, Any]) -> None:
    def worn(stops: list[float]) -> tuple[dict[str, int], list[int]]:
        core = _core.Drive(json.dumps(small), 3)
        wear = _core.Wear(core, WearLoad().to_json(), 3, True)
        for stop in stops:
            while wear.advance(core, -1, stop, 500) == "working":
                core, wear = _core.Drive.restore(core.snapshot(), 3), _core.Wear.restore(wear.snapshot())
        return core.counters(), core.worn()["erase_counts"].tolist()

    whole_core = _core.Drive(json.dumps(small), 3)
    whole = _core.Wear(whole_core, WearLoad().to_json(), 3, True)
    while whole.advance(whole_core, -1, 25.0, 1_000_000) == "working":
        pass
    assert worn([25.0]) == (whole_core.counters(), whole_core.worn()["erase_counts"].tolist())


def test_the_projection_says_what_the_rest_of_the_way_takes(small: dict[str, Any]) -> None:
    seen = a_life(small, Goal("rating", erase_count=50)).checkpoints
    early = known(project(seen[:3], 50, small["capacity"]["user_bytes"]))
    took_days = (seen[-1].elapsed_ns - seen[2].elapsed_ns) / 1e9 / 86_400
    assert early.days == pytest.approx(took_days, rel=0.02)
    assert early.write_amplification == pytest.approx(1.0, rel=0.01)
    assert early.uncorrected_days < early.days + seen[2].elapsed_ns / 1e9 / 86_400, "spare blocks take their share"
    assert project(seen[:1], 50, 1) is None


def at_55_megabytes_per_second(cycles: float, amplification: float, slower_ratio: float = 0.0) -> Checkpoint:
    """A checkpoint of a drive of 32 GB without spare; later ones a little later than the rate says."""
    host = cycles * 32e9 / amplification
    return Checkpoint(
        round(host / 55e6 * 1e9 * (1 + slower_ratio)), round(host), round(host * amplification),
        0, cycles, 0, 0, 0, 0, None, None, None, None, 0, 0, 0,
    )  # fmt: skip


def test_the_documents_projection_of_33_67_days_is_met_and_write_amplification_shortens_it() -> None:
    for amplification in (1.0, 1.25):
        seen = [at_55_megabytes_per_second(cycles, amplification) for cycles in (0.0, 100.0, 200.0, 300.0, 400.0)]
        found = known(project(seen, 5000, 32_000_000_000))
        assert found.days_low is not None
        assert found.days_high is not None
        assert found.uncorrected_days == pytest.approx(33.67, abs=0.005)
        in_all_days = found.days + seen[-1].elapsed_ns / 1e9 / 86_400
        assert in_all_days == pytest.approx(33.67 / amplification, abs=0.005)
        assert found.days_high - found.days_low == pytest.approx(0, abs=1e-3), "an even rate leaves no room"


def test_an_uneven_rate_widens_the_interval_of_the_projection() -> None:
    cycles = (0.0, 100.0, 200.0, 300.0, 400.0)
    seen = [
        at_55_megabytes_per_second(at, 1.0, slower)
        for at, slower in zip(cycles, (0, 0.02, -0.01, 0.01, 0), strict=True)
    ]
    found = known(project(seen, 5000, 32_000_000_000))
    assert found.days_low is not None
    assert found.days_high is not None
    assert found.days_low < found.days < found.days_high
    assert found.days_high - found.days_low > 1


def test_more_is_lost_the_longer_and_the_warmer(small: dict[str, Any]) -> None:
    small["bit_errors"]["retention_coefficient"] *= 3000  # eighty cycles stand for thousands
    core = _core.Drive(json.dumps(small), 1)
    live(core, small, Conditions(WearLoad(), DEATH, 20, read_bytes=1 << 20), seed=1)
    kept = retention_of(core, small)
    curves = kept["curves"]
    for curve in curves:
        assert curve["lost_ratio"] == sorted(curve["lost_ratio"])
    for cool, warm in itertools.pairwise(curves):
        assert cool["months_to_first"] > warm["months_to_first"] > 0
        assert cool["lost_ratio"][6] <= warm["lost_ratio"][6]
