import pytest

from flashscope.experiments.idle_recovery import IdleRecovery
from flashscope.runner.effort import Effort
from tests.experiments.planted import planted, run
from tests.findings import by_key, holds
from tests.known import number

EXPERIMENT = IdleRecovery()
SECOND_NS = 10**9


def delays() -> list[object]:
    """Each delay and each drive once in the short suite, all pairs in the long one."""
    drives = [(40, 32_017_022_976), (40, 23_999_938_560), (12, 32_017_022_976)]
    return [
        pytest.param(target, user_bytes, delay_s, marks=() if row == column else pytest.mark.long)
        for row, (target, user_bytes) in enumerate(drives)
        for column, delay_s in enumerate([8, 20, 90])
    ]


@pytest.mark.parametrize(("target", "user_bytes", "delay_s"), delays())
def test_the_planted_delay_is_found_within_10_percent(delay_s: int, target: int, user_bytes: int) -> None:
    drive = planted(
        idle_collection__delay=delay_s * SECOND_NS,
        idle_collection__target_free_blocks=target,
        idle_collection__worthwhile_stale_ratio=0.0,
        capacity__user_size=user_bytes,
    )
    record = run(EXPERIMENT, drive)
    delay = by_key(record)["idle_collection_delay_ns"]
    assert delay.value == pytest.approx(delay_s * SECOND_NS, rel=0.1)
    assert holds(delay, delay_s * SECOND_NS)
    assert number(by_key(record)["idle_recovery_gain"].value) > 1.4
    assert record.truth["idle_collection_delay_ns"] == delay_s * SECOND_NS


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3, 4))])
def test_a_drive_that_never_collects_when_idle_is_said_to_gain_nothing(seed: int) -> None:
    record = run(EXPERIMENT, planted(seed=seed), seed=seed)
    (delay,) = record.findings
    assert delay.value is None
    assert "nothing" in delay.statement
    assert record.truth["idle_collection_delay_ns"] is None


def test_nothing_is_written_when_nothing_may_be() -> None:
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []
