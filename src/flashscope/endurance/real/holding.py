"""A rest without power: the run pauses, says when to plug the drive in again, and then reads it before anything else.

The rest is measured by the wall clock, since no other clock runs while a machine is off. The drive's power-on hours in
SMART, where present, show whether it was really off.
"""

from __future__ import annotations

import datetime
import time

from flashscope.endurance.real.checkpoint import checkpoints_of
from flashscope.endurance.real.ledger import Ledger
from flashscope.endurance.real.run_state import RunState
from flashscope.endurance.real.smart_look import SmartLook
from flashscope.errors import WrongUse
from flashscope.records import StepRecord

_DAY_S = 86_400.0
_HOURS = "power_on_time_hours"
_HOURS_NOT_OFF = 24.0


def begin(ledger: Ledger, days: float, steps: list[StepRecord]) -> float:
    """Write down that the drive rests from now on. Returns until when [s since 1970]."""
    began_s = time.time()
    seen = checkpoints_of(steps)
    hours = seen[-1]["smart"].get(_HOURS) if seen else None
    until_s = began_s + days * _DAY_S
    ledger.event("hold", {"until_s": until_s, "began_s": began_s, "power_on_time_hours": hours})
    return until_s


def words(until_s: float) -> str:
    """What to do, and when."""
    return f"switch the drive off now and plug it in again on {_date(until_s)}"


def check_due(state: RunState, *, end_rest: bool) -> None:
    """Raises WrongUse while the drive must stay without power, or when there is no rest to end."""
    if end_rest:
        if not state.hold_until_s:
            raise WrongUse(
                "this run does not rest", accepted="--resume without --end-rest", advice="nothing was written"
            )
        return
    left_s = state.hold_until_s - time.time()
    if state.hold_until_s and left_s > 0:
        raise WrongUse(
            f"the drive is to rest without power until {_date(state.hold_until_s)}, {left_s / _DAY_S:.1f} days "
            f"from now",
            accepted="--resume on or after that day",
            advice="switch it off; if the date of this machine is wrong, set it; "
            "--end-rest reads it now. Nothing was written",
        )


def after(state: RunState, seen: SmartLook) -> str:
    """How long it rested, in words; with a remark when its own clock says that it was not off."""
    days = (time.time() - state.hold["began_s"]) / _DAY_S
    note = f"after {days:.1f} days off power"
    planned = (state.hold_until_s - state.hold["began_s"]) / _DAY_S
    if days < planned:
        note += f", of {planned:.1f} that were meant"
    was, is_now = state.hold.get("power_on_time_hours"), seen.numbers.get(_HOURS)
    if was is not None and is_now is not None and is_now - was > _HOURS_NOT_OFF:
        note += f" (its own clock says it was on for {is_now - was:.0f} hours of them)"
    return note


def _date(moment_s: float) -> str:
    return datetime.datetime.fromtimestamp(moment_s).astimezone().strftime("%Y-%m-%d %H:%M %Z")
