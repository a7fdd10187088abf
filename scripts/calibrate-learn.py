"""Hold `smart learn` against virtual drives whose truth is known: how often a hypothesis of some belief is true.

    python scripts/calibrate-learn.py measure OUT --side calibration|unseen --seeds FIRST END
    python scripts/calibrate-learn.py fit FILE...         writes parts/smart/learn/calibration.toml
    python scripts/calibrate-learn.py cross FILE...       the same of each family by curves fitted to the others alone
    python scripts/calibrate-learn.py table FILE...       how often what was stated was true, by the shipped curves

`measure` keeps one JSON line for each series: lives of virtual drives (tests/smart/learn/histories.py) laid out as
families of real drives (tests/smart/learn/families.py). The two sides share no controller and no family of layouts;
only "unusual" layouts, drawn at random, are on both. Only files of the side "calibration" are fitted.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.smart.learn.families import FAMILIES, UNUSUAL, laid_out
from tests.smart.learn.histories import CONTROLLERS, history

from flashscope.laws.distributions import beta
from flashscope.smart.learning.calibration import LOOKED_UP, OTHER, Curve, score_of
from flashscope.smart.learning.learn import believed

FILE = Path(__file__).resolve().parent.parent / "parts" / "smart" / "learn" / "calibration.toml"
UNSEEN_CONTROLLERS = {"indilinx", "jmicron", "mtron", "micron-nvme"}
UNSEEN_FAMILIES = {"samsung-dc", "silicon-motion", "sk-hynix", "jmicron", "sandforce", "intel-early", "toshiba"}
READING_COUNTS = (2, 3, 3, 4, 5, 6, 8, 10, 14)
BINS = (0.5, 0.7, 0.9, 1.01)
_LEAST_CASES = 60
_DRAWS, _SEED, _LOW_SHARE, _LEAST_SLOPE = 60, 1, 0.3, 0.05
_GRID = np.linspace(-4, 7, 45)
"""Logits of beliefs at which the fits are compared."""
_PRIOR_SPREAD = 1.0
"""How far slope and shift may lie from 1 and 0 before the data insist: they are held there as by a normal prior."""


class Case(NamedTuple):
    """One hypothesis: how much it was believed, whether it was true, and of which family of layouts it is."""

    belief: float
    true: bool
    family: str


def measured(side: str, seeds: range) -> Iterator[dict[str, Any]]:
    """One row for each series: what it is, and each hypothesis with its belief and whether it is true."""
    unseen = side == "unseen"
    parts = [part for part, controller in CONTROLLERS.items() if (controller in UNSEEN_CONTROLLERS) == unseen]
    families = [family for family in FAMILIES if (family in UNSEEN_FAMILIES) == unseen]
    for seed in seeds:
        for part in parts:
            rng = random.Random(f"{side} {part} {seed}")
            count = rng.choice(READING_COUNTS)
            life = history(part, seed, reading_count=count, fills=math.exp(rng.uniform(math.log(0.3), math.log(200))))
            for family in (rng.choice(families), rng.choice([UNUSUAL, *families])):
                drive = laid_out(life, seed, family, yardstick=rng.random() < 0.5)
                learnt = believed(drive.series)
                told = [
                    (one.key, one.score, drive.is_true(one.attribute, one.field, one.key, one.scale))
                    for one in learnt.hypotheses
                ]
                of = {"side": side, "part": part, "family": family, "seed": seed}
                yield {**of, "known": bool(learnt.axis), "told": told}


def cases(files: Sequence[Path]) -> dict[tuple[str, bool], list[Case]]:
    """(key, host bytes known) -> each hypothesis that was learnt."""
    found: dict[tuple[str, bool], list[Case]] = defaultdict(list)
    for file in files:
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            for key, belief, true in row["told"]:
                if key not in LOOKED_UP:
                    found[key, row["known"]].append(Case(belief, true, row["family"]))
    return found


def pooled(found: Mapping[tuple[str, bool], list[Case]]) -> dict[tuple[str, bool], list[Case]]:
    """The same; a key with few cases gets those of both sides, or none, and OTHER those of all keys."""
    whole = {key: rows for key, rows in found.items() if len(rows) >= _LEAST_CASES}
    for key, known in found.keys() - whole.keys():
        both = [one for side in (True, False) for one in found.get((key, side), ())]
        if len(both) >= _LEAST_CASES:
            whole[key, known] = both
    for known in (True, False):
        whole[OTHER, known] = [one for (_, side), rows in found.items() if side == known for one in rows]
    return whole


def fitted(rows: Sequence[Case]) -> tuple[float, float]:
    """Slope and shift of the line that seven in ten fits lie above, each to families drawn anew from those measured."""
    rng = np.random.default_rng(_SEED)
    families = sorted({one.family for one in rows})
    of_row = np.array([families.index(one.family) for one in rows])
    belief = np.clip([one.belief for one in rows], 1e-6, 1 - 1e-6)
    logit, sign = np.log(belief / (1 - belief)), np.where([one.true for one in rows], -1.0, 1.0)
    lines = []
    for _ in range(_DRAWS):
        weight = rng.multinomial(len(families), np.full(len(families), 1 / len(families)))[of_row]

        def misfit(at: np.ndarray, weight: np.ndarray = weight) -> float:
            losses = weight * np.logaddexp(0, sign * (math.exp(at[0]) * logit + at[1]))
            return float(losses.sum() + (at[0] ** 2 + at[1] ** 2) / (2 * _PRIOR_SPREAD**2))

        best = minimize(misfit, np.zeros(2), method="Nelder-Mead").x
        lines.append(math.exp(best[0]) * _GRID + best[1])
    slope, shift = np.polyfit(_GRID, np.quantile(lines, _LOW_SHARE, axis=0), 1)
    return max(float(slope), _LEAST_SLOPE), float(shift)


def fit(files: Sequence[Path]) -> None:
    """Write the curves."""
    found = cases(files)
    lines = [
        "# From belief to score in `smart learn`, by scripts/calibrate-learn.py (docs/reference/smart-learn.md).",
        "# logit(score) = slope * logit(belief) + shift, at most the belief. cases: hypotheses that were fitted.",
        "",
    ]
    for (key, known), rows in sorted(pooled(found).items()):
        slope, shift = fitted(rows)
        lines += ["[[curve]]", f'key = "{key}"', f"host_bytes_known = {str(known).lower()}"]
        lines += [f"slope = {slope:.4f}", f"shift = {shift:.4f}", f"cases = {len(rows)}", ""]
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    print(f"wrote {FILE.name} from {sum(map(len, found.values()))} hypotheses")


def cross(files: Sequence[Path]) -> None:
    """Print how often what was stated of each family was true, by curves that were fitted to all others."""
    for (key, known), rows in sorted(pooled(cases(files)).items()):
        print(f"{key}, host bytes {'known' if known else 'not known'}")
        scored = []
        for family in sorted({one.family for one in rows}):
            others = [one for one in rows if one.family != family]
            if others:
                curve = Curve(*fitted(others))
                scored += [(curve.score(one.belief), one.true, family) for one in rows if one.family == family]
        for family in ["all families", *sorted({family for _, _, family in scored})]:
            chosen = [(score, true) for score, true, of in scored if family in (of, "all families")]
            _print_bins(family, chosen)


def table(files: Sequence[Path]) -> None:
    """Print, for each key and share that is stated, how many were true."""
    found = cases(files)
    for known in (True, False):
        print(f"host bytes {'known' if known else 'not known'}")
        keys = sorted(key for key, of in found if of == known)
        _print_rows("every key", [(key, one) for key in keys for one in found[key, known]], known)
        for key in keys:
            _print_rows(key, [(key, one) for one in found[key, known]], known)


def _print_rows(title: str, rows: Sequence[tuple[str, Case]], known: bool) -> None:
    _print_bins(title, [(score_of(key, known, one.belief), one.true) for key, one in rows])


def _print_bins(title: str, scored: Sequence[tuple[float, bool]]) -> None:
    for low, high in itertools.pairwise(BINS):
        inside = [(score, true) for score, true in scored if low <= score < high]
        if not inside:
            continue
        right = sum(true for _, true in inside)
        wrong = len(inside) - right
        least = beta(0.025, right, wrong + 1) if right else 0.0
        most = beta(0.975, right + 1, wrong) if wrong else 1.0
        stated = sum(score for score, _ in inside) / len(inside)
        print(
            f"  {title:30} stated {stated:.2f}  reached {right / len(inside):.2f} "
            f"({least:.2f} to {most:.2f})  {right} of {len(inside)}"
        )


def main(arguments: list[str]) -> int:
    """Measure, fit or print; 0."""
    parser = argparse.ArgumentParser(description="Hold `smart learn` against virtual drives whose truth is known.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    measure = verbs.add_parser("measure", help="keep what is believed of series whose truth is known")
    measure.add_argument("out", type=Path)
    measure.add_argument("--side", choices=("calibration", "unseen"), required=True)
    measure.add_argument("--seeds", type=int, nargs=2, required=True)
    for verb, words in (
        ("fit", "write the curves"),
        ("cross", "print what would be stated of each family without it, and what was true"),
        ("table", "print what was stated and what was true"),
    ):
        verbs.add_parser(verb, help=words).add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args(arguments)
    if asked.verb == "measure":
        with asked.out.open("w", encoding="utf-8") as out:
            for row in measured(asked.side, range(*asked.seeds)):
                out.write(json.dumps(row) + "\n")
                out.flush()
    else:
        {"fit": fit, "cross": cross, "table": table}[asked.verb](asked.files)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
