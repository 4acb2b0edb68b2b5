"""The lines of all shapes of a file where they stand, for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from ..geometry.arrays import Array
from ..geometry.lines import wireframe
from ..simulation import file_world
from ..simulation.world import Form, Frame, Mesh, Solid, World
from .checking import Checked
from .source import Source

ENDLESS: Final = 20.0  # m, shown of planes without end.
MOST_LINES: Final = 60_000  # More would make a page that no browser likes.
_DIGITS: Final = 4
_FARTHEST: Final = 1e9  # m, of what is drawn.


@dataclass
class Drawing:
    """Lines by what they are for.

    Attributes:
        lines: (2k, 3) by role, ends of lines, m, Y up.
        left_out: lines that are not there because there are too many.
    """

    lines: dict[str, Array] = field(default_factory=dict[str, Array])
    left_out: int = 0

    def to_json(self) -> dict[str, list[float]]:
        """The numbers of each role in one list, rounded."""
        return {
            role: np.round(lines, _DIGITS).ravel().tolist() for role, lines in self.lines.items()
        }


def draw(checked: Checked, source: Source) -> Drawing:
    """The shapes of bodies and triggers, and joints from end to end."""
    engine = "KHR" if checked.families == ("KHR",) else "OMI"
    world = file_world.world_of(checked.document, checked.tree, source.triangles, engine=engine)
    found: dict[str, list[Array]] = {}
    drawing, count = Drawing(), 0
    with np.errstate(over="ignore", invalid="ignore"):  # Of shapes beyond all numbers.
        everything = list(_all(world))
    for role, lines in everything:
        if not (np.abs(lines) < _FARTHEST).all():
            continue  # Nothing that a page could show.
        number = len(lines) // 2
        if count + number > MOST_LINES:
            drawing.left_out += number
            continue
        count += number
        found.setdefault(role, []).append(lines)
    drawing.lines = {role: np.concatenate(parts) for role, parts in found.items()}
    return drawing


def _all(world: World) -> Iterator[tuple[str, Array]]:
    for body in world.bodies:
        for lines in _placed(body.solids, body.rotation, body.place):
            yield body.type, lines
    for volume in world.volumes:
        axes, place = _pose(world, volume.frame)
        for lines in _placed(volume.solids, axes, place):
            yield "trigger", lines
    for joint in world.joints:
        ends = [_pose(world, frame)[1] for frame in (joint.first, joint.second)]
        yield "joint", np.array(ends)
        for end in ends:
            yield "joint", wireframe.cross_lines(0.1).astype(np.float64) + end


def _pose(world: World, frame: Frame) -> tuple[Array, Array]:
    if frame.body < 0:
        return frame.axes, frame.place
    body = world.bodies[frame.body]
    return body.rotation @ frame.axes, body.rotation @ frame.place + body.place


def _placed(solids: Iterable[Solid], axes: Array, origin: Array) -> Iterator[Array]:
    for solid in solids:
        lines = form_lines(solid.form)
        yield lines @ (axes @ solid.rotation).T + axes @ solid.place + origin


def form_lines(form: Form) -> Array:
    """The lines (2k, 3) of a form in its own axes."""
    if not isinstance(form, Mesh):
        return wireframe.shape_lines(form, ENDLESS).astype(np.float64)
    corners, faces = form.corners, form.triangles
    sides = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    edges: Any = np.unique(np.sort(sides, axis=1), axis=0)
    return wireframe.mesh_lines(corners, edges).astype(np.float64)
