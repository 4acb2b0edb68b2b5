"""What can be chosen about a preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class PreviewOptions:
    """How a preview runs.

    Attributes:
        rate: frames of the temporary scene per second; forces are renewed in each.
        substeps: steps of the solver in each frame.
        speed: seconds of the preview per second that is shown.
        seconds: how long it runs at most.
        engine: whose engines decide what the specifications leave open; AUTO for the family that
            the scene is exported as.
        show: whether copies of what is visible follow the bodies.
        settles: whether bodies are only to come to rest: they begin without their start
            velocities, and land softly.
        place: where that is seen: in the temporary scene, by copies, or in the artist's own.
    """

    rate: int = 60
    substeps: int = 4
    speed: float = 1.0
    seconds: float = 60.0
    engine: Literal["AUTO", "OMI", "KHR"] = "AUTO"
    show: bool = True
    settles: bool = False
    place: Literal["COPY", "SCENE"] = "COPY"

    @property
    def step(self) -> float:
        """Seconds of the preview in one frame."""
        return self.speed / self.rate

    @property
    def frames(self) -> int:
        """The last frame of the temporary scene."""
        return max(10, round(self.seconds / self.step))
