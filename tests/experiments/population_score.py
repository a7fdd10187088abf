"""How many planted values the experiments find on held-out drives (population.py), as a table.

    PYTHONPATH=src python -m tests.experiments.population_score [NAME ...] [--first 3000] [--count 40]

met      within the contract of the value, or nothing found where nothing is planted
honest   no value, or an interval that holds the planted one
missed   anything else: a wrong value without a doubt; or a planted value that the drive's own truth contradicts
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from flashscope.experiments.catalogue import find
from flashscope.records import Finding
from flashscope.records.bounds import ends_of
from tests.experiments.planted import run
from tests.experiments.population import Held, held_out
from tests.findings import by_key

# Name: contract [ratio of the planted value], most drives of which nothing can be said [ratio]. A flash as fast as its
# link hides a buffer; a deletion cannot help where nothing was slow.
CONTRACTS = {
    "flat": (0.02, 0.0),
    "sustained-sequential-write": (0.02, 0.1),
    "idle-recovery": (0.10, 0.1),
    "write-buffer": (0.05, 0.5),
    "small-write-matrix": (0.0, 0.2),
    "misalignment": (0.0, 0.2),
    "read-write-interference": (0.01, 0.0),
    "copy-within-drive": (0.01, 0.0),
    "hybrid-cache": (0.05, 0.1),
    "fill-and-recovery": (0.10, 1.0),
}
DEAR = ("hybrid-cache", "fill-and-recovery")
_DEAR_SHARE = 10  # so many times fewer drives of these
_DELAY_CONTRACT_RATIO = 0.1  # of an idle time, beside the size that the same experiment finds
_SAME_RATIO = 0.01  # of what is planted: the drive counts bytes from the host, its write buffer among them


@dataclass(frozen=True)
class Hit:
    """How a finding stands to the truth. verdict: "met", "honest" (it said that it cannot tell), or "missed"."""

    verdict: str
    words: str


@dataclass(frozen=True)
class Row:
    """One planted value of one drive."""

    held: Held
    key: str
    hit: Hit

    def __str__(self) -> str:
        planted = self.held.truth[self.key]
        words = f"{self.hit.words} ({self.held.said})"
        return f"{self.held.number:5} {self.hit.verdict:7}{self.key} planted {planted}: {words}"


def score(name: str, count: int, *, first: int = 0) -> Iterator[Row]:
    """Rows of that many held-out drives of an experiment, from number `first` on."""
    experiment = find("sustained-sequential-write" if name == "flat" else name)
    for held in held_out(name, count, first=first):
        record = run(experiment, held.make())
        findings = by_key(record)
        for key, truth in held.truth.items():
            own = (record.truth or {}).get(key, truth)
            if not _same(own, truth):
                yield Row(held, key, Hit("missed", f"the drive says of itself {own}"))
                continue
            contract = _DELAY_CONTRACT_RATIO if key == "idle_fill_delay_ns" else CONTRACTS[name][0]
            yield Row(held, key, judge(_looked_for(findings, key), truth, contract))


def judge(finding: Finding | None, truth: Any, contract_ratio: float) -> Hit:
    """Met within the contract, or none where there is none; honest without a value, or when its interval holds it."""
    value = finding.value if finding is not None else None
    if truth is None:
        return Hit("met", "none") if value is None else Hit("missed", f"{value} where there is none")
    if finding is None or value is None:
        return Hit("honest", "none found")
    if isinstance(truth, str):
        return Hit("met" if value == truth else "missed", str(value))
    off = f"{100 * (value / truth - 1):+.1f} %" if truth else f"{value}"
    if abs(value - truth) <= contract_ratio * truth:
        return Hit("met", off)
    if finding.low is not None and finding.high is not None and finding.low <= truth <= finding.high:
        return Hit("honest", f"{off}, within {finding.low:.4g} to {finding.high:.4g}")
    return Hit("missed", off)


def _same(own: Any, truth: Any) -> bool:
    bounds = ends_of(own)
    if bounds is not None and isinstance(truth, (int, float)):
        return bounds[0] <= truth <= bounds[1]
    if isinstance(own, (int, float)) and isinstance(truth, (int, float)):
        return abs(own - truth) <= max(_SAME_RATIO * abs(truth), 1)
    return bool(own == truth)


def _looked_for(findings: dict[str, Finding], key: str) -> Finding | None:
    """The finding of that key; second_fall stands among the changes of rate_fall, as the second one that goes down."""
    if key != "second_fall":
        return findings.get(key)
    first = findings["rate_fall"]
    rates = [plateau["rate_bytes_per_second"] for plateau in first.details["plateaus"]]
    changes = first.details["change_points"]
    falls = [change for change, (before, after) in zip(changes, pairwise(rates), strict=True) if after < before]
    if len(falls) < 2:
        return None
    return replace(first, value=falls[1]["bytes"], low=falls[1]["low"], high=falls[1]["high"])


def main(words: list[str]) -> int:
    """Print what was missed or not told, then a line for each experiment; 1 when something was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.population_score", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(CONTRACTS)}; all when left out")
    parser.add_argument("--first", type=int, default=0, help="number of the first drive; 0 is where the tests begin")
    parser.add_argument("--count", type=int, default=40, help="drives of each; a tenth of it where a drive takes long")
    asked = parser.parse_args(words)
    unknown = set(asked.names) - set(CONTRACTS)
    if unknown:
        parser.error(f"no population {', '.join(sorted(unknown))}; there are {', '.join(CONTRACTS)}")
    missed = 0
    for name in asked.names or CONTRACTS:
        verdicts: Counter[str] = Counter()
        for row in score(name, max(asked.count // (_DEAR_SHARE if name in DEAR else 1), 1), first=asked.first):
            verdicts[row.hit.verdict] += 1
            if row.hit.verdict != "met":
                print(row, flush=True)
        counts = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ("met", "honest", "missed"))
        print(f"{name}: {verdicts.total()} values: {counts}", flush=True)
        missed += verdicts["missed"]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
