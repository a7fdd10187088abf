"""The learnt meanings as plain data for JSON."""

from __future__ import annotations

from typing import Any

from flashscope.smart.learning.hypothesis import CLAIM_SCORE, SCORE_MEANING, STATED_SCORE, Hypothesis, Learnt


def learnt_json(learnt: Learnt) -> dict[str, Any]:
    """{readings, axis, claim_score, stated_score, score_meaning, hypotheses, rejected, missing, remarks}.

    The last four are lists. The score of a hypothesis is None where it cannot be stated.
    """
    return {
        "readings": learnt.reading_count,
        "axis": learnt.axis or None,
        "claim_score": CLAIM_SCORE,
        "stated_score": STATED_SCORE,
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
        "score": None if one.stated_score is None else round(one.stated_score, 3),
        "claimed": one.is_claim,
        "evidence": list(one.evidence),
        "counter_evidence": list(one.counter_evidence),
    }
