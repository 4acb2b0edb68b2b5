"""What the artist does to a preview while it runs: drives, pulls at bodies, changes settings."""

from __future__ import annotations

from typing import Any

from ..bodies.bodies import Bodies
from .driving import Driver
from .grab import Grab
from .live_changes import LiveChanges


class Interaction:
    """The driver, the grab and the live changes of one preview."""

    def __init__(self, bodies: Bodies, scene: Any) -> None:
        """Take the bodies of the artist's scene, before the temporary scene is made."""
        self.driver = Driver(bodies, scene)
        self.grab = Grab(bodies)
        self.changes = LiveChanges(bodies, scene)

    def before_push(self) -> None:
        """Act on the next frame."""
        self.changes.before_push()
        self.driver.drive()
        self.grab.pull()
