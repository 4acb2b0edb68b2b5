"""The lines that show solids of a preview."""

from __future__ import annotations

import numpy as np

from ...geometry.affine import placement
from ...geometry.arrays import Array
from ...geometry.lines import wireframe
from ..state import WORLD, Masses, State
from ..world import Form, Mesh, Volume
from .bullet_shapes import FAR


def lines(form: Form) -> Array:
    """The lines (2k, 3) of a form, in its own axes; pairs of ends."""
    return np.asarray(_lines(form), dtype=np.float64)


def _lines(form: Form) -> wireframe.Lines:
    if not isinstance(form, Mesh):
        return wireframe.shape_lines(form, FAR)
    sides = form.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    return wireframe.mesh_lines(form.corners, np.unique(np.sort(sides, axis=1), axis=0))


def volume_lines(volume: Volume) -> Array:
    """The lines (2k, 3) of a trigger, in the axes of its body, or of the world."""
    frame = volume.frame
    parts = [lines(s.form) @ s.rotation.T + s.place for s in volume.solids]
    whole = np.concatenate(parts) if parts else np.zeros((0, 3))
    return whole @ frame.axes.T + frame.place


def body_matrix(body: int, state: State, masses: Masses) -> Array:
    """From the axes of a body's node, without scale, to the world: (4, 4); `WORLD` stays."""
    if body == WORLD:
        return np.eye(4)
    turn = state.rotation[body]
    return placement(turn, state.position[body] - turn @ masses.center_local[body])
