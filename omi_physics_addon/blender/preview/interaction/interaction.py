"""What the artist does to a preview while it runs: drives, pulls at bodies, changes settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .driving import Driver
from .grab import Grab
from .live_changes import Live

if TYPE_CHECKING:
    from ..session import Session


class Hands:
    """All of that, for one preview."""

    def __init__(self, session: Session, scene: Any) -> None:
        """Take a preview of a scene, before its temporary scene is made."""
        self.driver = Driver(session, scene)
        self.grab = Grab(session)
        self.live = Live(session)

    def before_push(self) -> None:
        """Act on the next frame."""
        self.live.before_push()
        self.driver.drive()
        self.grab.pull()
