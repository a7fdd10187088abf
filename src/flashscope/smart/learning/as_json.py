"""The learnt meanings as plain data for JSON."""

from __future__ import annotations

from typing import Any

from flashscope.smart.learning.hypothesis import CLAIM_SCORE, SCORE_MEANING, Hypothesis, Learnt


def learnt_json(learnt: Learnt) -> dict[str, Any]:
    """{readings, axis, claim_score, score_meaning, hypotheses, rejected, missing, remarks}: the last four are lists."""
    return {
        "readings": learnt.reading_count,
        "axis": learnt.axis or None,
        "claim_score": CLAIM_SCORE,
        "score_meaning": SCORE_MEANING,
        "hypotheses": [_hypothesis(one) for one in learnt.hypotheses],
        "rejected": [{"attribute": one.attribute, "field": one.field, "reason": one.reason} for one in learnt.rejected],
        "missing": list(learnt.missing),
        "remarks": list(learnt.remarks),
    }


def _hypothesis(one: Hypothesis) -> dict[str, Any]:
    return {
        "attribute": one.attribute,
        "field": one.field,
        "key": one.key,
        "unit": one.unit,
        "scale": one.scale,
        "score": round(one.score, 3),
        "claimed": one.is_claim,
        "evidence": list(one.evidence),
        "counter_evidence": list(one.counter_evidence),
    }
