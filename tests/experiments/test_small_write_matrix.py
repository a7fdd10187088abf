import pytest

from flashscope.experiments.small_write_matrix import SmallWriteMatrix
from tests.experiments.toy import toy
from tests.findings import holds
from tests.known import number
from tests.steps import jobs_of, workloads

EXPERIMENT = SmallWriteMatrix()
KIB = 1024


@pytest.mark.parametrize("unit_kib", [4, 8, 16, 32])
def test_the_planted_unit_is_found_from_outside(unit_kib: int) -> None:
    record = toy(unit_bytes=unit_kib * KIB).run(EXPERIMENT)
    (finding,) = record.findings
    assert finding.value == unit_kib * KIB
    assert holds(finding, number(finding.value))
    assert f"{unit_kib} KiB" in finding.statement
    assert len(finding.details["cells"]) == 16
    assert set(finding.evidence) <= {step.name for step in record.steps}
    row = finding.details["cells"][0]
    assert row["low"] <= row["requests_per_second"] <= row["high"]


def test_a_drive_whose_times_follow_bytes_alone_shows_no_unit(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = toy()
    monkeypatch.setattr(drive, "rate", lambda direction, size, grid, written: size * 1e9 / (30e3 + size / 0.25))
    (finding,) = drive.run(EXPERIMENT).findings
    assert finding.value is None
    assert "No mapping unit" in finding.statement
    assert "BufferMayHideIt" in [doubt.kind for doubt in finding.doubts]


def test_requests_below_the_sector_are_left_out_and_the_reason_is_kept() -> None:
    record = toy(unit_bytes=16 * KIB, sector_bytes=4096).run(EXPERIMENT)
    steps = EXPERIMENT.steps(toy(sector_bytes=4096).facts)
    jobs = [step.jobs[0] for step in workloads(steps)]
    assert min(job.write_sizes.weighted[0][0] for job in jobs) >= 4096
    (finding,) = record.findings
    assert finding.value == 16 * KIB
    assert "CellsLeftOut" in [doubt.kind for doubt in finding.doubts]


def test_the_first_half_of_a_run_that_a_buffer_flatters_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = toy(unit_bytes=16 * KIB, noise=0.0)
    honest, start, cell = drive.rate, 0, (0, 0)

    def flattered(direction: str, size: int, grid: int, written: int) -> float:
        nonlocal start, cell
        rate = honest(direction, size, grid, written)
        if direction == "write":
            start = 0
            return rate
        start = 0 if cell != (size, grid) else start + 1
        cell = (size, grid)
        return 5 * rate if start < 8 else rate

    monkeypatch.setattr(drive, "rate", flattered)
    (finding,) = drive.run(EXPERIMENT).findings
    assert finding.value == 16 * KIB


def test_a_rate_that_still_changes_in_the_used_half_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    drive, calls, cell = toy(unit_bytes=16 * KIB, noise=0.0), 0, (0, 0)
    honest = drive.rate

    def sinking(direction: str, size: int, grid: int, written: int) -> float:
        nonlocal calls, cell
        calls = 0 if cell != (size, grid) else calls + 1
        cell = (size, grid)
        return honest(direction, size, grid, written) / (1 + calls / 50)

    monkeypatch.setattr(drive, "rate", sinking)
    (finding,) = drive.run(EXPERIMENT).findings
    assert "NotSteady" in [doubt.kind for doubt in finding.doubts]


def test_the_span_is_filled_before_it_is_measured_and_never_leaves_the_drive() -> None:
    for user_bytes in (64 << 20, 1 << 30, 256 * 10**9):
        steps = EXPERIMENT.steps(toy(user_bytes).facts)
        assert [step.name for step in steps[:2]] == ["secure erase", "prefill"]
        loads = workloads(steps)
        assert len(loads) == 17
        for step in loads:
            assert 0 < step.jobs[0].size_bytes <= min(user_bytes, 10**9)
            assert step.jobs[0].size_bytes + step.jobs[0].offset_bytes <= user_bytes
            assert step.jobs[0].io_bytes <= step.bytes_to_write
        assert len({step.jobs[0].seed for step in loads}) == len(loads)


def test_a_file_of_1_gib_takes_less_than_a_minute_of_cells() -> None:
    steps = EXPERIMENT.steps(toy(1 << 30, kind="file").facts)
    assert sum(jobs_of(step)[0].runtime_ns for step in steps) <= 40 * 10**9


def test_an_interrupted_matrix_says_what_is_missing() -> None:
    record = toy(stop_after="unaligned 1 KiB").run(EXPERIMENT)
    (finding,) = record.findings
    assert finding.value is None
    assert "too little" in finding.statement
