import pytest

from flashscope.experiments.write_buffer import WriteBuffer
from flashscope.runner.effort import Effort
from tests.experiments.planted import planted, run
from tests.findings import by_key, holds

MIB = 1 << 20
EXPERIMENT = WriteBuffer()


@pytest.mark.parametrize(
    ("size_mib", "order", "stall"),
    [
        (8, "sorted", "until-drained"),
        (32, "arrival", "until-room"),
        (32, "sorted", "until-room"),
        (32, "sorted", "until-drained"),
        (32, "arrival", "until-drained"),
        (128, "arrival", "until-room"),
        *(
            pytest.param(size_mib, order, stall, marks=pytest.mark.long)
            for size_mib, order, stall in [
                (8, "arrival", "until-room"),
                (8, "sorted", "until-room"),
                (8, "arrival", "until-drained"),
                (128, "sorted", "until-room"),
                (128, "sorted", "until-drained"),
                (128, "arrival", "until-drained"),
            ]
        ),
    ],
)
def test_the_planted_buffer_is_found_within_5_percent_with_what_it_does_when_full(
    size_mib: int, order: str, stall: str
) -> None:
    drive = planted(buffer__size=size_mib * MIB, buffer__flush_order=order, buffer__stall=stall)
    record = run(EXPERIMENT, drive)
    size = by_key(record)["write_buffer_bytes"]
    assert size.value == pytest.approx(size_mib * MIB, rel=0.05)
    assert holds(size, size_mib * MIB)
    assert by_key(record)["full_buffer_behaviour"].value == stall
    assert record.truth["write_buffer_bytes"] == size_mib * MIB


def test_the_drain_rate_is_that_of_the_flash_by_bursts_and_by_gaps() -> None:
    drain = by_key(run(EXPERIMENT, planted()))["drain_rate_bytes_per_second"]
    assert drain.value == pytest.approx(59.3e6, rel=0.01)
    assert drain.details["by_gaps"] == pytest.approx(drain.value, rel=0.02)


def test_a_drive_that_answers_after_programming_has_no_buffer_and_the_limit_is_told() -> None:
    record = run(EXPERIMENT, planted(buffer__acknowledge="programmed"))
    (size,) = record.findings
    assert size.value is None
    assert "would have been" in size.statement
    assert size.details["detection_limit_bytes"] < 1 * MIB
    assert record.truth["write_buffer_bytes"] is None


def test_a_flash_that_keeps_up_with_its_link_hides_the_buffer_and_that_is_said() -> None:
    drive = planted("hg3-512")
    record = run(EXPERIMENT, drive)
    (size,) = record.findings
    assert size.value is None
    assert [doubt.kind for doubt in size.doubts] == ["CacheInTheWay"]
    assert "write_buffer_bytes" not in record.truth


def test_both_conditions_of_the_report_are_measured() -> None:
    record = run(EXPERIMENT, planted())
    rates = by_key(record)["write_buffer_bytes"].details["conditions_bytes_per_second"]
    assert list(rates) == [
        "4 KiB random write, 50 MB test file",
        "4 KiB random write QD32 alone, 10 s after other load",
    ]
    assert all(rate > 1e6 for rate in rates.values())


def test_nothing_is_written_when_nothing_may_be() -> None:
    assert EXPERIMENT.steps(planted().facts, Effort(read_only=True)) == []
