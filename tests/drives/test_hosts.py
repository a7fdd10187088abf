"""Hosts: data sheets that are complete and checked, and drives whose requests they make."""

from __future__ import annotations

from pathlib import Path

import pytest

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.hosts.host import HOST_KEYS, host_key_table, host_table, list_hosts, load_host
from flashscope.drives.open import open_virtual
from flashscope.drives.parts.published_figures import published_figures
from flashscope.drives.parts.schema import ORIGINS
from flashscope.drives.virtual.in_virtual_time import InVirtualTime
from flashscope.errors import WrongUse
from flashscope.records import WorkloadResult
from flashscope.workloads.job_file import parse_job_file

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "hosts.md"
HOST = """\
name = "mine"
submission_cost = "2 us"
page_cost = "100 ns"
wake_up = "4 us"
completion_cost = "1 us"
"""
READS = "[reads]\nrw=randread\nbs=4k\nio_size={io}\nsize=64M\niodepth={depth}\n"


def measured(address: str, *, depth: int, io: str = "8M") -> WorkloadResult:
    drive = open_virtual(parse_address(address))
    return run(drive, depth=depth, io=io)


def run(drive: InVirtualTime, *, depth: int, io: str) -> WorkloadResult:
    text = READS.format(depth=depth, io=io)
    jobs = parse_job_file(text, source="a test", drive_bytes=drive.facts.user_bytes)
    under_way = drive.start(jobs, 10**9)
    while not under_way.advance(1 << 20):
        pass
    return under_way.result()


@pytest.mark.parametrize("name", list_hosts())
def test_a_shipped_host_says_where_each_value_comes_from(name: str) -> None:
    host = load_host(name)
    assert (host.name, bool(host.title), bool(host.notes)) == (name, True, True)
    assert all(value.origin in ORIGINS or value.source == "the default" for value in host.values.values())
    assert set(host.settings) == {key.core for key in HOST_KEYS}


def test_what_a_host_was_fitted_to_is_a_published_figure() -> None:
    printed = {figure.id for figure in published_figures() if figure.experiment == "host"}
    fitted = {
        figure for name in list_hosts() for value in load_host(name).values.values() for figure in value.fitted_to
    }
    assert fitted
    assert fitted <= printed


def test_the_reference_page_holds_both_tables() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert host_key_table() in page, "run make docs"
    assert host_table() in page, "run make docs"


def test_one_request_at_a_time_takes_the_times_of_host_and_drive(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(HOST)
    bare = measured("sim:onyx-32", depth=1)
    hosted = measured(f"sim:onyx-32?host={tmp_path}/mine.toml", depth=1)
    added = hosted.latency["read"].mean_ns - bare.latency["read"].mean_ns
    assert added == pytest.approx(2_000 + 100 + 4_000 + 1_000)
    assert hosted.duration_ns == pytest.approx(bare.duration_ns + 2048 * 7_100)


def test_one_thread_bounds_what_a_deep_queue_gives() -> None:
    host = load_host("linux-io-uring").settings
    hosted = measured("sim:kc3000-1024?host=linux-io-uring", depth=64, io="64M")
    per_request_ns = hosted.duration_ns / hosted.totals["read_requests"]
    thread_ns = host["submission_ns"] + host["completion_ns"]
    assert thread_ns <= per_request_ns < 1.06 * thread_ns
    bare = measured("sim:kc3000-1024", depth=64, io="64M")
    assert bare.duration_ns < 0.6 * hosted.duration_ns


def test_a_thread_that_waits_for_each_answer_keeps_one_request_under_way() -> None:
    deep, alone = (measured("sim:onyx-32?host=linux-psync", depth=depth) for depth in (32, 1))
    assert deep.duration_ns == alone.duration_ns


def test_the_record_and_the_address_name_the_host(tmp_path: Path) -> None:
    drive = open_virtual(parse_address("sim:onyx-32?host=spdk&seed=3"))
    assert drive.facts.address == "sim:onyx-32?host=spdk"
    assert drive.resolved_part()["host"] == load_host("spdk").settings
    (tmp_path / "mine.toml").write_text(HOST)
    stripe = open_virtual(parse_address(f"stripe:64KiB:sim:jmf602-32*2?host={tmp_path}/mine.toml&host_rate=300MB/s"))
    told = stripe.resolved_part()["host"]
    assert (told["wake_up_ns"], told["bytes_per_second"]) == (4_000, 300_000_000)
    assert measured(f"stripe:64KiB:sim:jmf602-32*2?host={tmp_path}/mine.toml", depth=1).duration_ns > 2048 * 7_100


def test_a_drive_that_is_seen_from_a_later_start_keeps_its_host() -> None:
    shifted = measured("sim:onyx-32?host=spdk@offset=1MiB", depth=1)
    assert shifted.duration_ns == measured("sim:onyx-32?host=spdk", depth=1).duration_ns


def test_a_thread_that_is_slower_than_the_banks_hides_how_many_there_are(tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(HOST.replace("2 us", "60 us"))
    for address, units in (
        ("sim:onyx-32", 4),
        ("sim:onyx-32?host=linux-io-uring", 4),
        (f"sim:onyx-32?host={tmp_path}/slow.toml", None),
    ):
        assert open_virtual(parse_address(address)).truth()["parallel_unit_count"] == units


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HOST.replace("wake_up", "wakeup"), "wakeup is not a key of a host"),
        (HOST.replace('"4 us"', "4"), "wake_up"),
        (HOST.replace('"4 us"', '"2 s"'), "out of bounds"),
        (HOST.replace('wake_up = "4 us"\n', ""), "says nothing about wake_up"),
        ("", "says nothing about name, submission_cost, wake_up, completion_cost"),
        (HOST + "[link]\nrate = 3\n", "link is not a key of a host"),
        ("name = ", "not a valid TOML file"),
    ],
)
def test_a_wrong_host_is_refused_with_what_was_found_and_what_is_accepted(
    tmp_path: Path, text: str, found: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(WrongUse, match=found) as refused:
        load_host(str(path))
    assert refused.value.accepted


def test_a_host_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(WrongUse, match='no host "linux-iouring"') as refused:
        open_virtual(parse_address("sim:onyx-32?host=linux-iouring"))
    assert "linux-io-uring" in refused.value.accepted
    assert refused.value.advice == 'did you mean "linux-io-uring"?'
    with pytest.raises(WrongUse, match='no host ""'):
        open_virtual(parse_address("sim:onyx-32?host="))
    with pytest.raises(WrongUse, match="there is no host file"):
        load_host("/nowhere/mine.toml")
