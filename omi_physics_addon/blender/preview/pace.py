"""How fast a preview plays beside real time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

_WINDOW: Final = 1.0  # s of wall time that are looked at.
_FEWEST: Final = 4  # Frames in it before anything is told.
_ENOUGH: Final = 0.9  # Share of the speed that was asked for which counts as kept up.


class Pace:
    """Notes when frames are shown.

    Args:
        rate: frames per second that were asked for.
        speed: seconds of the preview per second that is shown.
        clock: gives the wall time, s.
    """

    def __init__(
        self, rate: float, speed: float, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._rate, self._speed, self._clock = rate, speed, clock
        self._shown: deque[float] = deque()

    def note(self) -> None:
        """A frame is shown."""
        now = self._clock()
        self._shown.append(now)
        while len(self._shown) > _FEWEST and self._shown[0] < now - _WINDOW:
            self._shown.popleft()

    def restart(self) -> None:
        """Forget what was noted before a pause."""
        self._shown.clear()

    @property
    def slow(self) -> float | None:
        """Seconds of the preview per second of real time; None where it keeps up, or too early."""
        if len(self._shown) < _FEWEST:
            return None
        passed = self._shown[-1] - self._shown[0]
        share = (len(self._shown) - 1) / (max(passed, 1e-9) * self._rate)
        return None if share >= _ENOUGH else share * self._speed

    def words(self) -> str:
        """How slow it is, as people read it; empty where it keeps up."""
        slow = self.slow
        return "" if slow is None else f"{slow:.2g}x real time"
