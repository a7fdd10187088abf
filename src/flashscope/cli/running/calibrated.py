"""In an examination of a real drive that takes longer: its speed is measured, and the promise is made again.

plan (assumed rates) -> consent -> capacity check -> calibration (some seconds) -> "written at 498 MB/s ... about 8 min"
"""

from __future__ import annotations

from flashscope import units
from flashscope.cli.texts.plan import total_text
from flashscope.drives.drive import RealDrive
from flashscope.errors import Interrupted
from flashscope.records.keeper import Keeper
from flashscope.runner.asked import Asked
from flashscope.runner.calibration import Calibration, speed_of
from flashscope.runner.drive_speed import DriveSpeed, Way
from flashscope.runner.plan import Plan
from flashscope.runner.progress.interrupt import Interruption
from flashscope.runner.progress.progress import Silent
from flashscope.runner.run import run_experiment

_LEAST_NS = 60 * 10**9


NOT_MEASURED = "\nThe speed of the drive could not be measured; times are as above."


def is_worthwhile(plan: Plan, *, is_chosen_by_time: bool) -> bool:
    """Whether times are assumed, of the plan or of the choice in it, and the whole may well take more than a minute."""
    return (plan.is_assumed or is_chosen_by_time) and plan.total.wall_time.expected_ns > _LEAST_NS


def measured_speed(
    drive: RealDrive, asked: Asked, store: Keeper, interruption: Interruption, *, has_begun: bool
) -> DriveSpeed | None:
    """The speed of an open drive; None when it could not be measured: the examination will say why.

    has_begun: something was examined already. Raises Interrupted when a person stops it.
    """
    calibration = Calibration()
    if not calibration.steps(drive.facts, asked.effort):
        return None
    own = Asked(asked.seed, asked.command, asked.effort)
    record = run_experiment(calibration, drive, own, store=store, progress=Silent(), interruption=interruption)
    if interruption.requested_by is not None:
        go_on = "the same with --resume goes on" if has_begun else "nothing was examined"
        raise Interrupted(f"stopped by {interruption.requested_by} while the speed of the drive was measured; {go_on}")
    return speed_of(record)


def calibrated_text(speed: DriveSpeed, plan: Plan) -> str:
    """What was measured, and the promise again. plan: of what is still to be run."""
    promise = total_text(plan) if plan.experiments else "nothing more fits in the budget"
    return f"\nMeasured: written at {_way(speed.write)}; read at {_way(speed.read)}\n  still to do: {promise}\n"


def _way(way: Way) -> str:
    rate, alone = units.format_rate(way.bytes_per_second), units.format_time(way.request_s * 1e9)
    return f"{rate} in order, 4 KiB at random in {alone} or {units.format_number(way.requests_per_second, 2)} a second"
