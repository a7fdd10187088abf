"""Count the verdicts on folders of SMART dumps, and why: the ruler for every change of the rules.

    python scripts/smart-verdicts.py FOLDER...                 verdicts with their reasons, families, doubts
    python scripts/smart-verdicts.py FOLDER... --each "watch"  every dump of that verdict, with its reasons
    python scripts/smart-verdicts.py FOLDER... --keep OUT      also keep what every dump got, one JSON line each
    python scripts/smart-verdicts.py FOLDER... --since OUT     every dump that got something else then

Numbers in reasons are shown as #, so that equal reasons are counted together. One process, no network, writes only OUT.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from flashscope.errors import FlashscopeError
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.rated_writes import promised_writes
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, UNKNOWN, WATCH, judge
from flashscope.smart.fleets.files import fleet_files
from flashscope.smart.readers.read import read_dumps

_LEVELS = (COPY_NOW, WATCH, GOOD, UNKNOWN)
_KINDS = {True: "solid-state", False: "disk", None: "kind not known"}
_NUMBER = re.compile(r"\d[\d.,\u202f ]*(?:e[+-]?\d+)?(?: ?[kMGTPEZ]?i?B\b)?")


def judged(paths: list[Path]) -> Iterator[dict[str, Any]]:
    """What every dump in the files gets; a file that cannot be read gets a row with the reason."""
    for path in fleet_files(paths):
        try:
            dumps = read_dumps(path.read_bytes(), str(path))
        except FlashscopeError as error:
            yield {"path": str(path), "level": "not read", "kind": "", "family": "", "reasons": [error.what]}
            continue
        for number, dump in enumerate(dumps, 1):
            reading = read(dump)
            verdict = judge(reading, clocks([(dump.taken_at_s, reading)], promised=promised_writes(dump)), dump)
            yield {
                "path": str(path) if len(dumps) == 1 else f"{path} ({number})",
                "level": verdict.level,
                "kind": _KINDS[reading.is_flash],
                "family": reading.family,
                "reasons": list(verdict.reasons),
                "statement": verdict.statement,
                "advice": verdict.advice,
                "doubts": [one.kind for one in reading.contradictions],
            }


def _counted(title: str, counter: Counter[str], shown: int = 40) -> None:
    print(f"\n{title}")
    for what, count in counter.most_common(shown):
        print(f"{count:6d}  {what}")


def _summary(rows: list[dict[str, Any]]) -> None:
    kinds = sorted({row["kind"] for row in rows})
    for level in (*_LEVELS, "not read"):
        of_level = [row for row in rows if row["level"] == level]
        by_kind = ", ".join(
            f"{count} {kind}" for kind in kinds if (count := sum(row["kind"] == kind for row in of_level))
        )
        print(f"{len(of_level):6d}  {level}  ({by_kind})")
    for level in (*_LEVELS, "not read"):
        of_level = [row for row in rows if row["level"] == level]
        _counted(
            f"{level}: dumps that have the reason",
            Counter(reason for row in of_level for reason in {_NUMBER.sub("# ", one)[:150] for one in row["reasons"]}),
        )
        _counted(
            f"{level}: dumps with one reason alone",
            Counter(_NUMBER.sub("# ", row["reasons"][0])[:150] for row in of_level if len(row["reasons"]) == 1),
        )
    _counted("families", Counter(f"{row['family']} ({row['kind']})" for row in rows))
    _counted("contradictions", Counter(kind for row in rows for kind in row.get("doubts", ())))


def _each(rows: list[dict[str, Any]], level: str) -> None:
    for row in rows:
        if row["level"] == level:
            print(f"{row['path']}  [{row['family']}]  {row.get('advice', '')}")
            for reason in row["reasons"]:
                print(f"    - {reason}")


def _since(rows: list[dict[str, Any]], before: Path) -> None:
    old = {row["path"]: row for row in map(json.loads, before.read_text(encoding="utf-8").splitlines())}
    moved: Counter[str] = Counter()
    for row in rows:
        then = old.get(row["path"])
        if then is None or (then["level"], then["reasons"]) == (row["level"], row["reasons"]):
            continue
        moved[f"{then['level']} -> {row['level']}"] += 1
        print(f"{row['path']}  [{row['family']}]\n    {then['level']}: {then['reasons']}")
        print(f"    {row['level']}: {row['reasons']}")
    _counted("changes", moved)


def main(arguments: list[str]) -> int:
    """Print the counts; 0."""
    parser = argparse.ArgumentParser(description="Count the verdicts on folders of SMART dumps, and why.")
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", choices=_LEVELS, help="print every dump of this verdict")
    parser.add_argument("--keep", type=Path, help="keep what every dump got")
    parser.add_argument("--since", type=Path, help="compare with what --keep wrote")
    asked = parser.parse_args(arguments)
    began_s = time.process_time()
    rows = list(judged(asked.folders))
    if asked.keep:
        asked.keep.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if asked.each:
        _each(rows, asked.each)
    elif asked.since:
        _since(rows, asked.since)
    else:
        _summary(rows)
    print(f"\n{len(rows)} dumps in {time.process_time() - began_s:.1f} CPU-seconds")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
