"""Records a preview: every frame on its way, and what goes into a file of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from ...simulation.motion import Tracker
from ...simulation.recording import Passage, PassedBy, Recording, to_csv, to_json
from . import player
from .limitations import Limitation
from .session import Session
from .stage.options import PreviewOptions

SUFFIXES: Final = (".json", ".csv")


class Recorder:
    """Steps a preview, or watches one that a window plays, and records all its bodies.

    Attributes:
        session: the preview, which must not have begun yet.
        recording: what it has recorded until now.
    """

    def __init__(self, session: Session, every: int = 1) -> None:
        """Take a preview.

        Args:
            every: how many of its frames there are to one that is recorded.
        """
        self.session, self._every = session, every
        world = session.world
        self.recording = Recording(
            tuple(session.names[body.node] for body in world.bodies),
            tuple(body.type for body in world.bodies),
        )
        options = session.options
        # Forces do without the speeds of plain bodies, so the preview does not follow these.
        self._tracker = Tracker(world.state(), options.step, options.substeps)
        self._watched = session.begin  # The frame that was watched last.

    def step(self) -> None:
        """Go on to the next time that is recorded; the first is the start.

        Raises:
            RuntimeError: the preview failed.
        """
        session = self.session
        if not len(self.recording):
            session.step(session.begin - session.frame)
        else:
            for _ in range(self._every):
                session.step()
                self._follow()
        self._add(session.time)

    def watch(self) -> None:
        """Record the frame that a window has just played; to be called after every frame.

        Raises:
            RuntimeError: the preview failed.
        """
        session = self.session
        if session.frame < session.begin:
            return
        if not len(self.recording):
            self._add(0.0)
        if session.frame == self._watched:
            return
        self._watched = session.frame
        self._follow()
        if (session.frame - session.begin) % self._every == 0:
            self._add(session.time)

    def _follow(self) -> None:
        now = self.session.poses()
        self._tracker.follow(now.position, now.rotation)

    def _add(self, time: float) -> None:
        session = self.session
        if session.error:
            raise RuntimeError(session.error)
        session.bodies.require_finite()
        self.recording.add(time, self._tracker.state, session.forces.masses)

    def passages(self) -> list[Passage]:
        """Who entered and left triggers."""
        return passages(self.session)

    def passed_by(self) -> list[PassedBy]:
        """Who came through what should have stopped it."""
        return passed_by(self.session)


def passages(session: Session, last: int = 0) -> list[Passage]:
    """Who entered and left triggers, by name; the `last` ones only, 0 for all."""
    world, names = session.world, session.names
    return [
        Passage(
            time,
            names[world.bodies[event.body].node],
            names[world.volumes[event.trigger].node],
            event.entered,
        )
        for time, event in session.events[-last:]
    ]


def passed_by(session: Session, last: int = 0) -> list[PassedBy]:
    """Who came through what should have stopped it, by name; the `last` ones only, 0 for all."""
    bodies, names = session.world.bodies, session.names
    return [
        PassedBy(time, names[bodies[one.body].node], names[bodies[one.through].node])
        for time, one in session.passed[-last:]
    ]


def options(rate: int, substeps: int, seconds: float) -> PreviewOptions:
    """Options of a preview that runs a little longer than it is recorded."""
    return PreviewOptions(rate=rate, substeps=substeps, seconds=seconds + 10.0 / rate, show=False)


def record(scene: Any, chosen: PreviewOptions, seconds: float) -> Recorder:
    """Play a scene for some seconds, and stop.

    Raises:
        ValueError: there are no bodies, or it is the scene of a preview.
        RuntimeError: the preview failed.
    """
    session = player.start(scene, chosen)
    try:
        if not session.world.bodies:
            raise ValueError("the scene has no bodies to simulate")
        recorder = Recorder(session)
        for _ in range(frames(chosen, seconds)):
            recorder.step()
    finally:
        player.stop()
    return recorder


def frames(chosen: PreviewOptions, seconds: float) -> int:
    """How many frames are recorded, the one of the start among them."""
    return round(seconds / chosen.step) + 1


def write(path: Path, recorder: Recorder, found: Sequence[Limitation]) -> None:
    """Write what was recorded to a .json or .csv file.

    Raises:
        OSError: the file cannot be written.
    """
    if path.suffix.lower() == ".csv":
        text = to_csv(recorder.recording)
    else:
        text = to_json(
            recorder.recording,
            recorder.passages(),
            [(each.text, each.objects) for each in found],
            recorder.passed_by(),
        )
    path.write_text(text, encoding="utf-8", newline="\n")
