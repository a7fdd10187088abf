"""The time left: unknown until the speed was measured, then a steady value.

The speed is the work per second over a recent window. The shown time counts down with the clock as long as the
measured time differs by less than a quarter. When it differs more (a drive becomes slower), the shown time moves
gradually to the measured time instead of jumping at every sample.

Where the work is given in seconds, as a plan expects them, the time left is known from the start: the work left, times
how much longer than expected everything took so far. A twentieth of the whole counts as having taken what was expected,
so that the first seconds do not decide.
"""

from __future__ import annotations

from collections import deque

_KNOWN_AFTER_S = 2.0
_KNOWN_AFTER_RATIO = 0.01
_WINDOW_S = 20.0
_AGREES_WITHIN_RATIO = 0.25
_BELIEVED_RATIO = 0.05
_NUDGE_RATIO = 0.02  # per update, while the two agree
_MOVE_RATIO = 0.2  # per update, while they do not


class RemainingTime:
    """The time left, from pairs of time and work done. Times are seconds of any one clock; work has any unit.

    in_seconds: work is the time that it is expected to take.
    """

    def __init__(self, total_work: float, now_s: float, *, in_seconds: bool = False) -> None:
        self._total_work, self._in_seconds = total_work, in_seconds
        self._began_s = now_s
        self._samples: deque[tuple[float, float]] = deque([(now_s, 0.0)])
        self._shown_s: float | None = None
        self._updated_s = now_s

    def update(self, done_work: float, now_s: float) -> float | None:
        """The time left [s] when done_work is over; None while it is not known yet."""
        self._samples.append((now_s, done_work))
        while len(self._samples) > 2 and now_s - self._samples[1][0] >= _WINDOW_S:
            self._samples.popleft()
        measured_s = self._measured_s(done_work, now_s)
        if measured_s is None:
            return None
        if self._shown_s is None:
            self._shown_s = measured_s
        else:
            counted_s = max(0.0, self._shown_s - (now_s - self._updated_s))
            agrees = abs(measured_s - counted_s) <= _AGREES_WITHIN_RATIO * max(counted_s, 1.0)
            self._shown_s = counted_s + (_NUDGE_RATIO if agrees else _MOVE_RATIO) * (measured_s - counted_s)
        self._updated_s = now_s
        return self._shown_s

    def _measured_s(self, done_work: float, now_s: float) -> float | None:
        if self._in_seconds:
            believed_s = _BELIEVED_RATIO * self._total_work
            longer = (now_s - self._began_s + believed_s) / max(done_work + believed_s, 1e-9)
            return max(0.0, self._total_work - done_work) * longer
        began_s, began_work = self._samples[0]
        took_s = now_s - self._began_s
        has_begun_well = done_work >= _KNOWN_AFTER_RATIO * self._total_work or took_s >= _WINDOW_S
        enough = took_s >= _KNOWN_AFTER_S and has_begun_well
        if not enough or done_work <= began_work:
            return None
        return max(0.0, self._total_work - done_work) * (now_s - began_s) / (done_work - began_work)


def say_remaining(remaining_s: float | None) -> str:
    """ "estimating", or the time left as one reads it: "12 s left", "4 min left", "1 h 20 min left", "3 days left"."""
    if remaining_s is None:
        return "estimating"
    if remaining_s < 55:
        step = 1 if remaining_s < 10 else 5
        return f"{max(1, round(remaining_s / step) * step)} s left"
    minutes = max(1, round(remaining_s / 60))
    if minutes < 60:
        return f"{minutes} min left"
    hours, rest = divmod(round(minutes / 5) * 5, 60)
    if hours >= 48:
        return f"{round(hours / 24)} days left"
    return f"{hours} h {rest} min left" if rest else f"{hours} h left"
