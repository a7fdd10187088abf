"""When to stop: each reason with the words a person reads, and whether it is the end or a pause.

end     data lost, read-only, dead, the wear that was asked for, the budget
pause   too hot, no SMART although a stop depends on it, drive gone, disk of the store full: `--resume` continues
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.endurance.real.settings import WearSettings
from flashscope.endurance.real.smart_look import SmartLook
from flashscope.errors import WrongUse
from flashscope.units import format_bytes

DATA_LOST, READ_ONLY, DEAD, WORN, BUDGET = "data-lost", "read-only", "dead", "worn", "budget"
FAILURES = (DATA_LOST, READ_ONLY, DEAD)
_SILENT_MOST = 3


@dataclass(frozen=True)
class Stop:
    """reason: a word for programs. says: a sentence. pause: the run goes on with `--resume`."""

    reason: str
    says: str
    pause: bool = False


class Stops:
    """Decides from the results. silent: successive readings of SMART without an answer."""

    def __init__(self, settings: WearSettings) -> None:
        self._settings = settings
        self._silent = 0

    @property
    def needs_smart(self) -> bool:
        """Whether a stop that was asked for depends on SMART."""
        asked = self._settings
        by_wear = asked.until == "cycles" or (asked.until == "rating" and not asked.rated_written_bytes)
        return by_wear or asked.temperature_above_celsius > 0

    def check_can_watch(self, seen: SmartLook) -> None:
        """Before the first byte: raises WrongUse when the drive does not report what a stop depends on."""
        asked, numbers = self._settings, seen.numbers
        missing = ""
        if asked.until == "cycles" and "erase_count_average" not in numbers:
            missing = "its erase count, on which --until depends"
        elif asked.until == "rating" and not asked.rated_written_bytes and self._used_ratio(seen, 0) is None:
            missing = "how much of its rated life is used; give --rated-written"
        elif asked.temperature_above_celsius and "temperature_celsius" not in numbers:
            missing = "its temperature, on which --temperature-above depends"
        if missing:
            why = f" ({seen.failure})" if seen.failure else ""
            raise WrongUse(
                f"the drive does not show {missing}{why}",
                accepted="options that need only what this drive's SMART shows, or --budget alone",
                advice="`flashscope smart show` tells what it says",
            )

    def after_look(self, seen: SmartLook, written_bytes: int) -> Stop | None:
        """The stop that follows from SMART alone. written_bytes: by this run."""
        self._silent = self._silent + 1 if seen.failure else 0
        asked, numbers = self._settings, seen.numbers
        if self._silent >= _SILENT_MOST and self.needs_smart:
            return Stop("smart-silent", f"SMART gave no answer {self._silent} times: {seen.failure}", pause=True)
        if seen.says_read_only:
            return Stop(READ_ONLY, "the drive says that it is read-only")
        limit = asked.temperature_above_celsius
        if limit and numbers.get("temperature_celsius", 0) >= limit:
            says = f"the drive has {numbers['temperature_celsius']:.0f} degrees Celsius, and {limit:g} is the limit"
            return Stop("too-hot", says, pause=True)
        erased = numbers.get("erase_count_average", 0)
        if asked.until == "cycles" and erased >= asked.erase_count:
            return Stop(WORN, f"its blocks were erased {erased:.0f} times on average")
        used = self._used_ratio(seen, written_bytes) if asked.until == "rating" else None
        return Stop(WORN, "its rated life is used up") if used is not None and used >= 1 else None

    def _used_ratio(self, seen: SmartLook, written_bytes: int) -> float | None:
        rated = self._settings.rated_written_bytes
        if rated:
            return written_bytes / rated
        numbers = seen.numbers
        if "erase_count_average" in numbers and numbers.get("rated_pe_cycles"):
            return numbers["erase_count_average"] / numbers["rated_pe_cycles"]
        used = numbers.get("life_used_percent")
        return None if used is None else used / 100


def budget_reached(settings: WearSettings, doubtful_bytes: int) -> Stop:
    """The end that a person set. doubtful_bytes: of writes interrupted by crashes; perhaps written."""
    says = f"the budget of {format_bytes(settings.budget_bytes)} is written"
    if doubtful_bytes:
        says += f", {format_bytes(doubtful_bytes)} of it perhaps: so much was under way when the run was cut short"
    return Stop(BUDGET, says)
