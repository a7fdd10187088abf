"""A dossier as plain data for programs, and to be kept: everything but the records, which it names by their ids."""

from __future__ import annotations

from typing import Any

from flashscope.dossier.answer import Answer
from flashscope.dossier.dossier import Dossier
from flashscope.dossier.properties import property_of
from flashscope.records.plain import plain, without_nan

FORMAT = 1
"""Version of this form; a change that programs have to know of raises it."""


def dossier_json(dossier: Dossier) -> dict[str, Any]:
    """Plain data; "flashscope_dossier" says in which form. Numbers that JSON has not become null."""
    document: dict[str, Any] = {
        "flashscope_dossier": FORMAT,
        "drive": dossier.drive,
        "title": dossier.title,
        "kind": dossier.kind,
        "verdict": list(dossier.verdict),
        "properties": [_answer(answer) for answer in dossier.answers],
        "advice": plain(dossier.advice),
        "objections": plain(dossier.objections),
        "records": [record.id for record in dossier.records],
        "set_apart": [record.id for record in dossier.set_apart],
    }
    kept: dict[str, Any] = without_nan(document)
    return kept


def _answer(answer: Answer) -> dict[str, Any]:
    asked = property_of(answer.property_key)
    return {"title": asked.title, "group": asked.group.value} | dict(plain(answer))
