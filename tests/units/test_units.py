from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flashscope import units
from flashscope.errors import WrongUse

WHOLE = [
    ("bytes", "B", 1),
    ("bytes", "KB", 1000),
    ("bytes", "kB", 1000),
    ("bytes", "KiB", 1024),
    ("bytes", "MiB", 2**20),
    ("bytes", "GB", 10**9),
    ("bytes", "TiB", 2**40),
    ("time", "ns", 1),
    ("time", "us", 1000),
    ("time", "µs", 1000),
    ("time", "min", 60 * 10**9),
    ("time", "d", 86_400 * 10**9),
    ("rate", "MB/s", 10**6),
    ("rate", "MiB/s", 2**20),
    ("cycles", "cycles", 1),
    ("request-rate", "kIOPS", 1000),
    ("request-rate", "requests/s", 1),
]


@pytest.mark.parametrize(("dimension", "unit", "factor"), WHOLE)
@given(data=st.data())
def test_a_whole_number_with_a_unit_is_read_exactly(
    dimension: str, unit: str, factor: int, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, min(10**15, (2**63 - 1) // factor)))
    assert units.parse(f"{number} {unit}", dimension, key="k") == number * factor
    assert units.parse(f"{number}{unit}", dimension, key="k") == number * factor


@given(thousandths=st.integers(0, 10**12))
def test_decimals_are_exact_not_floating(thousandths: int) -> None:
    text = f"{thousandths // 1000}.{thousandths % 1000:03d} us"
    assert units.parse(text, "time", key="k") == thousandths


@given(percent=st.integers(0, 10_000))
def test_a_percentage_is_a_ratio(percent: int) -> None:
    assert units.parse(f"{percent} %", "ratio", key="k") == percent / 100


def test_counts_are_bare_and_ratios_may_be() -> None:
    assert units.parse(32, "count", key="k") == 32
    assert units.parse("1_000", "count", key="k") == 1000
    assert units.parse(0.07, "ratio", key="k") == 0.07
    assert units.parse(1e-7, "ratio", key="k") == 1e-7


@pytest.mark.parametrize("dimension", ["bytes", "time", "rate", "cycles", "request-rate"])
@given(number=st.integers(0, 10**12))
def test_a_bare_number_for_a_dimensioned_key_is_refused_with_an_example_that_works(dimension: str, number: int) -> None:
    with pytest.raises(WrongUse) as refusal:
        units.parse(number, dimension, key="program_latency")
    message = refusal.value.what
    assert message.startswith(f"program_latency is {number}; give it a unit, such as ")
    example = message.split('"')[1]
    assert units.parse(example, dimension, key="k") >= number


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("4 K", "bytes", '"4 KB"'),
        ("4 kib", "bytes", '"4 KiB"'),
        ("3 MB", "rate", '"3 MB/s"'),
        ("900 usec", "time", '"900 us"'),
        ("900 us", "bytes", "KiB"),
        ("0.3 B", "bytes", "not a whole number of bytes"),
        ("1.5", "count", "not a whole number"),
        ("32 things", "count", "whole number without a unit"),
        ("-3 s", "time", "not a number with a unit"),
        ("7", "ratio", '"7 %"'),
        ("", "time", "not a number with a unit"),
        ("1,000 B", "bytes", "not a unit of bytes"),
        (True, "count", "not a number"),
        (float("nan"), "ratio", "not a number"),
    ],
)
def test_a_refusal_names_the_key_and_says_what_would_do(text: str | float, dimension: str, expected: str) -> None:
    with pytest.raises(WrongUse) as refusal:
        units.parse(text, dimension, key="spare_ratio")
    assert "spare_ratio" in refusal.value.what
    assert refusal.value.accepted
    assert expected in str(refusal.value)


@given(text=st.text(max_size=20), dimension=st.sampled_from(["bytes", "time", "rate", "cycles", "count", "ratio"]))
def test_any_text_is_read_or_refused_and_never_crashes(text: str, dimension: str) -> None:
    try:
        value = units.parse(text, dimension, key="k")
    except WrongUse:
        return
    assert value >= 0


FORMATTERS = [
    (units.format_bytes, "bytes"),
    (units.format_bytes_binary, "bytes"),
    (units.format_rate, "rate"),
    (units.format_time, "time"),
]


@pytest.mark.parametrize(("formatter", "dimension"), FORMATTERS)
@given(value=st.integers(1, 10**15))
def test_what_is_shown_reads_back_within_half_a_per_cent(
    formatter: Callable[[float], str], dimension: str, value: int
) -> None:
    try:
        shown = units.parse(formatter(value), dimension, key="k")
    except WrongUse:  # "1.23 KiB" is not a whole number of bytes; every decimal value must read back
        assert dimension == "bytes"
        assert "iB" in formatter(value)
        return
    assert abs(shown - value) <= 0.00501 * value


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (units.format_bytes(42e9), "42 GB"),
        (units.format_bytes(0), "0 B"),
        (units.format_bytes(1004e12), "1004 TB"),
        (units.format_bytes(455_212e12), "455 PB"),
        (units.format_bytes(999.96e6), "1 GB"),
        (units.format_bytes(999.4e6), "999 MB"),
        (units.format_bytes_binary(120 * 2**30), "120 GiB"),
        (units.format_bytes_binary(1023 * 2**20), "1023 MiB"),
        (units.format_rate(31e6), "31 MB/s"),
        (units.format_time(61_000), "61 us"),
        (units.format_time(90e9), "90 s"),
        (units.format_time(120e9), "2 min"),
        (units.format_time(119.96e9), "2 min"),
        (units.format_time(7200e9), "2 h"),
        (units.format_time(-61_000), "-61 us"),
        (units.format_time(float("nan")), "unknown"),
        (units.format_count(1234), "1234"),
        (units.format_count(12_345), "12.3 thousand"),
        (units.format_count(1_200_000), "1.2 million"),
        (units.format_percent(0.07), "7 %"),
        (units.format_percent(0.1234), "12.3 %"),
        (units.format_percent(float("inf")), "unknown"),
    ],
)
def test_numbers_are_written_as_people_say_them(shown: str, expected: str) -> None:
    assert shown == expected


NUMERALS = st.one_of(
    st.integers(0, 10**80).map(str),
    st.text("0123456789", min_size=1, max_size=6000),
    st.tuples(st.integers(0, 10**30), st.integers(-99, 99)).map("{0[0]}e{0[1]}".format),
    st.text(st.characters(categories=["Nd"]), min_size=1, max_size=30),
)


@given(number=NUMERALS, unit=st.sampled_from(["", " s", " d", "TiB", " B", "TB/s", "%", " cycles", "kIOPS"]))
@example("9" * 5000, " s")
@example("9" * 5000, "%")
def test_a_number_of_any_length_is_read_into_64_bits_or_refused_in_words(number: str, unit: str) -> None:
    for dimension in ("bytes", "time", "rate", "cycles", "count", "ratio", "request-rate"):
        try:
            assert 0 <= units.parse(number + unit, dimension, key="k") < 2**63
        except WrongUse as refused:
            message, accepted = refused.what, refused.accepted
        else:
            continue
        assert accepted
        assert "digits" not in message, "Python's own words"


@given(number=NUMERALS)
def test_a_bare_whole_number_of_any_length_is_read_or_known_to_be_too_large(number: str) -> None:
    read = units.whole_number(number)
    assert (read is None) == (not (number.isascii() and number.isdigit()))
    if read is not None and len(number) < 4000:
        assert read == min(int(number), 2**64)
    assert units.whole_number("007") == 7
    assert (units.whole_number("0"), units.whole_number("000")) == (0, 0)
    assert units.whole_number("") is units.whole_number("-1") is units.whole_number("\u0667") is None


def test_a_noun_after_a_number_is_singular_for_one_alone() -> None:
    assert [units.counted(number, "drive-day") for number in (0, 1, 2)] == [
        "0 drive-days",
        "1 drive-day",
        "2 drive-days",
    ]
    assert units.counted(4096, "reading", "4 096") == "4 096 readings"
