"""A job file with any number in it is read, or refused with line, option and what is accepted."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flashscope.drives.virtual.simulated import SimulatedDrive
from flashscope.errors import WrongUse
from flashscope.workloads.job_file import parse_job_file
from flashscope.workloads.options import OPTIONS

DRIVE_BYTES = 32_017_047_552
NAMES = tuple(option.name for option in OPTIONS)
ABSURD = st.one_of(
    st.integers(0, 10**40).map(str),
    st.sampled_from(["9" * 5000, "0x" + "f" * 5000, "1e309", "nan", "inf", "-1", "-0", "1e-400", "٣", "²", "0" * 5000]),
    st.text("0123456789", min_size=1, max_size=50),
)
SUFFIXES = ("", "k", "p", "pib", "s", "d", "us", "%", "/100", ":1", "-9", ",,", "/99:4k/1")
PREFIXES = ("", "zipf:", "pareto:", "zoned:", "4k/", "4k,", "1k-")


@given(name=st.sampled_from(NAMES), prefix=st.sampled_from(PREFIXES), number=ABSURD, suffix=st.sampled_from(SUFFIXES))
@example("thinktime", "", "9000000000", "s")
@example("runtime", "", "9" * 5000, "d")
@example("random_distribution", "zipf:", "nan", "")
@example("random_distribution", "zipf:", "inf", "")
@example("bs", "", "9" * 30, "")
@example("rate", "", "16384", "p")
def test_a_job_with_any_number_starts_on_a_virtual_drive_or_is_refused_in_words(
    drive: SimulatedDrive, name: str, prefix: str, number: str, suffix: str
) -> None:
    text = f"[j]\nrw=randrw\nio_size=64k\n{name}={prefix}{number}{suffix}\n"
    try:
        jobs = parse_job_file(text, source="a.fio", drive_bytes=DRIVE_BYTES)
        run = drive.start(jobs, 10**9)
    except WrongUse as refused:
        message, accepted = str(refused), refused.accepted + refused.advice
    else:
        run.advance(50)
        run.stop()
        run.result()
        return
    assert accepted
    assert "digits" not in message, "Python's own words"
    assert "not a list of jobs" not in message, "what the core was handed is not what the person wrote"


@pytest.fixture(scope="module")
def drive() -> SimulatedDrive:
    return SimulatedDrive.open("onyx-32", 1)


def test_a_pause_of_centuries_is_refused_with_its_line() -> None:
    with pytest.raises(WrongUse, match=r"a\.fio:3: thinktime is '9000000000s'") as refused:
        parse_job_file("[j]\nrw=read\nthinktime=9000000000s\n", source="a.fio", drive_bytes=DRIVE_BYTES)
    assert refused.value.accepted == "at most 250 years, where virtual time ends"


def test_requests_years_apart_take_a_row_of_the_series_for_what_was_done_and_not_for_every_second(
    drive: SimulatedDrive,
) -> None:
    jobs = parse_job_file("[j]\nrw=read\nbs=4k\nio_size=64k\nthinktime=900d\n", source="a.fio", drive_bytes=DRIVE_BYTES)
    run = drive.start(jobs, 10**9)
    assert run.advance(1000)
    result = run.result()
    assert result.totals["read_requests"] == 16
    assert result.series["read_requests"].sum() == 16
    assert len(result.series) <= 2**20
