"""The text for Prometheus, read back by a parser written from the format's description (text format 0.0.4)."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flashscope.smart.watching.counters import COUNTERS
from flashscope.smart.watching.exposition import PlaceState, exposition, metric
from flashscope.smart.watching.series_store import SeriesStore
from tests.known import known
from tests.smart.watch.make_samples import make_dump, make_reading, moment

_NAME = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|(?=\}))')


@dataclass
class Family:
    help: str = ""
    kind: str = ""
    series: dict[tuple[tuple[str, str], ...], float] = field(default_factory=dict)


def parse(text: str) -> dict[str, Family]:
    """Every family of a text. Raises AssertionError where it breaks a rule of the format."""
    assert text == "" or text.endswith("\n")
    families: dict[str, Family] = {}
    current = ""
    for line in text.split("\n")[:-1]:
        if line.startswith("# HELP "):
            name, _, help = line[7:].partition(" ")
            assert name not in families, f"a second HELP of {name}, or its lines are not together"
            assert re.fullmatch(r"(?:[^\\]|\\\\|\\n)*", help)
            families[name] = Family(help=help)
            current = name
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            assert name == current
            assert not families[name].kind
            assert not families[name].series
            assert kind in {"counter", "gauge", "histogram", "summary", "untyped"}
            families[name].kind = kind
        else:
            _series(line, current, families)
    for name, family in families.items():
        assert _NAME.fullmatch(name)
        assert family.kind
        assert family.series
        assert (family.kind == "counter") == name.endswith("_total")
    return families


def _series(line: str, current: str, families: dict[str, Family]) -> None:
    match = known(_NAME.match(line))
    assert match[0] == current, "lines of one family stand together, under its HELP and TYPE"
    rest, labels = line[match.end() :], {}
    if rest.startswith("{"):
        place = 1
        while rest[place] != "}":
            label = _LABEL.match(rest, place)
            assert label is not None, line
            assert label[1] not in labels
            assert not label[1].startswith("__")
            labels[label[1]] = re.sub(r'\\(["\\n])', lambda one: "\n" if one[1] == "n" else one[1], label[2])
            place = label.end()
        rest = rest[place + 1 :]
    number = re.fullmatch(r" (NaN|[+-]Inf|[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?)", rest)
    assert number is not None, line
    key = tuple(sorted(labels.items()))
    assert key not in families[current].series, f"one series twice: {line}"
    families[current].series[key] = float(number[1].replace("Inf", "inf"))


def state_of(path: Path, **values: Any) -> PlaceState:
    with SeriesStore(path / "s.sqlite") as store:
        sample = store.append(make_dump(), make_reading(**values), "/dev/sdx", moment(0), None).sample
    return PlaceState("/dev/sdx", sample, True, 3, 1, frozenset({"life_left"}), {"counter reset": 2})


def test_values_stand_under_their_names_and_units(tmp_path: Path) -> None:
    state = state_of(
        tmp_path,
        host_written_bytes=2**60 + 1,
        power_on_time_hours=10,
        life_used_percent=25.0,
        temperature_celsius=31,
        write_amplification=1.25,
        erase_count_average=7,
        controller_busy_time_minutes=2,
    )
    text = exposition([state])
    families = parse(text)
    found = {
        name: (family.kind, *family.series.values()) for name, family in families.items() if len(family.series) == 1
    }
    assert found["flashscope_power_on_time_seconds_total"] == ("counter", 36000)
    assert found["flashscope_controller_busy_time_seconds_total"] == ("counter", 120)
    assert found["flashscope_life_used_ratio"] == ("gauge", 0.25)
    assert found["flashscope_temperature_celsius"] == ("gauge", 31)
    assert found["flashscope_write_amplification_ratio"] == ("gauge", 1.25)
    assert found["flashscope_erase_count_average"] == ("gauge", 7)
    assert found["flashscope_readings_total"] == ("counter", 3)
    assert f'flashscope_host_written_bytes_total{{device="/dev/sdx",drive="ACME X1/S-1"}} {2**60 + 1}\n' in text
    raised = families["flashscope_alert_raised"].series
    assert [dict(labels)["condition"] for labels, value in raised.items() if value == 1] == ["life_left"]


def test_a_place_that_was_never_read_has_no_drive(tmp_path: Path) -> None:
    families = parse(exposition([PlaceState("/dev/sdy", failures=1)]))
    assert families["flashscope_reading_success"].series == {(("device", "/dev/sdy"),): 0}
    assert "flashscope_drive_info" not in families
    assert exposition([]) == ""


def test_two_drives_share_the_families(tmp_path: Path) -> None:
    state = state_of(tmp_path, temperature_celsius=30)
    other = PlaceState("/dev/sdy", state.sample, True, 1)
    assert len(parse(exposition([state, other]))["flashscope_temperature_celsius"].series) == 2


@given(st.text(st.characters(exclude_categories=[])), st.floats())
def test_whatever_a_drive_is_called_the_text_stays_grammatical(name: str, value: float) -> None:
    state = PlaceState(name, notices={name: 1}, readings=1)
    families = parse(exposition([state]))
    (labels,) = families["flashscope_readings_total"].series
    assert dict(labels)["device"] == name.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("key", sorted(COUNTERS | {"life_left_percent", "rber", "odd key-1", "remaining_life_ratio"}))
def test_metric_names_are_legal_and_in_base_units(key: str) -> None:
    name, _ = metric(key)
    assert _NAME.fullmatch(name)
    assert not re.search(r"_(percent|hours|minutes|ns)(_|$)", name)


def test_no_two_field_keys_make_one_metric() -> None:
    keys = {*COUNTERS, "life_used_percent", "life_left_percent", "remaining_life_ratio", "endurance_used_percent",
            "spare_left_percent", "erase_count_evenness_ratio", "wear_range_percent"}  # fmt: skip
    assert len({metric(key)[0] for key in keys}) == len(keys)
