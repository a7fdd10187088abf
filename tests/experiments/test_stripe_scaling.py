"""Stripe scaling: the host's limit, the even share of the wear, and the four drives of the document."""

from dataclasses import replace

import pytest

from flashscope.analysis.scaling import most_beyond_even_share, shared_limit, useful_members
from flashscope.drives.addresses.address import parse_address
from flashscope.drives.virtual.striped import StripedDrive
from flashscope.errors import WrongUse
from flashscope.experiments.stripe_scaling import StripeScaling
from flashscope.records import Record, Status, StepRecord
from flashscope.reports.charts import charts_of
from flashscope.reports.plotting.theme import NARROW
from flashscope.reports.plotting.vega_lite import to_svg
from flashscope.runner.effort import Effort, Extent
from flashscope.runner.hands.virtual import VirtualHands
from flashscope.workloads.steps import FormStripe, ReadMembers
from tests.experiments.planted_drives import examine
from tests.findings import finding_of, holds
from tests.known import known

EXPERIMENT = StripeScaling()
SIX = "stripe:128KiB:sim:jmf602-32*6?host_rate=660MB/s"


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return examine(EXPERIMENT, SIX, tmp_path_factory.mktemp("six"), Effort(Extent.QUICK))


@pytest.mark.parametrize("limit", [2.5, 3.6, 4.0])
def test_the_limit_of_rates_that_bend_is_their_plateau(limit: float) -> None:
    found_one = known(shared_limit({count: 100.0 * min(count, limit) for count in range(1, 7)}))
    assert found_one.rate == pytest.approx(100 * limit, rel=0.01)
    assert found_one.member_rate == pytest.approx(100, rel=0.01)


def test_no_limit_is_named_where_every_drive_helps() -> None:
    found_one = known(shared_limit({count: 100.0 * count for count in range(1, 7)}))
    assert found_one.rate is None
    assert found_one.at_least == 600
    assert shared_limit({1: 1.0, 2: 2.0}) is None
    assert useful_members({1: 100, 2: 200, 3: 205}) == 2
    assert useful_members({}) is None


def test_six_drives_of_the_document_scale_up_to_four_in_one_benchmark(six: Record) -> None:
    assert six.status is Status.DONE
    assert finding_of(six, "useful_member_count_read_1_mib").value == 4
    assert finding_of(six, "useful_member_count_write_64_mib").value == 6


def test_the_hosts_limit_is_found_from_outside(six: Record) -> None:
    limit = finding_of(six, "host_limit_bytes_per_second")
    assert limit.value == pytest.approx(660e6, rel=0.01)
    assert six.truth["host_limit_bytes_per_second"] == 660_000_000
    assert limit.low is not None
    assert limit.high is not None
    assert holds(limit, 660e6)


def test_wear_is_shared_evenly(six: Record) -> None:
    assert finding_of(six, "stripe_wear_ratio").value == pytest.approx(1 / 6, rel=0.1)
    members = known(six.step("members 6").members)
    assert len(members) == 6, "what members did comes back from the store"
    assert members["host_written_bytes"].sum() == 3 * 256 * 2**20, "the array was new, and got these writes only"


def test_its_charts_name_the_limit(six: Record) -> None:
    charts = charts_of(six)
    assert charts[0].title == "From 4 drives on the host is the limit, at 660 MB/s"
    assert all("<svg" in to_svg(chart.draw(NARROW)) for chart in charts)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return examine(EXPERIMENT, "stripe:128KiB:sim:onyx-32*3", tmp_path_factory.mktemp("three"), Effort(Extent.QUICK))


def test_without_a_limit_of_the_host_none_is_named(three: Record) -> None:
    limit = finding_of(three, "host_limit_bytes_per_second")
    assert limit.value is None
    assert three.truth["host_limit_bytes_per_second"] is None


def test_members_with_write_buffers_are_not_faster_than_their_number(three: Record) -> None:
    """Each has 32 MiB of buffer: what is still in it when the last request is answered must count."""
    rows = finding_of(three, "useful_member_count_read_64_mib").details["arrays"]
    for way in ("read_64_mib", "write_64_mib", "read_1_mib", "write_1_mib"):
        rates = [row[f"{way}_bytes_per_second"] for row in rows]
        assert all(rate <= 1.02 * count * rates[0] for count, rate in enumerate(rates, start=1)), way


def test_an_array_that_exceeds_its_members_leaves_the_count_open(three: Record) -> None:
    def sooner(step: StepRecord) -> StepRecord:
        if step.name != "write 64 MiB 3" or step.workload is None:
            return step
        return replace(step, workload=replace(step.workload, duration_ns=step.workload.duration_ns // 2))

    found = finding_of(
        replace(three, findings=EXPERIMENT.analyse(replace(three, steps=[sooner(step) for step in three.steps]))),
        "useful_member_count_write_64_mib",
    )
    assert found.value is None
    assert "is not known" in found.statement
    assert [doubt.kind for doubt in found.doubts] == ["NotAlike"]
    assert most_beyond_even_share({1: 100.0, 2: 204.0, 3: 290.0}) is None
    assert most_beyond_even_share({1: 100.0, 2: 204.0, 3: 330.0}) == 3
    assert most_beyond_even_share({}) is None


def test_a_stopped_run_uses_the_arrays_that_were_finished(six: Record) -> None:
    place = [step.name for step in six.steps].index("read 64 MiB 4")
    half = Record(**{**six.__dict__, "steps": six.steps[:place], "status": Status.INTERRUPTED})
    rows = EXPERIMENT.analyse(half)[0].details["arrays"]
    assert [row["members"] for row in rows] == [1, 2, 3]
    few = Record(**{**six.__dict__, "steps": six.steps[:3], "status": Status.INTERRUPTED})
    assert "is not known" in EXPERIMENT.analyse(few)[0].statement


def plan_of_test_amed_array_is_new_and_time_goes_on() -> None:
    drive = StripedDrive(parse_address(SIX))
    drive.idle(10**9)
    drive.form(2)
    assert len(drive.member_counters()) == 2
    assert drive.now_ns == 10**9
    with pytest.raises(WrongUse, match="array of 7"):
        drive.form(7)


def test_a_single_drive_takes_no_step_of_it_and_skips_what_only_arrays_can() -> None:
    from flashscope.drives.virtual.simulated import SimulatedDrive

    drive = SimulatedDrive.open("ramdisk", 1)
    assert EXPERIMENT.steps(drive.facts) == []
    hands = VirtualHands(drive)
    for step in (FormStripe("f", 2), ReadMembers("m")):
        outcome = hands.perform(step, lambda *_: None)
        assert outcome.status is Status.SKIPPED
        assert "not an array of several drives" in outcome.note
