"""Power at the border: only a solid-state drive is switched off, and its time goes on meanwhile."""

import json

import pytest

from flashscope import _core
from flashscope.drives.parts.part import load_part
from flashscope.reproduce.bench_configuration import BenchConfiguration
from flashscope.reproduce.bench_drive import BenchDrive
from flashscope.reproduce.bench_stripe import BenchStripe

YEAR_NS = 365 * 86_400 * 10**9
SMALL = BenchConfiguration(blocks=16, pages=16, spare_ratio=0.5)


def test_time_goes_on_and_the_power_cycle_is_counted() -> None:
    drive = BenchDrive(SMALL)
    drive.fill()
    before_ns = drive.core.now_ns
    drive.core.power_off(YEAR_NS, 40.0)
    assert drive.core.now_ns == before_ns + YEAR_NS
    assert drive.core.counters()["power_cycles"] == 2


def test_a_cut_loses_what_was_acknowledged_and_not_yet_programmed_and_says_how_much() -> None:
    buffered = BenchDrive(BenchConfiguration(blocks=16, pages=16, spare_ratio=0.5, buffer_bytes=65_536))
    buffered.run(buffered.job("write", requests=8))
    lost = buffered.core.power_cut()
    assert 0 < lost <= 8
    assert buffered.core.counters()["lost_units"] == lost
    through = BenchDrive(SMALL)
    through.run(through.job("write", requests=8))
    assert through.core.power_cut() == 0, "what is acknowledged when programmed is there"


@pytest.mark.parametrize("kind", ["disk", "stripe"])
def test_other_kinds_of_drives_refuse(kind: str) -> None:
    disk = _core.Drive(load_part("wd20ears").to_core_json(), 1) if kind == "disk" else BenchStripe(SMALL, 2).build(1)
    with pytest.raises(ValueError, match="only a solid-state drive"):
        disk.power_off(1, 30.0)
    with pytest.raises(ValueError, match="only a solid-state drive"):
        disk.power_cut()


@pytest.mark.parametrize(("duration_ns", "celsius"), [(1, -300.0), (1, float("nan")), (YEAR_NS, 200.0)])
def test_a_shelf_that_cannot_be_is_refused(duration_ns: int, celsius: float) -> None:
    with pytest.raises(ValueError, match=r"accepted|100 years"):
        _core.Drive(json.dumps(SMALL.to_core()), 1).power_off(duration_ns, celsius)
