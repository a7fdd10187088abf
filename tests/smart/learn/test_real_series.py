"""The learner on drives read over their lives, against what is known of their families. It knows no family itself.

Each truth has its reason. `erases`: attributes that count erases (any of them is right), None: the drive keeps none.
`host`: attribute -> unit of one count of host writes [bytes], empty: none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from flashscope.smart.dump import Dump
from flashscope.smart.learning.hypothesis import Learnt
from flashscope.smart.learning.learn import learn
from flashscope.smart.learning.sources import series_of

MIB, GIB = 1 << 20, 1 << 30


@dataclass(frozen=True)
class Truth:
    erases: frozenset[int]
    host: dict[int, int]
    reason: str


def truth(erases: set[int], host: dict[int, int], reason: str) -> Truth:
    return Truth(frozenset(erases), host, reason)


TRUTHS = {
    "c300__976B3F69C81D": truth({173}, {}, "173 average erases; the family counts host writes in the statistics only"),
    "indilinx__0AFD4F152DFE": truth({208}, {199: 512}, "208 average erases; 199 host sectors written"),
    "indilinx__EDC4373D80E7": truth({208}, {199: 512}, "208 average erases; 199 host sectors written"),
    "intel520__5472CCE05334": truth(set(), {241: 32 * MIB, 225: 32 * MIB}, "no erase counter; 225 = 241 in 32 MiB"),
    "inteldc__1095FB4D46A1": truth(set(), {241: 32 * MIB, 225: 32 * MIB}, "no erase counter; 225 = 241 in 32 MiB"),
    "inteldc__67FDD263DD23": truth({173, 252}, {241: 32 * MIB, 225: 32 * MIB}, "173 erases, packed; 252 the same"),
    "m4__358EBC132AFB": truth({173}, {}, "173 average erases; host writes in the statistics only"),
    "m4__E08F995531D5": truth({173}, {}, "173 average erases; host writes in the statistics only"),
    "m5xx__0CC635CC0564": truth({173}, {}, "173 average erases; this firmware has no 246"),
    "m5xx__F88CBA363AFF": truth({173}, {246: 512, 247: 16384}, "246 sectors; 247 the host's pages of 16 KiB"),
    "micron__B05339531A2C": truth({173}, {246: 512, 247: 16384}, "246 sectors; 247 the host's pages of 16 KiB"),
    "micron__FF7F9B360D95": truth({173}, {246: 512, 247: 16384}, "246 sectors; 247 the host's pages of 16 KiB"),
    "mx500__61ED1FFB80B8": truth({173}, {246: 512}, "246 sectors; the statistic keeps 32 bits of it"),
    "mx500__F59A8B1344F0": truth({173}, {246: 512}, "246 sectors; the statistic keeps 32 bits of it"),
    "phison__5FC70E5A4616": truth({167}, {241: 32 * MIB}, "a Silicon Motion layout, whatever it is called: 164 to 169"),
    "samsung840__35EAEC6C3B53": truth({177}, {241: 512}, "177 erase cycles of the whole array; 241 sectors"),
    "samsung850__4C93A2AA7243": truth({177}, {241: 512}, "177 erase cycles of the whole array; 241 sectors"),
    "samsung860_870__050D46F7909B": truth({177}, {241: 512}, "177 erase cycles of the whole array; 241 sectors"),
    "samsung860_870__EB7BE74FDAF0": truth({177}, {241: 512}, "177 erase cycles of the whole array; 241 sectors"),
    "sandforce__2AE7F99F9EA5": truth(set(), {241: GIB, 234: GIB}, "no erase counter; 234 counts host GiB as 241 does"),
}
TOO_LITTLE = {"samsung850__A4E7E9B6809A": "0.4 TB in all, one step of 177, and no statistics to measure by"}
DOCUMENTED_ONLY = "nvme__"


def learnt_of(samples: Path, name: str, dumps_in: Callable[[Path], list[Dump]]) -> Learnt:
    return learn(series_of(dumps_in(samples / "series" / name)))


def test_every_series_has_a_truth(samples: Path) -> None:
    found = {path.name for path in (samples / "series").iterdir() if path.is_dir()}
    judged = set(TRUTHS) | set(TOO_LITTLE)
    assert {name for name in found if not name.startswith(DOCUMENTED_ONLY)} == judged


def test_erase_counters_and_host_units_are_right_on_nine_of_ten(
    samples: Path, dumps_in: Callable[[Path], list[Dump]]
) -> None:
    verdicts: dict[str, bool] = {}
    for name, known in TRUTHS.items():
        learnt = learnt_of(samples, name, dumps_in)
        erases, host = learnt.best("erase_count_average"), learnt.best("host_written_bytes")
        if known.erases:
            verdicts[f"{name} erases"] = erases is not None and erases.attribute in known.erases
        else:
            assert erases is None, f"{name}: {erases}; {known.reason}"
        if known.host:
            verdicts[f"{name} host"] = host is not None and known.host.get(host.attribute) == host.scale
        else:
            assert host is None, f"{name}: {host}; {known.reason}"
    wrong = [name for name, right in verdicts.items() if not right]
    print(f"{len(verdicts) - len(wrong)} of {len(verdicts)} right; not right: {wrong or 'none'}")
    assert len(wrong) <= 0.1 * len(verdicts), wrong


@pytest.mark.parametrize("name", sorted(TOO_LITTLE))
def test_nothing_is_claimed_where_too_little_was_written(
    samples: Path, dumps_in: Callable[[Path], list[Dump]], name: str
) -> None:
    learnt = learnt_of(samples, name, dumps_in)
    claimed = {one.key for one in learnt.hypotheses if one.is_claim}
    without_writing = {"power_on_time_hours", "power_cycle_count", "temperature_celsius", "unexpected_power_loss_count"}
    assert claimed <= without_writing, TOO_LITTLE[name]
    assert learnt.missing


def test_order_of_the_dumps_does_not_matter(samples: Path, dumps_in: Callable[[Path], list[Dump]]) -> None:
    dumps = dumps_in(samples / "series" / "m5xx__F88CBA363AFF")
    assert learn(series_of(dumps[::-1])) == learn(series_of(dumps))


def test_the_first_readings_of_a_drive_claim_no_erase_counter(
    samples: Path, dumps_in: Callable[[Path], list[Dump]]
) -> None:
    # Three readings of a 1.92 TB drive; 0.1 % of its capacity was written in the first interval, two fills in all.
    learnt = learn(series_of(dumps_in(samples / "series" / "micron__B05339531A2C")[:3]))
    assert learnt.best("erase_count_average") is None
    assert any("count erases" in one for one in learnt.missing)


def test_nvme_logs_hold_nothing_undocumented(samples: Path, dumps_in: Callable[[Path], list[Dump]]) -> None:
    learnt = learnt_of(samples, "nvme__3AD0CA4819D5", dumps_in)
    assert learnt.hypotheses == ()
    assert "nothing undocumented" in learnt.missing[0]


@pytest.mark.parametrize("idle", [False, True])
def test_the_known_write_of_10_gib_names_the_host_counter(
    samples: Path, dumps_in: Callable[[Path], list[Dump]], idle: bool
) -> None:
    dumps = dumps_in(samples / "known_writes" / "smartmontools_issue578_10GiB.txt")
    learnt = learn(series_of(dumps, written_bytes=10 * GIB, otherwise_idle=idle))
    host = learnt.best("host_written_bytes")
    assert host is not None
    assert (host.attribute, host.scale) == (241, 32 * MIB)
    # 164 (all erases) and 245 (flash bytes in 32 MiB) moved alike: possibilities, in this order of their own keys.
    first: dict[str, tuple[int, bool]] = {}
    for one in learnt.hypotheses:
        first.setdefault(one.key, (one.attribute, one.is_claim))
    assert first["erase_count_total"] == (164, False)
    assert first["nand_written_bytes"] == (245, False)


def test_one_dump_with_statistics_names_the_host_counter(samples: Path, dumps_in: Callable[[Path], list[Dump]]) -> None:
    cases = {
        "sandforce__Corsair_Force_GS_128GB__3B4A074E4F13.txt": (241, GIB),
        "toshiba__Toshiba_THNSN81Q92CSE__9261F64F6707.txt": (241, 32 * MIB),
        "crucial-mx__Crucial_CT500MX200SSD1__4769EA7F02F4.txt": (246, 512),
        "smi__Kingston_SKC600MS256G__A75120DE8DF1.txt": (241, 32 * MIB),
        "wd-sandisk__SanDisk_SSD_PLUS_480_GB__7A26BDBA1D2E.txt": (241, GIB),
    }
    for name, expected in cases.items():
        host = learn(series_of(dumps_in(samples / "linuxhw" / name))).best("host_written_bytes")
        assert host is not None, name
        assert (host.attribute, host.scale) == expected, name
