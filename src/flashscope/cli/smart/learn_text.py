"""What was learnt, for a terminal: first the claims, then possibilities, rejections with reasons, what is missing."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import click

from flashscope.smart.learning.hypothesis import Hypothesis, Learnt
from flashscope.units import counted

_MOST_WORDS = 3


def print_learnt(learnt: Learnt) -> None:
    """Print a summary in words, a table of hypotheses with their evidence, the rejected, and what is missing."""
    for line in _summary(learnt):
        click.echo(line)
    claims = [one for one in learnt.hypotheses if one.is_claim]
    _print_hypotheses("Claimed", claims)
    _print_hypotheses("Possible, not claimed", [one for one in learnt.hypotheses if not one.is_claim])
    _print_rejected(learnt)
    for one in (*learnt.missing, *learnt.remarks):
        click.echo(f"note: {one}")
    if any(one.stated_score is not None for one in claims):
        click.echo("score: from 0 to 1; about the share of such claims that are true (docs/reference/smart-learn.md)")
    if any(one.stated_score is None for one in claims):
        click.echo(
            "claimed without a score: likelier than not; how many of such claims are true differs between families of "
            "drives"
        )


def _summary(learnt: Learnt) -> list[str]:
    readings = counted(learnt.reading_count, "reading")
    yardstick = learnt.axis or "nothing outside the attributes"
    lines = [f"Learnt from {readings}. What the host wrote is known from: {yardstick}."]
    host, erases = learnt.best("host_written_bytes"), learnt.best("erase_count_average")
    lines.append(
        "No attribute is claimed to count what the host writes."
        if host is None
        else f"Attribute {host.attribute} {_counts(host)} what the host writes, in units of {host.unit}."
    )
    lines.append(
        "No attribute is claimed to count erases."
        if erases is None
        else f"Attribute {erases.attribute} {_counts(erases)} erases: watch it to follow the wear."
    )
    return [*lines, ""]


def _counts(claim: Hypothesis) -> str:
    return "probably counts" if claim.stated_score is None else "counts"


def _print_hypotheses(title: str, hypotheses: Sequence[Hypothesis]) -> None:
    if not hypotheses:
        return
    click.echo(title)
    click.echo(f"  {'attribute':>9}  {'means':24}{'unit':12}score  field")
    for one in hypotheses:
        click.echo(f"  {one.attribute:9d}  {one.key:24}{one.unit:12}{_score(one):>5}  {one.field}")
        said = [f"+ {each}" for each in one.evidence[:_MOST_WORDS]]
        said += [f"- {each}" for each in one.counter_evidence[:_MOST_WORDS]]
        for each in said:
            click.echo(textwrap.fill(each, 110, initial_indent=" " * 13, subsequent_indent=" " * 15))
    click.echo("")


def _score(one: Hypothesis) -> str:
    return "-" if one.stated_score is None else f"{one.stated_score:.2f}"


def _print_rejected(learnt: Learnt) -> None:
    """The rejected attributes; those with the same reason stand on one line."""
    if not learnt.rejected:
        return
    by_reason: dict[str, list[str]] = {}
    for one in learnt.rejected:
        reason = "never moved" if one.reason.startswith("never moved") else one.reason
        field = "" if one.field in ("raw-48", "value-first-64") else f" ({one.field})"
        by_reason.setdefault(reason, []).append(f"{one.attribute}{field}")
    click.echo("Not named")
    for reason, attributes in by_reason.items():
        click.echo(f"  {', '.join(attributes)}: {reason}")
    click.echo("")
